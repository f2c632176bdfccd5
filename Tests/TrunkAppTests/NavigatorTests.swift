import CGtk
import GtkKit
import TrunkKit
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class NavigatorTests: WidgetTestCase {
  func testASproutLeadsBackToWhereItWasOpenedFrom() throws {
    try withNavigator { navigator, garden in
      for origin in Route.views {
        navigator.open(origin)
        navigator.open(.sprout("sprout-run"))
        XCTAssertEqual(navigator.view, .garden)
        waitFor("the page") { garden.texts.contains("Ready to harvest") }
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
      waitFor("the page") { garden.texts.contains("Ready to harvest") }
      navigator.back()
      XCTAssertEqual(navigator.view, .today)
    }
  }

  func testTheSearchLeadsBackToWhereItWasOpenedFrom() throws {
    try withNavigator { navigator, garden in
      for origin in Route.views {
        navigator.open(origin)
        navigator.open(.search())
        navigator.open(.search("cello"))
        XCTAssertEqual(navigator.view, .search())
        XCTAssertEqual(navigator.home, origin)
        waitFor("the results") { garden.texts.contains("Learn the cello prelude") }
        navigator.back()
        XCTAssertEqual(navigator.view, origin)
      }
    }
  }

  func testASproutThatWasFoundLeadsBackToTheSearch() throws {
    try withNavigator { navigator, garden in
      navigator.open(.journal)
      navigator.open(.search("run"))
      navigator.open(.sprout("sprout-run"))
      waitFor("the page") { garden.texts.contains("Ready to harvest") }
      navigator.back()
      XCTAssertEqual(navigator.view, .search())
      XCTAssertEqual(navigator.home, .journal)
    }
  }

  func testTheSeedlingsReplaceAnOpenSprout() throws {
    try withNavigator { navigator, garden in
      navigator.open(.sprout("sprout-run"))
      navigator.open(.today)
      navigator.open(.seedlings)
      XCTAssertEqual(navigator.view, .garden)
      waitFor("the seedlings") {
        garden.texts.contains("No seedlings yet") && !garden.texts.contains("Ready to harvest")
      }
    }
  }

  func testAnUnknownSproutLeadsToTheGardenAndLeavesTheWayBack() throws {
    try withNavigator { navigator, garden in
      navigator.open(.sprout("sprout-run"))
      navigator.open(.sprout("sprout-none"))
      XCTAssertEqual(navigator.view, .garden)
      waitFor("the message") { garden.texts.contains("This sprout is not in the garden.") }
      navigator.back()
      XCTAssertEqual(navigator.view, .today)
    }
  }

  func testBackFollowsTheWholeWay() throws {
    try withNavigator { navigator, garden in
      let way: [Route] = [
        .sprout("sprout-minuet"), .leaf("leaf-bach"), .twig("branch-2-twig-0"), .branch(2), .twig("branch-2-twig-0"),
        .sprout("sprout-prelude"), .leaf("leaf-bach"),
      ]
      navigator.open(.journal)
      for route in way {
        navigator.open(route)
        XCTAssertEqual(navigator.place, route)
      }
      for route in way.dropLast().reversed() {
        navigator.back()
        XCTAssertEqual(navigator.place, route)
      }
      waitFor("the page") { garden.texts.contains("The minuet in G, by heart") }
      navigator.back()
      XCTAssertEqual(navigator.place, .journal)
    }
  }

  func testAPageOpenedFromItsOwnViewLeadsBackToIt() throws {
    try withNavigator { navigator, garden in
      navigator.open(.twig("branch-2-twig-0"))
      navigator.back()
      XCTAssertEqual(navigator.place, .today)
      navigator.open(.tree)
      navigator.open(.branch(2))
      navigator.back()
      XCTAssertEqual(navigator.place, .tree)
      waitFor("the list") { garden.texts.contains("Voice") }
    }
  }

  func testASiblingTakesThePlaceOfItsPage() throws {
    try withNavigator { navigator, garden in
      navigator.open(.twig("branch-2-twig-0"))
      waitFor("the page") { garden.texts.contains("practice") }
      try garden.press(tip: "Previous twig")
      XCTAssertEqual(navigator.place, .twig("branch-2-twig-7"))
      waitFor("the page") { garden.texts.contains("publication") }
      navigator.back()
      XCTAssertEqual(navigator.place, .today)
    }
  }

  func testAnUnknownPlaceLeadsToTheTree() throws {
    try withNavigator { navigator, garden in
      for route in [Route.branch(8), .twig("branch-2"), .twig("x"), .leaf("leaf-none")] {
        navigator.open(.today)
        navigator.open(route)
        XCTAssertEqual(navigator.place, .tree)
      }
      waitFor("the message") { garden.texts.contains("This leaf is not in the garden.") }
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
      let context = garden.context
      navigator.register(.today) { label("The day") }
      try context.settings.set(treeForm: .list)
      navigator.register(.tree) { [weak navigator] in
        let tree = TreeView(context)
        navigator?.connect(tree)
        return tree.widget
      }
      navigator.register(.garden) { [weak navigator] in
        let garden = GardenView(context)
        navigator?.connect(garden)
        return garden.widget
      }
      navigator.register(.journal) { label("Entries") }
      navigator.register(.search()) { [weak navigator] in
        let search = SearchPage(context)
        navigator?.connect(search)
        return search.widget
      }
      navigator.build(.today)
      garden.present(navigator.stack.widget)
      XCTAssertEqual(navigator.view, .today)
      try body(navigator, garden)
    }
  }
}
