import GtkKit
import TrunkModel
import XCTest

@testable import TrunkApp

final class NavigatorTests: WidgetTestCase {
  func testASproutLeadsBackToWhereItWasOpenedFrom() throws {
    try withNavigator { navigator, garden in
      for origin in Route.views {
        navigator.open(origin)
        navigator.open(.sprout("sprout-run"))
        XCTAssertEqual(navigator.view, .garden)
        turn(until: "the page") { garden.texts.contains("Ready to harvest") }
        navigator.back()
        XCTAssertEqual(navigator.view, origin)
      }
    }
  }

  func testASproutStaysOpenWhileAnotherViewIsShown() throws {
    try withNavigator { navigator, garden in
      navigator.open(.sprout("sprout-run"))
      navigator.open(.today)
      navigator.open(.garden)
      turn(until: "the page") { garden.texts.contains("Ready to harvest") }
      navigator.back()
      XCTAssertEqual(navigator.view, .today)
    }
  }

  func testTheSearchLeadsToTheListAndStaysThere() throws {
    try withNavigator { navigator, garden in
      navigator.open(.sprout("sprout-run"))
      navigator.open(.search)
      XCTAssertEqual(navigator.view, .garden)
      turn(until: "the list") { garden.titles.contains("Learn the cello prelude") }
      navigator.back()
      XCTAssertEqual(navigator.view, .garden)
    }
  }

  func testTheSeedlingsReplaceAnOpenSprout() throws {
    try withNavigator { navigator, garden in
      navigator.open(.sprout("sprout-run"))
      navigator.open(.today)
      navigator.open(.seedlings)
      XCTAssertEqual(navigator.view, .garden)
      turn(until: "the seedlings") {
        garden.texts.contains("No ideas yet") && !garden.texts.contains("Ready to harvest")
      }
    }
  }

  func testAViewWithASearchKeepsIt() throws {
    try withNavigator { navigator, garden in
      navigator.open(.journal)
      navigator.open(.search)
      XCTAssertEqual(navigator.view, .journal)
      turn(until: "its search") { garden.texts.contains("Searching entries") }
    }
  }

  func testAnUnknownSproutLeadsToTheGardenAndLeavesTheWayBack() throws {
    try withNavigator { navigator, garden in
      navigator.open(.sprout("sprout-run"))
      navigator.open(.sprout("sprout-none"))
      XCTAssertEqual(navigator.view, .garden)
      turn(until: "the toast") { garden.texts.contains("This sprout is not in the garden.") }
      navigator.back()
      XCTAssertEqual(navigator.view, .today)
    }
  }

  func testOnlyTheNamesOfViewsAreRoutes() {
    MainActor.assumeIsolated {
      XCTAssertEqual(Route.views.map { Route(view: $0.view) }, Route.views)
      XCTAssertNil(Route(view: "sprout"))
    }
  }

  private func withNavigator(_ body: @MainActor (Navigator, GardenWindow) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo)
      defer { garden.close() }
      let navigator = Navigator()
      navigator.register(.today, label("The day"))
      navigator.register(GardenView(garden.context))
      navigator.register(.journal, label("Entries")) { garden.context.toaster.show("Searching entries") }
      garden.present(navigator.stack.widget)
      XCTAssertEqual(navigator.view, .today)
      try body(navigator, garden)
    }
  }
}
