import CGtk
import Foundation
import GtkKit
import VectorGraphics
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// Outlines, states and the focus stand out from their surroundings.
final class ContrastTests: WidgetTestCase {
  func testOutlinesStatesAndTheFocusStandOut() throws {
    try inBothSchemes { scheme, widget in
      @MainActor func check(_ first: String, _ others: [String], _ least: Double) {
        for other in others {
          let contrast = widget.color(first).contrast(with: widget.color(other))
          XCTAssertGreaterThanOrEqual(contrast, least, "\(first) on \(other), \(scheme)")
        }
      }
      check("edge", ["ground", "paper"], 1.5)
      check("track", ["paper"], 1.5)
      check(YearCalendar.emptyDay, ["ground"], 1.5)
      check("wood", ["track", "hollow", "taken", "paper", "ground"], 3)
      check("ring", ["ground", "paper", "hollow", "taken", "water_tint", "sun_tint", "danger_tint"], 3)
      check("green", ["ground", "paper"], 3)
      for state in SyncLook.styles { check("sync_" + state, ["ground"], 3) }
      for ink in ["ink", "second", "faint"] { check(ink, ["ground", "paper"], 4.5) }
    }
  }

  private func inBothSchemes(_ body: @MainActor (String, Widget) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow()
      defer {
        StyleSheet.scheme = ADW_COLOR_SCHEME_DEFAULT
        window.close()
      }
      window.present(label("Trunk"))
      for (name, scheme) in [("light", ADW_COLOR_SCHEME_FORCE_LIGHT), ("dark", ADW_COLOR_SCHEME_FORCE_DARK)] {
        StyleSheet.scheme = scheme
        try body(name, window.window)
      }
    }
  }
}
