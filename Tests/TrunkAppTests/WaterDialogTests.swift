import CGtk
import GtkKit
import TrunkAccount
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class WaterDialogTests: WidgetTestCase {
  func testTypedTextIsRestoredAfterReopening() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      WaterDialog(house.context).present()
      guard let first = window("Water") else { return }
      turn(until: "a question") { first.questions.count == 1 }
      let asked = first.questions
      first.textViews.first?.typed = "Slow bow,\nless arm <b>&"
      // Immediately, before the delayed save.
      gtk_window_close(first.cast())
      turn(until: "the draft") { house.draft(.water, about: id) == "Slow bow,\nless arm <b>&" }
      WaterDialog(house.context).present()
      guard let second = window("Water") else { return }
      turn(until: "the text") { second.textViews.first?.typed == "Slow bow,\nless arm <b>&" }
      turn(until: "its question") { second.questions == asked }
      XCTAssertEqual(house.model.garden.waterLeft(at: house.model.now), 3)
      house.close()
    }
  }

  func testAWateredGardenSaysWhenItCanBeWateredAgain() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      XCTAssertNil(WaterDialog.nothingToDo(house.context), "an empty garden has a separate page")
      let ids = (0..<4).map { house.plant("Sprout \($0)", on: "VOICE/practice", season: .twoWeeks) }
      XCTAssertNil(WaterDialog.nothingToDo(house.context))
      ids.prefix(3).forEach { house.water($0, "x") }
      XCTAssertEqual(
        WaterDialog.nothingToDo(house.context), "The water is used up for today. It returns tomorrow at 06:00.")
      house.pass(days: 1)
      _ = result { [model = house.model] in try await model.uproot(ids[3], creatingSeedling: false) }
      ids.prefix(3).forEach { house.water($0, "x") }
      XCTAssertEqual(
        WaterDialog.nothingToDo(house.context),
        "Everything is watered today. You can water again tomorrow at 06:00.")
      house.close()
    }
  }

  func testTheQuestionsStayForTheDay() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      house.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      house.plant("A letter every week", on: "BACK/connection", daysAgo: 29)
      @MainActor func asked(_ change: (Widget) -> Void = { _ in }) -> [String] {
        WaterDialog(house.context).present()
        guard let dialog = window("Water") else { return [] }
        turn(until: "the questions") { dialog.questions.count == 2 }
        change(dialog)
        let questions = dialog.questions
        gtk_window_close(dialog.cast())
        turn(until: "the end of the dialog") { house.dialogs.isEmpty }
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
      house.pass(days: 1)
      XCTAssertNotEqual(asked(), changed)
      house.close()
    }
  }

  func testAClosedDialogIsReleased() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      house.plant("Learn the cello prelude", on: "VOICE/practice")
      let before = liveHandlerCount
      WaterDialog(house.context).present()
      guard let dialog = window("Water") else { return }
      turn(until: "a question") { !dialog.questions.isEmpty }
      gtk_window_close(dialog.cast())
      // One handler is that of the wait itself.
      turn(until: "the end of its handlers") { liveHandlerCount <= before + 1 }
      house.close()
    }
  }

  func testTypedTextIsSavedWhenTheProgramEnds() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      WaterDialog(house.context).present()
      window("Water")?.textViews.first?.typed = "Half a sen"
      house.context.window.closeDialogs()
      XCTAssertEqual(house.dialogs.count, 0)
      turn(until: "the draft") { house.draft(.water, about: id) == "Half a sen" }
      house.close()
    }
  }

  func testTypedTextIsSavedWithoutClosing() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      WaterDialog(house.context).present()
      guard let dialog = window("Water") else { return }
      let view = dialog.textViews.first
      turn(until: "a question") { !dialog.questions.isEmpty }
      view?.typed = "a"
      view?.typed = "ab"
      turn(until: "the draft") { house.draft(.water, about: id) == "ab" }
      house.close()
    }
  }

  func testCtrlEnterWatersAndMovesOn() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let first = house.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      let second = house.plant("A letter every week", on: "BACK/connection", daysAgo: 29)
      WaterDialog(house.context).present()
      guard let dialog = window("Water") else { return }
      let views = dialog.textViews
      XCTAssertEqual(views.count, 2)
      turn(until: "questions") { dialog.questions.count == 2 }
      XCTAssertNotEqual(dialog.questions[0], dialog.questions[1])
      let question = dialog.questions[0]
      views[0].typed = "Slow bow"
      type("keydown", "ctrl", "keydown", "Return", into: "Water")
      turn(until: "the first entry") { house.entries(of: first).count == 1 }
      XCTAssertEqual(house.entries(of: first).first?.text, "Slow bow")
      XCTAssertEqual(house.entries(of: first).first?.question, question)
      XCTAssertNil(house.draft(.water, about: first))
      turn(until: "the second text has the focus") { gtk_widget_has_focus(views[1]) != 0 }
      // Held until the keyboard has repeated it many times.
      type("sleep", "1.2", "keyup", "Return", "keyup", "ctrl", into: "Water")
      house.finishWriting()
      XCTAssertTrue(house.entries(of: second).isEmpty)
      views[1].typed = "Who is it?"
      type("key", "ctrl+Return", into: "Water")
      turn(until: "the second entry") { house.entries(of: second).count == 1 }
      turn(until: "the end of the dialog") { house.dialogs.isEmpty }
      XCTAssertEqual(house.model.garden.waterLeft(at: house.model.now), 1)
      XCTAssertEqual(house.entries(of: first).count, 1)
      house.close()
    }
  }

  func testAnEmptyTextIsAllowedAfterANudge() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      WaterDialog(house.context).present()
      guard let dialog = window("Water") else { return }
      dialog.press("Water +0.05")
      turn(until: "the nudge") { dialog.shownTexts.contains { $0.hasPrefix("Nothing written yet.") } }
      XCTAssertTrue(house.entries(of: id).isEmpty)
      dialog.press("Water +0.05")
      turn(until: "the entry") { house.entries(of: id).count == 1 }
      XCTAssertEqual(house.entries(of: id).first?.text, "")
      house.close()
    }
  }

  func testUndoBringsTheTextBack() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      house.plant("A letter every week", on: "BACK/connection", daysAgo: 29)
      WaterDialog(house.context).present()
      guard let dialog = window("Water") else { return }
      turn(until: "questions") { dialog.questions.count == 2 }
      dialog.textViews.first?.typed = "Slow bow"
      dialog.press("Water +0.05")
      turn(until: "the way back") { dialog.buttons("Undo").count == 1 }
      XCTAssertEqual(house.entries(of: id).count, 1)
      XCTAssertTrue(dialog.shownTexts.contains("Watered today"), "\(dialog.shownTexts)")
      dialog.press("Undo")
      turn(until: "the text") { dialog.textViews.first?.typed == "Slow bow" }
      XCTAssertTrue(house.entries(of: id).isEmpty)
      turn(until: "nothing to take back") { dialog.buttons("Undo").isEmpty }
      house.close()
    }
  }

  func testAnEmptyGardenOffersToPlant() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      WaterDialog(house.context).present()
      window("Water")?.press("Plant a Sprout")
      XCTAssertNotNil(window("Plant a Sprout"))
      house.close()
    }
  }

  func testShowsAsManySproutsAsWaterIsLeftAndTheRequestedOneFirst() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let ids = ["One", "Two", "Three", "Four"].map { house.plant($0, on: "CORE/movement", season: .twoWeeks) }
      house.water(ids[0], "done")
      WaterDialog(house.context, first: ids[3]).present()
      guard let dialog = window("Water") else { return }
      XCTAssertEqual(dialog.textViews.count, 2)
      let titles = dialog.shownTexts.filter { ["One", "Two", "Three", "Four"].contains($0) }
      XCTAssertEqual(titles.first, "Four")
      XCTAssertEqual(titles.count, 2)
      house.close()
    }
  }
}

extension Widget {
  /// The questions that can be seen.
  @MainActor fileprivate var questions: [String] {
    descendants.filter { $0.typeName == "GtkLabel" && gtk_widget_has_css_class($0, "question") != 0 }
      .map { String(cString: gtk_label_get_text($0.cast())) }.filter { !$0.trimmed.isEmpty }
  }
}
