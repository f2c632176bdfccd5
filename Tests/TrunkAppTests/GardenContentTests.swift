import CGtk
import GtkKit
import TrunkAccount
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// The content of the window as a whole.
final class GardenContentTests: WidgetTestCase {
  func testANarrowWindowShowsTheGardensFirstRowEarly() throws {
    try withContent(width: 360, page: "garden") { _, garden in
      turn(until: "the rows") { garden.titles.count > 1 }
      let row = try XCTUnwrap(garden.window.descendants.first { $0.typeName == "GtkListItemWidget" && $0.isMapped })
      var (x, y): (Double, Double) = (0, 0)
      gtk_widget_translate_coordinates(row, garden.window, 0, 0, &x, &y)
      // With the header bar, which is not in this window, that is half of what it was.
      XCTAssertLessThanOrEqual(y, 195)
      garden.picture("narrow-garden")
    }
  }

  func testAWideWindowShowsAPageBesideTheList() throws {
    try withContent(width: 1000, page: "garden") { content, garden in
      turn(until: "the rows") { garden.titles.count > 1 }
      XCTAssertTrue(garden.texts.contains("Nothing selected"))
      let titles = garden.titles
      content.navigator.open(.sprout("sprout-run"))
      turn(until: "the page") { garden.texts.contains("Ready to harvest") }
      XCTAssertEqual(garden.titles, titles, "the list stays")
      garden.picture("wide-garden")
      content.fit(width: 700)
      turn(until: "the page alone") { garden.titles.isEmpty }
      XCTAssertTrue(garden.texts.contains("Ready to harvest"))
      content.fit(width: 1000)
      turn(until: "both") { garden.titles == titles }
      content.navigator.back()
      turn(until: "the list") { garden.texts.contains("Nothing selected") }
    }
  }

  private func withContent(
    width: Int, page: String, _ body: @MainActor (GardenContent, GardenWindow) throws -> Void
  ) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo, width: width, height: 800)
      defer { garden.close() }
      let context = garden.context
      let content = GardenContent(
        model: context.model, accountModel: context.accountModel, settings: context.settings,
        unsavedDrafts: context.unsavedDrafts, window: garden.window, toaster: context.toaster, page: page)
      content.fit(width: width)
      garden.present(content.widget)
      try body(content, garden)
    }
  }
}
