import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// The small movements after an action.
final class MotionTests: WidgetTestCase {
  func testAUsedDropFallsAndTheSunsLightGoesOut() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow()
      defer { window.close() }
      let (drops, sun) = (Drops(filled: 3), SunDisc(isReady: true))
      window.present(column(drops.widget, sun.widget))
      let before = pixels(of: drops.widget)
      for (move, shown, start, end) in movements(drops, sun) {
        let values = window.values(of: shown, during: move, until: end)
        XCTAssertTrue(values.contains { $0 != start && $0 != end }, "it moves: \(values)")
        XCTAssertEqual(values.last, end)
      }
      XCTAssertNotEqual(pixels(of: drops.widget), before)
      XCTAssertLessThanOrEqual(GradualValue.duration, 400)
    }
  }

  func testWithReducedMotionNothingMoves() throws {
    try MainActor.assumeIsolated {
      setAnimations(false)
      defer { setAnimations(true) }
      let window = try GardenWindow()
      defer { window.close() }
      let (drops, sun) = (Drops(filled: 3), SunDisc(isReady: true))
      window.present(column(drops.widget, sun.widget))
      for (move, shown, _, end) in movements(drops, sun) {
        move()
        XCTAssertEqual(shown(), end)
      }
    }
  }

  func testTheSoilMovesWhenASproutIsWatered() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(Seeds.demo)
      defer { window.close() }
      window.present(Meters(window.context).widget)
      let model = window.context.model
      let bar = try XCTUnwrap(window.window.descendants.first { $0.typeName == "GtkProgressBar" })
      func fraction() -> Double { gtk_progress_bar_get_fraction(bar.cast()) }
      let before = fraction()
      var values: [Double] = []
      bar.onFrame {
        values.append(fraction())
        return true
      }
      try awaited("the watering") { try await model.water("sprout-prelude", text: "Bar nine", question: nil) }
      let after = model.garden.available / model.garden.capacity
      waitFor("the end") { fraction() == after }
      XCTAssertTrue(values.contains { $0 > before && $0 < after }, "\(values)")
    }
  }

  func testAMeterMovesOnceWhenItChanges() throws {
    try MainActor.assumeIsolated {
      for isReduced in [false, true] {
        setAnimations(!isReduced)
        defer { setAnimations(true) }
        let window = try GardenWindow(Seeds.demo)
        defer { window.close() }
        window.present(Meters(window.context).widget)
        @MainActor func grown() -> [Widget] {
          window.window.descendants.filter {
            gtk_widget_has_css_class($0, "meter") != 0 && gtk_widget_has_css_class($0, "grew") != 0
          }
        }
        XCTAssertEqual(grown(), [])
        let usual = try XCTUnwrap(
          window.window.descendants.first { gtk_widget_has_css_class($0, "meter") != 0 }.map(shownHeight(of:)))
        var (most, growth) = (0, 0.0)
        window.window.onFrame {
          most = max(most, grown().count)
          growth = grown().map { shownHeight(of: $0) / usual }.reduce(growth, max)
          return true
        }
        try awaited("the watering") { [model = window.context.model] in
          try await model.water("sprout-prelude", text: "Bar nine", question: nil)
        }
        // Water and soil.
        if !isReduced { waitFor("the movement") { most == 2 } }
        waitFor("its end") { grown().isEmpty && window.context.model.garden.waterLeft(at: GardenWindow.now) == 1 }
        XCTAssertEqual(most, isReduced ? 0 : 2)
        // By the style sheet.
        XCTAssertEqual(growth > 1.01, !isReduced, "\(growth)")
      }
    }
  }

  func testTheStyleSheetsMovementsAreShort() throws {
    let sheet = try String(contentsOfFile: "data/style.css", encoding: .utf8)
    let movements = sheet.matches(of: /animation: [a-z-]+ ([0-9]+)(ms|s) [a-z-]+( infinite)?;/)
    XCTAssertGreaterThanOrEqual(movements.count, 3)
    // A movement that lasts while something is busy isn't the response to an action.
    for movement in movements where movement.output.3 == nil {
      XCTAssertEqual(movement.output.2, "ms", "\(movement.output.0)")
      XCTAssertLessThanOrEqual(Int(movement.output.1) ?? .max, 400, "\(movement.output.0)")
    }
  }

  func testARowAppearsWhenItsSproutIsPlanted() throws {
    try MainActor.assumeIsolated {
      for isReduced in [false, true] {
        setAnimations(!isReduced)
        defer { setAnimations(true) }
        // Without the others, there is soil for another sprout.
        let events = Seeds.demo.filter { event in
          guard case .sproutPlanted(let planting) = event.payload else { return true }
          return planting.sproutID == "sprout-letter"
        }
        let window = try GardenWindow(events)
        defer { window.close() }
        let (view, garden) = (TodayView(window.context), GardenView(window.context))
        window.present(line(view.widget.hexpand(), garden.widget.hexpand()))
        waitFor("the rows") { window.titles.count == 1 && window.texts.contains("Your tree") }
        try awaited("the planting") { [model = window.context.model] in
          var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 1))
          form.title = "Sleep well"
          _ = try await model.plant(form)
        }
        waitFor("both rows") { window.texts.filter { $0 == "Sleep well" }.count >= 2 }
        let rows = window.window.descendants.filter { gtk_widget_has_css_class($0, "sprouted") != 0 }
        XCTAssertEqual(rows.map(\.typeName).sorted(), isReduced ? [] : ["AdwPreferencesRow", "GtkListItemWidget"])
        guard let row = rows.first else { continue }
        let during = pixels(of: row)
        waitFor("the end") { gtk_widget_has_css_class(row, "sprouted") == 0 }
        XCTAssertNotEqual(during, pixels(of: row), "the style sheet has a movement for it")
      }
    }
  }
}

/// The height of a widget with the transformation of its style, in pixels.
@MainActor private func shownHeight(of widget: Widget) -> Double {
  var bounds = graphene_rect_t()
  guard let parent = widget.parent, gtk_widget_compute_bounds(widget, parent, &bounds) != 0 else { return 0 }
  return Double(bounds.size.height)
}

private typealias Movement = (move: () -> Void, shown: () -> Double, start: Double, end: Double)

@MainActor private func movements(_ drops: Drops, _ sun: SunDisc) -> [Movement] {
  [
    ({ drops.filled = 2 }, { drops.level.shown }, 3, 2), ({ sun.isReady = false }, { sun.light.shown }, 1, 0),
  ]
}

extension GardenWindow {
  /// Returns the value that is shown in each frame, from the start of a movement to its end.
  fileprivate func values(of shown: @escaping () -> Double, during move: () -> Void, until end: Double) -> [Double] {
    var values: [Double] = []
    window.onFrame {
      values.append(shown())
      return values.last != end
    }
    move()
    waitFor("the end of the movement") { values.last == end }
    return values
  }
}
