import CGtk
import GtkKit
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class TodayViewTests: WidgetTestCase {
  func testANewGardenIsShownOneSectionPerFrame() throws {
    try MainActor.assumeIsolated {
      let old = try GardenWindow(Seeds.demo)
      defer { old.close() }
      old.present(TodayView(old.context).widget)
      let all = old.headings
      XCTAssertGreaterThan(all.count, 4, "a garden that was there is shown in the first frame")

      let window = try GardenWindow()
      defer { window.close() }
      window.present(TodayView(window.context).widget)
      XCTAssertEqual(window.headings, [])
      var frames: [Int] = []
      window.window.onFrame {
        frames.append(window.headings.count)
        return true
      }
      let model = window.context.model
      try awaited("the garden") { _ = try await model.importEvents(Seeds.demo) }
      turn(until: "all sections") { frames.last == all.count }
      XCTAssertEqual(window.headings, all)
      XCTAssertTrue(Set(frames).isSuperset(of: 1...4), "\(frames)")
    }
  }

  func testAReadySproutIsShownOnce() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(Seeds.demo)
      defer { window.close() }
      window.present(TodayView(window.context).widget)
      let model = window.context.model
      let ready = model.garden.ready(at: model.now).map(\.title)
      XCTAssertFalse(ready.isEmpty)
      let texts = window.texts
      for title in ready { XCTAssertEqual(texts.count { $0 == title }, 1, title) }
    }
  }
}

extension GardenWindow {
  /// The titles of the sections on the screen.
  fileprivate var headings: [String] {
    window.descendants.filter { gtk_widget_has_css_class($0, "section-title") != 0 && gtk_widget_get_mapped($0) != 0 }
      .map { String(cString: gtk_label_get_text($0.cast())) }
  }
}
