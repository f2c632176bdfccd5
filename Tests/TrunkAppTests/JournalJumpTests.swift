import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// Jumps in a journal that is longer than what the list reads at once.
final class JournalJumpTests: WidgetTestCase {
  func testAJumpReadsOnlyAPageAndTheListGoesOnInBothDirections() throws {
    try withLongJournal(400) { garden, view, list in
      try garden.jump(to: 300, view, list)
      let row = try XCTUnwrap(list.children.first { $0.shownTexts.contains("Entry 300") })
      XCTAssertTrue(row.containsFocus)
      waitFor("the newest entry") {
        view.scroll(by: -600)
        return garden.texts.contains("Entry 1")
      }
      waitFor("the oldest entry") {
        view.scroll(by: 600)
        return garden.texts.contains("Entry 400")
      }
      XCTAssertEqual(length(of: list), 400 + 13, "entries or headings of months are missing or occur twice")
    }
  }

  func testHomeAndEndLeadToTheEndsOfTheJournal() throws {
    try withLongJournal(400) { garden, view, list in
      view.focusList()
      type("key", "End", into: "The journal")
      waitFor("the oldest entry") { garden.texts.contains("Entry 400") }
      XCTAssertLessThan(length(of: list), 100, "more than a page was read")
      type("key", "Home", into: "The journal")
      waitFor("the newest entry") { garden.texts.contains("Entry 1") }
    }
  }

  func testTheListStaysInAnOldYearWhenAnEntryIsAdded() throws {
    try withLongJournal(400) { garden, view, list in
      try garden.jump(to: 300, view, list)
      let count = length(of: list)
      let newest = Seeds.reflection(daysAgo: 0)
      try awaited("the new entry") { _ = try await garden.context.model.importEvents([newest]) }
      waitForFrames(of: list)
      XCTAssertEqual(length(of: list), count)
      waitFor("the same place") { isAtTop("Entry 300", of: list) }
      let back = try XCTUnwrap(garden.descendants(tip: "Back to the newest entry").first)
      XCTAssertTrue(back.isMapped)
      press(back)
      waitFor("the new entry") { garden.texts.contains("Entry 0") }
      waitFor("its month") { garden.texts.contains("November 2026") }
      XCTAssertFalse(back.isMapped)
    }
  }

  func testTheKeysMoveOverTheHeadingsOfMonths() throws {
    try withLongJournal(100) { garden, view, list in
      @MainActor func row(_ number: Int) -> Widget? {
        list.children.first { $0.shownTexts.contains("Entry \(number)") }
      }
      @MainActor func press(_ keys: String..., leadsTo number: Int) {
        for key in keys { type("key", key, into: "The journal") }
        waitFor("the focus on \(number) after \(keys)") { row(number)?.containsFocus == true }
      }
      waitFor("all lines") { length(of: list) >= 60 }
      view.focusList()
      XCTAssertEqual(row(1)?.containsFocus, true, "the first entry, and not its month, has the focus")
      // The 1st of November, and the 31st of October.
      try garden.jump(to: 20, view, list, lines: 60)
      press("Down", leadsTo: 21)
      press("Up", leadsTo: 20)
      press("Page_Down", "Page_Up", leadsTo: 20)
      press("Home", leadsTo: 1)
      waitFor("the first entry") { isAtTop("Entry 1", of: list) }
      XCTAssertEqual(list.children.filter { $0.isFocusable && $0.shownTexts.count == 1 }, [])
    }
  }

  private func withLongJournal(
    _ count: Int, _ body: @MainActor (GardenWindow, JournalView, _ list: Widget) throws -> Void
  ) throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow((1...count).map(Seeds.reflection(daysAgo:)))
      defer { garden.close() }
      gtk_window_set_title(garden.window.cast(), "The journal")
      let view = JournalView(garden.context)
      garden.present(view.widget)
      waitFor("the rows") { garden.texts.contains("Entry 1") }
      try body(garden, view, try XCTUnwrap(garden.lists.first))
    }
  }
}

extension Seeds {
  /// A reflection with the text `Entry` and the number of days ago.
  static func reflection(daysAgo: Int) -> Event {
    Event(
      .sunShone(.init(twigID: "core.movement", twigLabel: "movement", content: "Entry \(daysAgo)", prompt: nil)),
      at: GardenWindow.now.adding(seconds: -86400 * Int64(daysAgo)), clientID: "entry-\(daysAgo)")
  }
}

extension GardenWindow {
  /// Jumps to the entry of a day, and waits until the lines around it are in the list.
  fileprivate func jump(to daysAgo: Int, _ view: JournalView, _ list: Widget, lines: Int = 90) throws {
    view.jump(to: Zone.utc.dayKey(GardenWindow.now).adding(days: -Int32(daysAgo)))
    waitFor("the day") { self.texts.contains("Entry \(daysAgo)") }
    waitFor("the page") { length(of: list) >= lines }
    waitFor("the day at the top") { isAtTop("Entry \(daysAgo)", of: list) }
    waitForFrames(of: list)
    XCTAssertLessThan(length(of: list), 100, "more than a page was read")
  }
}

/// The number of lines that a list has, also of those that are out of sight.
@MainActor private func length(of list: Widget) -> Int {
  Int(g_list_model_get_n_items(gtk_list_view_get_model(list.cast())))
}

/// Whether the row with a text begins at the top of the list, apart from its padding.
@MainActor func isAtTop(_ text: String, of list: Widget) -> Bool {
  guard let row = list.children.first(where: { $0.shownTexts.contains(text) }) else { return false }
  var (x, y) = (0.0, 0.0)
  return gtk_widget_translate_coordinates(row, list, 0, 0, &x, &y) != 0 && abs(y) <= 16
}
