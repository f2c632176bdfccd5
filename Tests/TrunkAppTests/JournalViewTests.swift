import CGtk
import GtkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class JournalViewTests: WidgetTestCase {
  func testTheButtonsAreOnOneLineInANarrowWindow() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow(Seeds.demo, width: 360)
      defer { garden.close() }
      garden.present(JournalView(garden.context).widget)
      turn(until: "the filters") { !garden.window.buttons("Harvest").isEmpty }
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
      turn(until: "the last row") { row("Entry 50") != nil }
      let older = row("Entry 30")
      let newest = Event(
        .sunShone(.init(twigID: "core.movement", twigLabel: "movement", content: "Entry 0", prompt: nil)),
        at: GardenWindow.now, clientID: "entry-0")
      try awaited("the new entry") { _ = try await garden.context.model.importEvents([newest]) }
      turn(until: "the new row") { row("Entry 0") != nil }
      XCTAssertNotNil(older)
      XCTAssertEqual(row("Entry 30"), older, "a row of an equal line was replaced")
    }
  }
}
