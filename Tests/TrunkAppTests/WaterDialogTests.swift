import CGtk
import FakeInputMethod
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class WaterDialogTests: WidgetTestCase {
  func testTypedTextIsRestoredAfterReopening() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      WaterDialog(fixture.context).present()
      guard let first = window("Water") else { return }
      waitFor("a question") { first.questions.count == 1 }
      let asked = first.questions
      first.textViews.first?.typed = "Slow bow,\nless arm <b>&"
      // Immediately, before the delayed save.
      gtk_window_close(first.cast())
      waitFor("the draft") { fixture.draft(.water, about: id) == "Slow bow,\nless arm <b>&" }
      WaterDialog(fixture.context).present()
      guard let second = window("Water") else { return }
      waitFor("the text") { second.textViews.first?.typed == "Slow bow,\nless arm <b>&" }
      waitFor("its question") { second.questions == asked }
      XCTAssertEqual(fixture.model.garden.waterLeft(at: fixture.model.now), 3)
      fixture.close()
    }
  }

  private static let longText = (1...14)
    .map { "Line \($0) about the cello and the evening light on the floor, which I liked a lot today." }
    .joined(separator: "\n")

  /// The lowest line of a widget in a window, in pixels from its top.
  @MainActor private static func bottom(of widget: Widget, in window: Widget) -> Double {
    var bounds = graphene_rect_t()
    guard gtk_widget_compute_bounds(widget, window, &bounds) != 0 else { return .infinity }
    return Double(bounds.origin.y + bounds.size.height)
  }

  @MainActor private static func openWithThreeSprouts() -> (DialogFixture, dialog: Widget)? {
    guard let fixture = DialogFixture() else { return nil }
    for number in 0..<3 { fixture.plant("Sprout \(number)", on: "VOICE/practice", season: .twoWeeks) }
    WaterDialog(fixture.context).present()
    guard let dialog = window("Water") else { return nil }
    waitFor("the questions") { dialog.questions.count == 3 }
    return (fixture, dialog)
  }

  func testTheLineThatIsWrittenAndItsButtonStayInSight() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      fixture.plant("Learn the cello prelude", on: "VOICE/practice")
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water"), let view = dialog.textViews.first else { return }
      waitFor("the question") { dialog.questions.count == 1 }
      waitForFrames(of: dialog)
      let before = dialog.shownHeight
      view.typed = WaterDialogTests.longText
      waitFor("a higher window") { dialog.shownHeight > before + 100 }
      guard let button = dialog.buttons("Water").first, let area = view.parent else { return XCTFail("no button") }
      waitFor("the button") { WaterDialogTests.bottom(of: button, in: dialog) <= Double(dialog.shownHeight) - 20 }
      waitFor("the last line") { WaterDialogTests.bottom(of: area, in: dialog) <= Double(dialog.shownHeight) - 40 }
      fixture.close()
    }
  }

  func testTheLineThatIsWrittenStaysInSightAmongOthers() {
    MainActor.assumeIsolated {
      guard let (fixture, dialog) = WaterDialogTests.openWithThreeSprouts() else { return }
      waitForFrames(of: dialog)
      for view in dialog.textViews {
        view.focus()
        view.typed = WaterDialogTests.longText
        guard let area = view.parent else { return XCTFail("no area") }
        waitFor("the last line") { WaterDialogTests.bottom(of: area, in: dialog) <= Double(dialog.shownHeight) - 40 }
      }
      fixture.close()
    }
  }

  func testTheDayThatEndsWithLongTextsFitsItsWindow() {
    MainActor.assumeIsolated {
      guard let (fixture, dialog) = WaterDialogTests.openWithThreeSprouts() else { return }
      for left in [2, 1, 0] {
        waitFor("a text") { dialog.textViews.count == left + 1 }
        dialog.textViews.first?.typed = WaterDialogTests.longText
        waitForFrames(of: dialog)
        dialog.press("Water")
      }
      let isFirstLine = { (text: String) in text.hasPrefix("“Line 1 about") }
      waitFor("the words") { dialog.textViews.isEmpty && dialog.shownTexts.contains(where: isFirstLine) }
      waitForFrames(of: dialog)
      picture(dialog, "last-watering-long")
      let labels = dialog.descendants.filter { $0.typeName == "GtkLabel" && gtk_widget_get_mapped($0) != 0 }
      let isQuoted = { (label: Widget) in String(cString: gtk_label_get_text(label.cast())).contains("“Line 1 about") }
      guard let words = labels.first(where: isQuoted) else { return XCTFail("no words") }
      waitFor("the words in sight") { WaterDialogTests.bottom(of: words, in: dialog) <= Double(dialog.shownHeight) }
      XCTAssertGreaterThan(WaterDialogTests.bottom(of: words, in: dialog), 150, "no room for the limb")
      fixture.close()
    }
  }

  func testAWateredGardenSaysWhenItCanBeWateredAgain() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      XCTAssertNil(WaterDialog.nothingToDo(fixture.context), "an empty garden has a separate page")
      let ids = (0..<4).map { fixture.plant("Sprout \($0)", on: "VOICE/practice", season: .twoWeeks) }
      XCTAssertNil(WaterDialog.nothingToDo(fixture.context))
      ids.prefix(3).forEach { fixture.water($0, "x") }
      XCTAssertEqual(
        WaterDialog.nothingToDo(fixture.context), "The water is used up for today. It returns tomorrow at 06:00.")
      fixture.advance(days: 1)
      _ = result { [model = fixture.model] in try await model.uproot(ids[3], creatingSeedling: false) }
      ids.prefix(3).forEach { fixture.water($0, "x") }
      XCTAssertEqual(
        WaterDialog.nothingToDo(fixture.context),
        "Everything is watered today. You can water again tomorrow at 06:00.")
      fixture.close()
    }
  }

  func testTheDialogKeepsItsSizeWhileSproutsAreWatered() {
    MainActor.assumeIsolated {
      guard let (fixture, dialog) = WaterDialogTests.openWithThreeSprouts() else { return }
      waitForFrames(of: dialog)
      let size = [dialog.width, dialog.shownHeight]
      for left in [2, 1] {
        dialog.textViews.first?.typed = "A line"
        dialog.press("Water")
        waitFor("\(left) texts") { dialog.textViews.count == left }
        waitForFrames(of: dialog)
        XCTAssertEqual([dialog.width, dialog.shownHeight], size)
      }
      fixture.close()
    }
  }

  func testATextAreaGrowsWithItsText() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      fixture.plant("Learn the cello prelude", on: "VOICE/practice")
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water"), let view = dialog.textViews.first else { return }
      waitFor("the layout") { view.shownHeight > 0 }
      let before = view.shownHeight
      view.typed = Array(repeating: "A line", count: 8).joined(separator: "\n")
      waitFor("a larger field") { view.shownHeight > before + 40 }
      view.typed = Array(repeating: "A line", count: 80).joined(separator: "\n")
      // From here on, it scrolls.
      let frame = view.parent
      waitFor("the largest field") { (frame?.shownHeight ?? 0) >= 300 }
      XCTAssertLessThanOrEqual(frame?.shownHeight ?? 0, 340)
      fixture.close()
    }
  }

  /// GTK scrolls to the line that is written before the field has grown.
  func testAGrowingTextAreaShowsItsFirstLine() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      fixture.plant("Learn the cello prelude", on: "VOICE/practice")
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water"), let view = dialog.textViews.first,
        let scroll = view.parent.flatMap({ gtk_scrolled_window_get_vadjustment($0.cast()) })
      else { return }
      waitFor("the layout") { view.shownHeight > 0 }
      let line = "Forty pages before tea, with the rain on the window. "
      for count in 1...9 {
        type("type", line, into: "Water")
        waitFor("line \(count)") { view.typed == String(repeating: line, count: count) }
        waitForFrames(of: dialog)
        waitFor("the first of \(count) lines") {
          gtk_adjustment_get_value(scroll) == 0
            && gtk_adjustment_get_page_size(scroll) == Double(gtk_widget_get_height(view))
        }
      }
      fixture.close()
    }
  }

  func testAReadySproutIsWateredOnlyOnRequest() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let ready = fixture.plant("Stretch", on: "CORE/movement", season: .twoWeeks, daysAgo: 20)
      let growing = fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 2)
      @MainActor func texts(first: String? = nil) -> [String] {
        WaterDialog(fixture.context, first: first).present()
        guard let dialog = window("Water") else { return [] }
        defer { gtk_window_destroy(dialog.cast()) }
        return dialog.shownTexts.filter { ["Stretch", "Learn the cello prelude"].contains($0) }
      }
      XCTAssertEqual(texts(), ["Learn the cello prelude", "Stretch"], "what needs water comes first")
      fixture.water(growing, "Bar nine")
      let reason = "Everything is watered today. You can water again tomorrow at 06:00."
      XCTAssertEqual(WaterDialog.nothingToDo(fixture.context), reason)
      XCTAssertNil(WaterDialog.nothingToDo(fixture.context, first: ready))
      XCTAssertEqual(texts(first: ready), ["Stretch"])
      fixture.close()
    }
  }

  func testTheQuestionsStayForTheDay() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      fixture.plant("A letter every week", on: "BACK/connection", daysAgo: 29)
      @MainActor func asked(_ change: (Widget) -> Void = { _ in }) -> [String] {
        WaterDialog(fixture.context).present()
        guard let dialog = window("Water") else { return [] }
        waitFor("the questions") { dialog.questions.count == 2 }
        change(dialog)
        let questions = dialog.questions
        gtk_window_close(dialog.cast())
        waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
        return questions
      }
      let first = asked()
      XCTAssertEqual(asked(), first)
      let changed = asked { dialog in
        guard
          let other = dialog.descendants.first(where: {
            gtk_widget_get_tooltip_text($0) != nil
              && String(cString: gtk_widget_get_tooltip_text($0)) == "Another question"
          })
        else { return XCTFail("no button") }
        WidgetTestSupport.press(other)
      }
      XCTAssertNotEqual(changed, first)
      XCTAssertEqual(asked(), changed, "also one that was chosen")
      fixture.advance(days: 1)
      XCTAssertNotEqual(asked(), changed)
      fixture.close()
    }
  }

  func testAClosedDialogIsReleased() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      fixture.plant("Learn the cello prelude", on: "VOICE/practice")
      let before = liveHandlerCount
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      waitFor("a question") { !dialog.questions.isEmpty }
      gtk_window_close(dialog.cast())
      // One handler is that of the wait itself.
      waitFor("the end of its handlers") { liveHandlerCount <= before + 1 }
      fixture.close()
    }
  }

  func testTypedTextIsSavedWhenTheProgramEnds() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice")
      WaterDialog(fixture.context).present()
      window("Water")?.textViews.first?.typed = "Half a sen"
      fixture.context.window.closeDialogs()
      XCTAssertEqual(fixture.dialogs.count, 0)
      waitFor("the draft") { fixture.draft(.water, about: id) == "Half a sen" }
      fixture.close()
    }
  }

  func testTypedTextIsSavedWithoutClosing() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice")
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      let view = dialog.textViews.first
      waitFor("a question") { !dialog.questions.isEmpty }
      view?.typed = "a"
      view?.typed = "ab"
      waitFor("the draft") { fixture.draft(.water, about: id) == "ab" }
      fixture.close()
    }
  }

  func testCtrlEnterWatersAndMovesOn() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let first = fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      let second = fixture.plant("A letter every week", on: "BACK/connection", daysAgo: 29)
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      let views = dialog.textViews
      XCTAssertEqual(views.count, 2)
      waitFor("questions") { dialog.questions.count == 2 }
      XCTAssertNotEqual(dialog.questions[0], dialog.questions[1])
      let question = dialog.questions[0]
      views[0].typed = "Slow bow"
      type("keydown", "ctrl", "keydown", "Return", into: "Water")
      waitFor("the first entry") { fixture.entries(of: first).count == 1 }
      XCTAssertEqual(fixture.entries(of: first).first?.text, "Slow bow")
      XCTAssertEqual(fixture.entries(of: first).first?.question, question)
      XCTAssertNil(fixture.draft(.water, about: first))
      waitFor("the second text has the focus") { gtk_widget_has_focus(views[1]) != 0 }
      // Held until the keyboard has repeated it many times.
      type("sleep", "1.2", "keyup", "Return", "keyup", "ctrl", into: "Water")
      fixture.finishWriting()
      XCTAssertTrue(fixture.entries(of: second).isEmpty)
      views[1].typed = "Who is it?"
      type("key", "ctrl+Return", into: "Water")
      waitFor("the second entry") { fixture.entries(of: second).count == 1 }
      close(dialog, after: "“Who is it?”", in: fixture)
      XCTAssertEqual(fixture.model.garden.waterLeft(at: fixture.model.now), 1)
      XCTAssertEqual(fixture.entries(of: first).count, 1)
      fixture.close()
    }
  }

  func testAnEntryCanBeForYesterdayUntilNoon() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water"), let area = dialog.textViews.first, let box = dialog.checkBox else {
        return XCTFail("no dialog with a box")
      }
      XCTAssertTrue(gtk_widget_get_mapped(box) != 0)
      XCTAssertFalse(box.isChecked)
      box.isChecked = true
      area.typed = "It was late"
      type("key", "ctrl+Return", into: "Water")
      waitFor("the entry") { fixture.entries(of: id).count == 1 }
      XCTAssertEqual(fixture.entries(of: id).first?.item.time.day.description, "2026-11-17")
      waitFor("the box is gone") { gtk_widget_get_mapped(box) == 0 }
      XCTAssertEqual(fixture.model.garden.waterLeft(at: fixture.model.now), 3)
      waitFor("an empty text for today") { area.typed.isEmpty }
      area.typed = "And today"
      type("key", "ctrl+Return", into: "Water")
      waitFor("the second entry") { fixture.entries(of: id).count == 2 }
      XCTAssertEqual(fixture.entries(of: id).last?.item.time.day.description, "2026-11-18")
      close(dialog, after: "“And today”", in: fixture)
      fixture.close()
    }
  }

  func testUndoRestoresATextForYesterday() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      fixture.plant("A letter every week", on: "BACK/connection", daysAgo: 29)
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      waitFor("questions") { dialog.questions.count == 2 }
      dialog.checkBox?.isChecked = true
      dialog.textViews.first?.typed = "It was late"
      dialog.press("Water")
      waitFor("the way back") { dialog.buttons("Undo").count == 1 }
      XCTAssertEqual(fixture.entries(of: id).count, 1)
      dialog.press("Undo")
      waitFor("the text") { dialog.textViews.first?.typed == "It was late" }
      XCTAssertTrue(fixture.entries(of: id).isEmpty)
      fixture.close()
    }
  }

  func testYesterdayIsNotOfferedAfterNoon() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(now: "2026-11-18T12:00:00.000Z") else { return }
      fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      waitFor("the question") { dialog.questions.count == 1 }
      XCTAssertEqual(dialog.checkBox.map { gtk_widget_get_mapped($0) }, 0)
      fixture.close()
    }
  }

  func testATextThatDisappearsIsSaidToBeSaved() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let (first, second) = (fixture.plant("Cello", on: "VOICE/practice"), fixture.plant("Run", on: "CORE/movement"))
      WaterDialog(fixture.context, first: first).present()
      guard let dialog = window("Water") else { return }
      waitFor("the questions") { dialog.questions.count == 2 }
      fixture.water(second, "Written elsewhere")
      waitFor("one text less") { dialog.textViews.count == 1 }
      XCTAssertFalse(dialog.shownTexts.contains("Your draft is saved."))
      dialog.textViews.first?.typed = "Half a line"
      fixture.water(first, "Written elsewhere")
      waitFor("the message") { dialog.shownTexts.contains("Your draft is saved.") }
      waitFor("the draft") { fixture.draft(.water, about: first) == "Half a line" }
      fixture.close()
    }
  }

  func testAnEntryWithoutWordsNeedsAnotherButton() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice")
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      waitFor("a question") { dialog.questions.count == 1 }
      XCTAssertTrue(dialog.buttons("Water Without Words").isEmpty)
      for _ in 0..<3 { dialog.press("Water") }
      type("key", "--repeat", "3", "ctrl+Return", into: "Water")
      waitFor("the hint") { dialog.shownTexts.contains("A few words, or leave it for today") }
      XCTAssertTrue(fixture.entries(of: id).isEmpty)
      dialog.textViews.first?.typed = "Slow"
      XCTAssertTrue(dialog.buttons("Water Without Words").isEmpty)
      dialog.textViews.first?.typed = ""
      dialog.press("Water")
      picture(dialog, "water-without-words")
      dialog.press("Water Without Words")
      waitFor("the entry") { fixture.entries(of: id).count == 1 }
      XCTAssertEqual(fixture.entries(of: id).first?.text, "")
      fixture.close()
    }
  }

  func testComposedTextIsSavedByCtrlEnterAndInTheDraft() throws {
    try MainActor.assumeIsolated {
      defer { fake_input_stop_using() }
      for end in [FAKE_INPUT_DROPS, FAKE_INPUT_COMMITS, FAKE_INPUT_COMMITS_LATE] {
        fake_input_use(end)
        guard let fixture = DialogFixture() else { return }
        let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice")
        WaterDialog(fixture.context).present()
        guard let dialog = window("Water") else { return }
        waitFor("a question") { dialog.questions.count == 1 }
        let area = try XCTUnwrap(dialog.textViews.first)
        XCTAssertNotEqual(fake_input_compose(area, "你好"), 0)
        waitFor("the draft") { fixture.draft(.water, about: id) == "你好" }
        type("key", "Escape", into: "Water")
        waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
        waitFor("the draft") { fixture.draft(.water, about: id) == "你好" }
        WaterDialog(fixture.context).present()
        guard let again = window("Water"), let area = again.textViews.first else { return }
        waitFor("the text") { area.typed == "你好" }
        _ = fake_input_compose(area, "世界")
        type("key", "ctrl+Return", into: "Water")
        waitFor("the entry") { fixture.entries(of: id).count == 1 }
        XCTAssertEqual(fixture.entries(of: id).first?.text, "你好世界", "\(end)")
        close(again, after: "“你好世界”", in: fixture)
        XCTAssertNil(fixture.draft(.water, about: id), "\(end)")
        fixture.close()
      }
    }
  }

  func testUndoRestoresTheText() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      fixture.plant("A letter every week", on: "BACK/connection", daysAgo: 29)
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      waitFor("questions") { dialog.questions.count == 2 }
      dialog.textViews.first?.typed = "Slow bow"
      dialog.press("Water")
      waitFor("the way back") { dialog.buttons("Undo").count == 1 }
      XCTAssertEqual(fixture.entries(of: id).count, 1)
      XCTAssertTrue(dialog.shownTexts.contains("Watered today"), "\(dialog.shownTexts)")
      dialog.press("Undo")
      waitFor("the text") { dialog.textViews.first?.typed == "Slow bow" }
      XCTAssertTrue(fixture.entries(of: id).isEmpty)
      waitFor("nothing to take back") { dialog.buttons("Undo").isEmpty }
      fixture.close()
    }
  }

  func testAPlantingIsNotUndoneInTheWaterDialog() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      var form = GardenModel.PlantForm(twig: .twig(branch: 2, twig: 0), leaf: .new(name: ""))
      form.title = "Learn the cello prelude"
      let ready = form
      let id = result { [model = fixture.model] in try await model.plant(ready) }
      XCTAssertEqual(fixture.model.undoable?.entityID, id)
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      waitFor("a question") { dialog.questions.count == 1 }
      XCTAssertTrue(dialog.buttons("Undo").isEmpty, "it would remove the sprout that is about to be watered")
      fixture.close()
    }
  }

  func testAnEmptyGardenOffersToPlant() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      WaterDialog(fixture.context).present()
      window("Water")?.press("Plant a Sprout")
      // It gives way to the form, which only the main window opens.
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      fixture.close()
    }
  }

  func testShowsAsManySproutsAsWaterIsLeftAndTheRequestedOneFirst() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let ids = ["One", "Two", "Three", "Four"].map { fixture.plant($0, on: "CORE/movement", season: .twoWeeks) }
      fixture.water(ids[0], "done")
      WaterDialog(fixture.context, first: ids[3]).present()
      guard let dialog = window("Water") else { return }
      XCTAssertEqual(dialog.textViews.count, 2)
      let titles = dialog.shownTexts.filter { ["One", "Two", "Three", "Four"].contains($0) }
      XCTAssertEqual(titles.first, "Four")
      XCTAssertEqual(titles.count, 2)
      fixture.close()
    }
  }
}

extension Widget {
  /// The questions that can be seen.
  @MainActor var questions: [String] {
    descendants.filter { $0.typeName == "GtkLabel" && gtk_widget_has_css_class($0, "question") != 0 }
      .map { String(cString: gtk_label_get_text($0.cast())) }.filter { !$0.trimmed.isEmpty }
  }
}

extension Widget {
  @MainActor fileprivate var checkBox: Widget? { descendants.first { $0.isA(gtk_check_button_get_type()) } }
}

/// Closes the dialog by Enter after the day's last watering, which ends on the user's words.
@MainActor private func close(
  _ dialog: Widget, after words: String, in fixture: DialogFixture, file: StaticString = #filePath, line: UInt = #line
) {
  waitFor("the words", file: file, line: line) { dialog.shownTexts.contains(words) }
  XCTAssertEqual(dialog.focusedWidget?.shownTexts, ["Close"], file: file, line: line)
  type("key", "Return", into: "Water")
  waitFor("the end of the dialog", file: file, line: line) { fixture.dialogs.isEmpty }
}
