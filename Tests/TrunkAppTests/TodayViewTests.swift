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
      waitFor("all sections") { frames.last == all.count }
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

  func testTheChartWaitsForTwoWeeks() throws {
    try MainActor.assumeIsolated {
      for (days, isShown) in [(13.0, false), (15.0, true)] {
        let window = try GardenWindow([
          Seeds.event(
            .sproutPlanted(
              .init(
                sproutID: "sprout-1", twigID: "branch-0-twig-0", title: "Stairs", season: .oneMonth, environment: .firm,
                soilCost: 5, leafID: "leaf-1")), daysAgo: days, 1)
        ])
        defer { window.close() }
        window.present(TodayView(window.context).widget)
        XCTAssertEqual(window.headings.contains("Soil"), isShown, "after \(days) days")
        XCTAssertEqual(window.texts.contains("Capacity") && window.texts.contains("Available"), isShown)
      }
    }
  }

  func testTwoMemoriesOpenTheirEntriesAndALinkLeadsToTheRest() throws {
    try MainActor.assumeIsolated {
      // Three entries of a week ago, and one of a month ago.
      var events = Seeds.demo
      for (number, daysAgo) in [7.01, 7.02, 7.03, 31].enumerated() {
        events.append(
          Seeds.event(
            .sproutWatered(.init(sproutID: "sprout-run", content: "Memory \(number)", prompt: nil)), daysAgo: daysAgo,
            800 + number))
      }
      let window = try GardenWindow(events)
      defer { window.close() }
      var opened: [String] = []
      window.window.addAction("entry", target: { opened.append($0) })
      window.present(TodayView(window.context).widget)
      @MainActor func cards(_ window: Widget) -> [Widget] {
        window.descendants.filter { gtk_widget_has_css_class($0, "card-button") != 0 && gtk_widget_get_mapped($0) != 0 }
      }
      waitFor("the cards") { cards(window.window).count == 2 }
      press(cards(window.window)[0])
      XCTAssertEqual(opened.count, 1)
      window.press("2 more from this day")
      let all = try window.dialog("On This Day")
      XCTAssertEqual(cards(all).count, 4)
      press(cards(all)[3])
      waitFor("the end of the window") { window.dialogs.isEmpty }
      XCTAssertEqual(Set(opened).count, 2)
    }
  }

  func testTheNameIsAskedOnce() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(Seeds.demo)
      defer { window.close() }
      try window.context.settings.set(name: "")
      let question = NameQuestion(window.context)
      window.present(question.widget)
      XCTAssertTrue(window.texts.contains("What should the greeting call you?"))
      window.press("Not Now")
      waitFor("its end") { !question.widget.isVisible }
      XCTAssertEqual(window.context.accountModel.profile.name, "")
      XCTAssertFalse(NameQuestion(window.context).widget.isVisible)
      let other = try GardenWindow(Seeds.demo)
      defer { other.close() }
      try other.context.settings.set(name: "")
      let asked = NameQuestion(other.context)
      other.present(asked.widget)
      other.window.descendants.first { $0.typeName == "GtkEntry" }?.text = " Ada "
      other.press("Save Name")
      waitFor("the name") { other.context.accountModel.profile.name == "Ada" }
      waitFor("its end") { !asked.widget.isVisible }
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
