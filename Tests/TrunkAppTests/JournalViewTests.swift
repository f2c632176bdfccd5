import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class JournalViewTests: WidgetTestCase {
  func testAnEntryIsShownFromItsStart() throws {
    try MainActor.assumeIsolated {
      let long = Array(repeating: "The left hand knew the way.", count: 60).joined(separator: "\n")
      let made = [0.3, 0.2, 0.1].enumerated().map { number, daysAgo in
        Seeds.event(
          .sproutWatered(.init(sproutID: "sprout-run", content: long + " \(number)", prompt: nil)), daysAgo: daysAgo,
          900 + number)
      }
      let garden = try GardenWindow(Seeds.demo + made, height: 500)
      defer { garden.close() }
      let items = garden.context.model.garden.timeline(TimelineFilter()).filter(\.isEntry)
      let page = EntryPage(garden.context, items, at: 0) {}
      garden.present(page.widget)
      let scroller = try XCTUnwrap(page.widget.descendants.first { $0.typeName == "GtkScrolledWindow" })
      let adjustment = try XCTUnwrap(gtk_scrolled_window_get_vadjustment(scroller.cast()))
      waitFor("the text") { gtk_adjustment_get_upper(adjustment) > 1000 }
      scroller.scroll(by: 600)
      XCTAssertEqual(gtk_adjustment_get_value(adjustment), 600)
      let earlier = try XCTUnwrap(
        page.widget.descendants.first { gtk_widget_get_tooltip_text($0).map { String(cString: $0) } == "Earlier entry" }
      )
      press(earlier)
      waitFor("the start of the earlier entry") { gtk_adjustment_get_value(adjustment) == 0 }
    }
  }

  func testTheButtonsAreOnOneLineInANarrowWindow() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo, width: 360)
      defer { garden.close() }
      garden.present(JournalView(garden.context).widget)
      waitFor("the filters") { !garden.window.buttons("Harvest").isEmpty }
      let buttons = ["All", "Water", "Sun", "Harvest", "Filter…"].flatMap { garden.window.buttons($0) }
      XCTAssertEqual(buttons.count, 5)
      let middles = buttons.map { button in
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(button, garden.window, 0, Double(gtk_widget_get_height(button)) / 2, &x, &y)
        return y
      }
      XCTAssertLessThanOrEqual((middles.max() ?? 0) - (middles.min() ?? 0), 1, "\(middles)")
    }
  }

  func testAllRowsAppearAndStayWhenAnEntryIsAdded() throws {
    try MainActor.assumeIsolated {
      let entries = (1...50).map { number in
        Event(
          .sunShone(.init(twigID: "core.movement", twigLabel: "movement", content: "Entry \(number)", prompt: nil)),
          at: GardenWindow.now.adding(seconds: -86400 * Int64(number)), clientID: "entry-\(number)")
      }
      let garden = try GardenWindow(entries)
      defer { garden.close() }
      garden.present(JournalView(garden.context).widget)
      @MainActor func row(_ text: String) -> Widget? {
        garden.window.descendants.first {
          $0.typeName == "GtkLabel" && withoutIsolates(String(cString: gtk_label_get_text($0.cast()))) == text
        }
      }
      waitFor("the last row") { row("Entry 50") != nil }
      let older = row("Entry 30")
      let newest = Event(
        .sunShone(.init(twigID: "core.movement", twigLabel: "movement", content: "Entry 0", prompt: nil)),
        at: GardenWindow.now, clientID: "entry-0")
      try awaited("the new entry") { _ = try await garden.context.model.importEvents([newest]) }
      waitFor("the new row") { row("Entry 0") != nil }
      XCTAssertNotNil(older)
      XCTAssertEqual(row("Entry 30"), older, "a row of an equal line was replaced")
    }
  }
}
