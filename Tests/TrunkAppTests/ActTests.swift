import CGtk
import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

/// What a person has done plays on their tree, and never delays a key.
final class ActTests: WidgetTestCase {
  func testTheClockMovesToItsEndAndAnyKeyEndsIt() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let field = entry(name: "Field")
      let dialog = DialogWindow(over: fixture.context.window, title: "Play", dismissTitle: "Dismiss", content: field)
      let clock = ActClock(dialog.widget)
      dialog.present()
      guard window("Play") != nil else { return }
      var (times, ends): ([Double], Int) = ([], 0)
      @MainActor func run() {
        (times, ends) = ([], 0)
        clock.run(.harvest, on: field) {
          times.append($0)
        } onEnd: {
          ends += 1
        }
      }
      run()
      waitFor("the end") { ends == 1 }
      XCTAssertEqual(times.first, 0)
      XCTAssertEqual(times.last, Act.harvest.end)
      XCTAssertEqual(times, times.sorted())
      XCTAssertGreaterThan(times.count, 5)

      run()
      field.focus()
      type("key", "x", into: "Play")
      waitFor("the letter") { field.text == "x" }
      XCTAssertEqual(ends, 1, "the key ends the act, and is typed")
      XCTAssertEqual(times.last, Act.harvest.end)
      let count = times.count
      waitForFrames(of: field)
      XCTAssertEqual(times.count, count, "nothing moves after the last frame")
      XCTAssertEqual(ends, 1)
      fixture.close()
    }
  }

  func testWithReducedMotionOnlyTheLastFrameIsShown() {
    MainActor.assumeIsolated {
      setAnimations(false)
      defer { setAnimations(true) }
      guard let fixture = DialogFixture() else { return }
      let clock = ActClock(fixture.context.window)
      var times: [Double] = []
      var isOver = false
      for act in Act.allCases {
        (times, isOver) = ([], false)
        clock.run(act, on: fixture.context.window) {
          times.append($0)
        } onEnd: {
          isOver = true
        }
        XCTAssertEqual(times, [act.end])
        XCTAssertTrue(isOver)
      }
      fixture.close()
    }
  }

  func testAWateringShowsItsLeafWhileTheNextTextHasTheFocus() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let first = fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      let second = fixture.plant("A letter every week", on: "BACK/connection", daysAgo: 29)
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      waitFor("the questions") { dialog.questions.count == 2 }
      let areas = dialog.textViews
      areas[0].typed = "The shift held. Twice."
      // Ctrl+Enter twice, as a hurried user presses it, and once more.
      type("key", "--repeat", "3", "--delay", "60", "ctrl+Return", into: "Water")
      waitFor("the entry") { fixture.entries(of: first).count == 1 }
      waitFor("the words") { dialog.shownTexts.contains("The shift held. Twice.") }
      XCTAssertEqual(dialog.focusedWidget, areas[1])
      XCTAssertFalse(
        dialog.shownTexts.contains("A few words, or leave it for today"), "it isn't asked for words so soon")
      waitForFrames(60, of: dialog)
      XCTAssertEqual(dialog.focusedWidget, areas[1], "nor does the act take the focus")
      picture(dialog, "watered")
      XCTAssertEqual(fixture.entries(of: first).map(\.text), ["The shift held. Twice."])
      XCTAssertTrue(fixture.entries(of: second).isEmpty)
      type("key", "ctrl+Return", into: "Water")
      waitFor("the hint") { dialog.shownTexts.contains("A few words, or leave it for today") }
      XCTAssertTrue(fixture.entries(of: second).isEmpty)
      fixture.close()
    }
  }

  func testTheLastWateringEndsInTheLimbUntilItIsClosed() {
    MainActor.assumeIsolated {
      for isReduced in [false, true] {
        setAnimations(!isReduced)
        defer { setAnimations(true) }
        guard let fixture = DialogFixture() else { return }
        let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
        WaterDialog(fixture.context).present()
        guard let dialog = window("Water") else { return }
        waitFor("the question") { dialog.questions.count == 1 }
        dialog.textViews.first?.typed = "It held. Twice."
        type("keydown", "ctrl", "keydown", "Return", into: "Water")
        waitFor("the entry") { fixture.entries(of: id).count == 1 }
        waitFor("the sentence") { dialog.shownTexts.contains("“It held. Twice.”") }
        XCTAssertTrue(dialog.textViews.isEmpty)
        XCTAssertEqual(dialog.focusedWidget?.shownTexts, ["Close"])
        // The held key doesn't close it.
        type("sleep", "1.2", "keyup", "Return", "keyup", "ctrl", into: "Water")
        waitForFrames(of: dialog)
        XCTAssertEqual(fixture.dialogs.count, 1)
        picture(dialog, "last-watering")
        type("key", "Return", into: "Water")
        waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
        XCTAssertEqual(fixture.entries(of: id).count, 1)
        fixture.close()
      }
    }
  }

  func testUndoingTheLastWateringLeadsBackToItsText() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      waitFor("the question") { dialog.questions.count == 1 }
      dialog.textViews.first?.typed = "It held."
      dialog.press("Water")
      waitFor("the limb") {
        XCTAssertLessThanOrEqual(dialog.buttons("Undo").count, 1)
        return dialog.shownTexts.contains("“It held.”")
      }
      waitFor("the way back") { dialog.buttons("Undo").count == 1 }
      // On a busy computer, GTK drops a key until the limb is painted in place of the text.
      waitForFrames(of: dialog)
      type("key", "ctrl+z", into: "Water")
      waitFor("the text") { dialog.textViews.first?.typed == "It held." }
      XCTAssertTrue(fixture.entries(of: id).isEmpty)
      fixture.close()
    }
  }

  func testTheSunEndsOnTheReflection() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      fixture.plant("Learn the cello prelude", on: "VOICE/practice", daysAgo: 40)
      ShineDialog(fixture.context).present()
      guard let dialog = window("Shine") else { return }
      waitFor("the question") { dialog.questions.count == 1 }
      dialog.textViews.first?.typed = "At home, and not in a hurry. The kettle sang."
      type("key", "--repeat", "2", "--delay", "40", "ctrl+Return", into: "Shine")
      waitFor("the words") { dialog.shownTexts.contains("“At home, and not in a hurry. The kettle sang.”") }
      XCTAssertEqual(fixture.model.garden.journal.count, 1)
      waitFor("the focus") { dialog.focusedWidget?.shownTexts == ["Close"] }
      waitFor("the way back") { dialog.buttons("Undo").count == 1 }
      picture(dialog, "shone")
      dialog.press("Undo")
      waitFor("the text") { dialog.textViews.first?.typed.hasPrefix("At home") == true }
      XCTAssertFalse(dialog.shownTexts.contains("“At home, and not in a hurry. The kettle sang.”"))
      fixture.close()
    }
  }

  func testPlantingShowsTheTitleAndThenCloses() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = filledForm(in: fixture) else { return }
      type("key", "ctrl+Return", into: "Plant a Sprout")
      waitFor("the sprout") { fixture.model.garden.sprouts.count == 1 }
      waitFor("the title") { dialog.isMapped && dialog.shownTexts.contains("Swim a kilometre") }
      // Any key leads to the end.
      type("key", "--repeat", "2", "ctrl+Return", into: "Plant a Sprout")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      fixture.finishWriting()
      XCTAssertEqual(fixture.model.garden.sprouts.map(\.title), ["Swim a kilometre"])
      XCTAssertEqual(result { try await fixture.model.store.drafts() }, [])
      fixture.close()
    }
  }

  func testADialogMayEndInTheMiddleOfItsAct() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = filledForm(in: fixture) else { return }
      dialog.press("Plant")
      waitFor("the sprout") { fixture.model.garden.sprouts.count == 1 }
      fixture.context.window.closeDialogs()
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      // Its last frame would be painted now. Warnings of the toolkit fail the run.
      waitForFrames(3, of: fixture.context.window)
      fixture.finishWriting()
      fixture.close()
    }
  }

  func testUprootingEndsOnTheLatestWords() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Swim", on: "CORE/sport", daysAgo: 10)
      fixture.water(id, "Salt in my hair.", daysAgo: 4)
      fixture.water(id, "Not now. In spring, perhaps.", daysAgo: 1)
      UprootDialog(fixture.context, id).present()
      guard let dialog = window("Uproot") else { return }
      waitFor("the entries") { dialog.shownTexts.contains("Salt in my hair.") }
      dialog.press("Uproot")
      waitFor("the words") { dialog.shownTexts.contains("“Not now. In spring, perhaps.”") }
      picture(dialog, "uprooted")
      fixture.close()
    }
  }
}

/// The dialog for planting, with a title and a place.
@MainActor private func filledForm(in fixture: DialogFixture) -> Widget? {
  PlantDialog(fixture.context).present()
  let dialog = window("Plant a Sprout")
  dialog?.field("What will you grow?")?.text = "Swim a kilometre"
  dialog?.choosePlace("movement")
  if let dialog { waitForFrames(of: dialog) }
  return dialog
}
