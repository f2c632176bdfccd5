import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// The pane of the window as a whole.
final class GardenPaneTests: WidgetTestCase {
  func testANarrowWindowShowsTheGardensFirstRowEarly() throws {
    try withPane(width: 360, page: "garden") { _, garden in
      waitFor("the rows") { garden.titles.count > 1 }
      let row = try XCTUnwrap(garden.window.descendants.first { $0.typeName == "GtkListItemWidget" && $0.isMapped })
      var (x, y): (Double, Double) = (0, 0)
      gtk_widget_translate_coordinates(row, garden.window, 0, 0, &x, &y)
      // With the header bar, which is not in this window, it begins in the upper third of 700 pixels.
      XCTAssertLessThanOrEqual(y, 176)
      garden.picture("narrow-garden")
    }
  }

  func testAWideWindowShowsAPageBesideTheList() throws {
    try withPane(width: 1000, page: "garden") { pane, garden in
      waitFor("the rows") { garden.titles.count > 1 }
      waitFor("the page of the first row") { garden.texts.contains("Ready to harvest") }
      XCTAssertEqual(garden.openRows, ["Ten kilometres without stopping"])
      let titles = garden.titles
      pane.navigator.open(.sprout("sprout-prelude"))
      waitFor("the page") { garden.texts.contains { $0.hasSuffix("harvest from 25 December") } }
      XCTAssertEqual(garden.titles, titles, "the list stays")
      XCTAssertEqual(garden.openRows, ["Learn the cello prelude"])
      garden.picture("wide-garden")
      pane.fit(width: 700)
      waitFor("the page alone") { garden.titles.isEmpty }
      XCTAssertTrue(garden.texts.contains { $0.hasSuffix("harvest from 25 December") })
      pane.fit(width: 1000)
      waitFor("both") { garden.titles == titles }
      pane.navigator.back()
      waitFor("the first row's page") { garden.texts.contains("Ready to harvest") }
      XCTAssertEqual(garden.openRows, ["Ten kilometres without stopping"])
    }
  }

  func testATabWithoutPagesIsAlone() throws {
    try withPane(width: 1000, page: "garden") { pane, garden in
      waitFor("the rows") { garden.titles.count > 1 }
      for tab in ["Leaves", "Seedlings"] {
        garden.choose(tab)
        waitFor(tab) { !garden.hasPage }
        garden.picture("wide-\(tab)")
        garden.choose("Sprouts")
        waitFor("the sprouts") { garden.hasPage }
      }
      // A page that is open stays beside the other list, and going back leads to that list alone.
      pane.navigator.open(.sprout("sprout-run"))
      waitFor("the page") { garden.texts.contains("Ready to harvest") }
      garden.choose("Leaves")
      waitFor("both") { garden.titles.contains("Bach, slowly") }
      XCTAssertTrue(garden.texts.contains("Ready to harvest"))
      pane.navigator.back()
      waitFor("the list alone") { !garden.hasPage }
      XCTAssertTrue(garden.titles.contains("Bach, slowly"))
    }
  }

  func testAnEmptyGardenHasNoPlaceForAPage() throws {
    try withPane([], width: 1000, page: "garden") { _, garden in
      waitFor("the start") { garden.texts.contains("Nothing planted yet") }
      XCTAssertFalse(garden.hasPage)
      try awaited("the planting") { [model = garden.context.model] in
        var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 1))
        form.title = "Sleep well"
        _ = try await model.plant(form)
      }
      waitFor("both") { garden.titles.contains("Sleep well") && garden.hasPage }
    }
  }

  func testBothPanesAreComfortable() throws {
    for width in [900, 1400] {
      try withPane(width: width, page: "garden") { pane, garden in
        waitFor("the rows") { garden.titles.count > 1 }
        pane.navigator.open(.sprout("sprout-prelude"))
        waitFor("the page") { garden.texts.contains { $0.hasSuffix("harvest from 25 December") } }
        garden.picture("panes-\(width)")
        XCTAssertEqual(garden.openRows, ["Learn the cello prelude"])
        let list = try XCTUnwrap(garden.lists.first)
        let page = try XCTUnwrap(garden.window.buttons("Uproot").first)
        waitFor("the layout") { list.width > 0 && place(of: page, in: garden).x > 400 }
        XCTAssertGreaterThanOrEqual(list.width, width == 900 ? 340 : 420)
        XCTAssertLessThanOrEqual(list.width, width == 900 ? 420 : 480)
        XCTAssertLessThanOrEqual(place(of: page, in: garden).x + Double(page.width), Double(width))
      }
    }
  }

  func testTheMetersAndTheRowsShareAColumn() throws {
    for width in [860, 1300] {
      try withPane(width: width, page: "today") { _, garden in
        @MainActor func edges(_ widget: Widget) -> [Int] {
          let x = Int(place(of: widget, in: garden).x)
          return [x, x + widget.width]
        }
        let meters = try XCTUnwrap(
          garden.window.descendants.first { $0.isMapped && gtk_widget_has_css_class($0, "meters") != 0 })
        let pane = try XCTUnwrap(
          garden.window.descendants.first { widget in
            ["boxed-list", "rows"].contains { (style: String) in
              widget.isMapped && gtk_widget_has_css_class(widget, style) != 0
            }
          })
        waitFor("the layout") { meters.width > 0 && pane.width > 0 }
        garden.picture("column-\(width)")
        // Places are those inside the outline of a pixel, and inside the padding of the meters, 4 pixels.
        for (one, other) in zip(edges(meters), edges(pane)) { XCTAssertLessThanOrEqual(abs(one - other), 5) }
      }
    }
  }

  func testWhatScrollsBelowTheMetersLeavesAShadow() throws {
    try withPane(width: 900, page: "today") { _, garden in
      waitFor("the chart") { garden.texts.contains("Your tree") }
      let scroller = try XCTUnwrap(
        garden.window.descendants.first { $0.isMapped && gtk_widget_has_css_class($0, "page-scroller") != 0 })
      @MainActor func edge() -> [UInt8]? {
        // The pixels of the first line, at the left of the content.
        pixels(of: scroller, areWhole: true).map { Array($0.prefix(4 * 12)) }
      }
      let before = edge()
      scroller.scroll(by: 60)
      waitFor("the shadow") { edge() != before }
      scroller.scroll(by: -60)
      waitFor("no shadow") { edge() == before }
    }
  }

  func testChoosingAViewFocusesItsContent() throws {
    try withPane(width: 900, page: "today") { pane, garden in
      // Each view twice: the second time, its rows are there already.
      for view in [Route.garden, .journal, .tree, .today, .journal, .garden, .today, .tree] {
        pane.open(view)
        waitFor("the content of \(view)") { isContent(garden.window.focusedWidget, of: view) }
        waitForFrames(3, of: garden.window)
        XCTAssertTrue(
          isContent(garden.window.focusedWidget, of: view),
          "\(view): \(garden.window.focusedWidget?.typeName ?? "nothing")")
      }
      let first = garden.window.focusedWidget
      pane.open(.tree)
      XCTAssertEqual(garden.window.focusedWidget, first)
    }
  }

  func testChoosingTodayAgainFocusesTheSameRow() throws {
    try withPane(width: 900, page: "today") { pane, garden in
      pane.open(.today)
      let first = try XCTUnwrap(garden.window.focusedWidget)
      pane.open(.today)
      XCTAssertEqual(garden.window.focusedWidget, first)
    }
  }

  func testInAGardenWithoutSproutsEachViewLeadsToTheFormForPlanting() throws {
    try withPane([], width: 900, page: "today") { pane, garden in
      for view in [Route.garden, .journal, .garden] {
        pane.open(view)
        waitFor("the button of \(view)") {
          garden.window.focusedWidget.map { garden.window.buttons("Plant Your First Sprout").contains($0) } == true
        }
        garden.press("Plant Your First Sprout")
        waitFor("the form") { garden.window.field("What will you grow?")?.containsFocus == true }
      }
      XCTAssertTrue(garden.dialogs.isEmpty)
    }
  }

  func testAViewThatIsChosenAgainFreesTheKeys() throws {
    try withPane(width: 900, page: "garden") { pane, garden in
      waitFor("the rows") { garden.titles.count > 1 }
      let field = try XCTUnwrap(garden.window.descendants.first { $0.typeName == "GtkText" && $0.isMapped })
      field.focus()
      XCTAssertEqual(garden.window.focusedWidget?.takesLetters, true)
      pane.open(.garden)
      waitFor("the list") { garden.window.focusedWidget?.takesLetters == false }
    }
  }

  private func withPane(
    _ events: [Event] = Seeds.demo, width: Int, height: Int = 800, page: String,
    _ body: @MainActor (GardenPane, GardenWindow) throws -> Void
  ) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(events, width: width, height: height)
      defer { garden.close() }
      let context = garden.context
      let pane = GardenPane(
        model: context.model, accountModel: context.accountModel, settings: context.settings,
        unsavedDrafts: context.unsavedDrafts, window: garden.window, foot: context.foot, page: page)
      pane.fit(width: width)
      garden.present(pane.widget)
      try body(pane, garden)
    }
  }
}

/// Whether this is a row of the view's list, or its picture.
@MainActor private func isContent(_ focused: Widget?, of view: Route) -> Bool {
  guard let focused, focused.isMapped else { return false }
  return switch view {
  case .garden, .journal: focused.typeName == "GtkListItemWidget"
  case .tree: focused.typeName == "GtkDrawingArea"
  default: ["GtkListBoxRow", "AdwActionRow", "AdwPreferencesRow"].contains(focused.typeName)
  }
}

@MainActor func place(of widget: Widget, in garden: GardenWindow) -> (x: Double, y: Double) {
  var (x, y): (Double, Double) = (0, 0)
  gtk_widget_translate_coordinates(widget, garden.window, 0, 0, &x, &y)
  return (x, y)
}

extension GardenWindow {
  /// The titles of the rows that are marked as open.
  fileprivate var openRows: [String] {
    lists.flatMap(\.descendants).filter { gtk_widget_has_css_class($0, "open") != 0 }.compactMap(\.shownTexts.first)
  }
}

extension Widget {
  fileprivate var shownText: String { String(cString: gtk_label_get_text(cast())) }
}

extension GardenWindow {
  /// Whether the page of a sprout is shown.
  @MainActor var hasPage: Bool { window.buttons("Export or Print…").contains(where: \.isMapped) }
}
