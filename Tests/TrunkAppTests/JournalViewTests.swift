import CGtk
import GtkKit
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
}
