import CGtk
import GtkKit
import TrunkModel
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
      XCTAssertGreaterThan(all.count, 3, "a garden that was there is shown in the first frame")

      let window = try GardenWindow()
      defer { window.close() }
      window.present(TodayView(window.context).widget)
      XCTAssertEqual(window.headings, [], "the form for planting")
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

  func testTheFirstDaysBringOnePartEach() throws {
    try MainActor.assumeIsolated {
      let parts: [(daysAgo: Double, headings: [String], meters: [String])] = [
        (0.1, ["Water", "Your tree"], []),
        (1, ["Water", "Yesterday you wrote", "Your tree"], ["Soil: ", "Water: "]),
        (3, ["Water", "Sun", "Your tree"], ["Soil: ", "Water: ", "Sun: "]),
      ]
      for (daysAgo, headings, meters) in parts {
        let window = try GardenWindow(TodayViewTests.cello(daysAgo: daysAgo, words: "In the hall. For a year."))
        defer { window.close() }
        window.present(TodayView(window.context).widget)
        waitFor("the parts after \(daysAgo) days") { window.headings == headings }
        let names = window.window.descendants.filter { gtk_widget_has_css_class($0, "meter") != 0 && $0.isMapped }
        XCTAssertEqual(names.count, meters.count, "after \(daysAgo) days")
        window.picture("today-\(Int(daysAgo))")
      }
    }
  }

  func testTheTextsOfTheSunBeginBelowThoseOfTheSprouts() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(TodayViewTests.cello(daysAgo: 3, words: "In the hall."))
      defer { window.close() }
      let view = TodayView(window.context)
      window.present(view.widget)
      @MainActor func start(_ text: String) throws -> Double {
        let label = window.window.descendants.first {
          $0.typeName == "GtkLabel" && $0.isMapped && String(cString: gtk_label_get_text($0.cast())) == text
        }
        return place(of: try XCTUnwrap(label), in: window).x
      }
      waitFor("the sun") { window.texts.contains("Let the light fall somewhere") }
      for isNarrow in [false, true] {
        view.isNarrow = isNarrow
        waitForFrames(3, of: view.widget)
        XCTAssertEqual(try start("Let the light fall somewhere"), try start("Cello"), accuracy: 1, "\(isNarrow)")
      }
    }
  }

  func testWhatWasWrittenTodayTakesThePlaceOfTheButton() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(TodayViewTests.cello(daysAgo: 0.1, words: nil))
      defer { window.close() }
      window.present(TodayView(window.context).widget)
      waitFor("the question") { window.texts.contains("A few words are plenty") }
      XCTAssertEqual(window.window.buttons("Water").filter(\.isMapped).count, 1)
      let question = try XCTUnwrap(window.window.descendants.first { gtk_widget_has_css_class($0, "asks") != 0 })
      gtk_widget_activate(question)
      XCTAssertEqual(window.commands, ["water::sprout-1"])
      try awaited("the watering") { [model = window.context.model] in
        try await model.water("sprout-1", text: "The case stood in the hall. For a year.", question: nil)
      }
      waitFor("the words") { window.texts.contains("“The case stood in the hall. For a year.”") }
      XCTAssertTrue(window.window.buttons("Water").filter(\.isMapped).isEmpty)
      XCTAssertFalse(window.texts.contains("A few words are plenty"))
    }
  }

  func testTheGreetingOfTheFirstDayEndsInTheName() throws {
    try MainActor.assumeIsolated {
      for (daysAgo, name, isAsked) in [(0.1, "", true), (0.1, "Bo", false), (1, "", false)] {
        let window = try GardenWindow(TodayViewTests.cello(daysAgo: daysAgo, words: nil))
        defer { window.close() }
        try window.context.settings.set(name: name)
        window.present(TodayView(window.context).widget)
        let field = window.window.descendants.first { $0.typeName == "GtkEntry" && $0.isMapped }
        XCTAssertEqual(field != nil, isAsked, "\(daysAgo) \(name)")
        guard let field else { continue }
        XCTAssertTrue(window.texts.contains { $0.hasSuffix(",") }, "the greeting is one sentence")
        field.text = " Ada "
        field.focus()
        window.window.clearFocus()
        waitFor("the name") { window.context.accountModel.profile.name == "Ada" }
        waitFor("the greeting") { !field.isMapped && window.texts.contains { $0.hasSuffix(", Ada") } }
      }
    }
  }

  func testTheLimbOfTheLatestActOpensIt() throws {
    try MainActor.assumeIsolated {
      let window = try GardenWindow(TodayViewTests.cello(daysAgo: 3, words: nil))
      defer { window.close() }
      let view = TodayView(window.context)
      window.present(view.widget)
      let link = try XCTUnwrap(window.window.descendants.first { gtk_widget_has_css_class($0, "tree-link") != 0 })
      waitForFrames(3, of: link)
      let limb = pixels(of: link)
      press(link)
      XCTAssertEqual(window.commands, ["branch::2"])
      XCTAssertTrue(window.texts.contains("Voice"))
      XCTAssertNotNil(limb)
      try awaited("the watering") { [model = window.context.model] in
        try await model.water("sprout-1", text: "A word", question: nil)
      }
      waitFor("another leaf") { pixels(of: link) != limb }
      view.width = 1200
      waitFor("the whole tree") { link.shownHeight > 400 && !window.texts.contains("Voice") }
      let least = link.shownHeight
      view.width = 1500
      waitFor("a larger tree in a wider window") { link.shownHeight > least + 80 }
    }
  }

  func testHopesAreAskedForOnTheThirdDayUntilDismissed() throws {
    try MainActor.assumeIsolated {
      let question = "How will you know that it grew?"
      for daysAgo in [1.0, 3] {
        let other = try GardenWindow(TodayViewTests.cello(daysAgo: daysAgo, words: nil))
        defer { other.close() }
        other.present(TodayView(other.context).widget)
        XCTAssertFalse(other.texts.contains(question), "after \(daysAgo) days")
      }
      let window = try GardenWindow(TodayViewTests.cello(daysAgo: 2, words: nil))
      defer { window.close() }
      window.present(TodayView(window.context).widget)
      waitFor("the question") { window.texts.contains(question) }
      window.press("Write It Down")
      let dialog = try window.dialog("Edit the Sprout")
      XCTAssertEqual(dialog.field("Withering")?.containsFocus, true)
      gtk_window_destroy(dialog.cast())
      window.press("Not Now")
      waitFor("its end") { !window.texts.contains(question) }
      window.present(TodayView(window.context).widget)
      XCTAssertFalse(window.texts.contains(question))
    }
  }

  func testAWideWindowHasTheTreeBesideWhatIsToDo() throws {
    try withDemo(TodayView.init, width: 1500) { window, view in
      let heading = try XCTUnwrap(
        window.window.descendants.first {
          $0.typeName == "GtkLabel" && String(cString: gtk_label_get_text($0.cast())) == "Your tree"
        })
      waitFor("the layout") { place(of: heading, in: window).x > 700 }
      view.width = 900
      waitFor("one column") { place(of: heading, in: window).x < 600 }
    }
  }

  /// A sprout, and what was written about it on the day after its planting or, on the first days, on that day.
  private static func cello(daysAgo: Double, words: String?) -> [Event] {
    let planted = Seeds.event(
      .sproutPlanted(
        .init(
          sproutID: "sprout-1", twigID: "branch-2-twig-0", title: "Cello", season: .oneMonth, environment: .fertile,
          soilCost: 3, leafID: "leaf-1")), daysAgo: daysAgo, 1)
    let watered = words.map {
      Seeds.event(.sproutWatered(.init(sproutID: "sprout-1", content: $0, prompt: nil)), daysAgo: daysAgo - 0.05, 2)
    }
    return [planted] + (watered.map { [$0] } ?? [])
  }
}

extension GardenWindow {
  /// The titles of the sections on the screen.
  fileprivate var headings: [String] {
    window.descendants.filter { gtk_widget_has_css_class($0, "section-title") != 0 && gtk_widget_get_mapped($0) != 0 }
      .map { String(cString: gtk_label_get_text($0.cast())) }
  }
}
