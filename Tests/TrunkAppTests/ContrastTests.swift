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
      check("track", ["paper", "marked"], 1.5)
      check("wood", ["track", "hollow", "taken", "paper", "ground"], 3)
      check("ring", ["ground", "paper", "hollow", "taken", "water_tint", "sun_tint", "danger_tint"], 3)
      check("green", ["ground", "paper"], 3)
      for state in SyncLook.styles { check("sync_" + state, ["ground"], 3) }
      for ink in ["ink", "second", "faint"] { check(ink, ["ground", "paper", "marked"], 4.5) }
      for edge in ["water_edge", "sun_edge", "danger_edge"] { check(edge, ["ground", "paper"], 1.5) }
      for (ink, tint) in [("water_ink", "water_tint"), ("sun_ink", "sun_tint"), ("danger", "danger_tint")] {
        check(ink, [tint], 4.5)
      }
    }
  }

  /// As they are drawn, with whatever the style sheet does to them.
  func testWhatIsOverAndTheOpenRowCanBeRead() throws {
    try inBothSchemes { scheme, window in
      let quiet = column(label("████", "hint"), label("████", "semibold")).css("spent")
      let mark = RowMark<String>("open")
      mark.mark { _ in true }
      let list = listView(
        ListStore(["████"]), name: "Rows", row: { HintRow() }, activate: { _ in }, marks: [mark])
      adw_application_window_set_content(window.cast(), column(quiet, scrolled(list).vexpand()))
      waitFor("the row") { list.children.contains { $0.isMapped && $0.width > 0 } }
      let row = try XCTUnwrap(list.children.first { $0.isMapped })
      for words in quiet.children {
        let ink = try color(of: words, at: (8, words.shownHeight / 2), on: window.color("ground"))
        XCTAssertGreaterThanOrEqual(ink.contrast(with: window.color("ground")), 4.5, "what is over, \(scheme)")
      }
      let words = try XCTUnwrap(row.descendants.first { $0.typeName == "GtkLabel" })
      let ground = try color(of: row, at: (row.width - 8, row.shownHeight / 2), on: window.color("paper"))
      XCTAssertNotEqual(ground, window.color("paper"), "the row is marked")
      let ink = try color(of: words, at: (8, words.shownHeight / 2), on: ground)
      XCTAssertGreaterThanOrEqual(ink.contrast(with: ground), 4.5, "the open row, \(scheme)")
    }
  }

  func testTheWaterButtonStandsOutInItsDialog() throws {
    try inBothSchemes { scheme, window in
      let water = button("Water", "water") {}
      adw_application_window_set_content(window.cast(), column(water.margin(20)))
      waitFor("the button") { water.width > 0 }
      let edge = try color(of: water, at: (0, water.shownHeight / 2), on: window.color("ground"))
      XCTAssertGreaterThanOrEqual(edge.contrast(with: window.color("ground")), 1.5, scheme)
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

@MainActor private final class HintRow: ListRow {
  let widget = label("", "hint")

  func show(_ item: String) -> String {
    widget.setText(item)
    return item
  }
}

/// The colour of a pixel of a widget that is drawn on a ground.
@MainActor private func color(of widget: Widget, at place: (x: Int, y: Int), on ground: Color) throws -> Color {
  let bytes = try XCTUnwrap(pixels(of: widget, areWhole: true))
  let start = 4 * (place.y * widget.width + place.x)
  // The bytes of a pixel are blue, green, red and alpha, multiplied by alpha.
  let parts = bytes[start..<start + 4].map { Double($0) / 255 }
  let rest = 1 - parts[3]
  return Color(
    red: parts[2] + ground.red * rest, green: parts[1] + ground.green * rest, blue: parts[0] + ground.blue * rest)
}
