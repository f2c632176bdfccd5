import CGtk
import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class HarvestDialogTests: WidgetTestCase {
  func testThreeStepsLeadToAHarvestThatCanBeContinued() {
    withHarvest(
      ground: .firm, blooms: ["Walking", "", "A calm hour"], leaf: .new(name: "On foot")
    ) { fixture, id, dialog in
      dialog.press("Next")
      XCTAssertEqual(dialog.results.count, 5)
      XCTAssertTrue(dialog.shownTexts.contains("“Walking”"))
      XCTAssertTrue(dialog.shownTexts.contains("“A calm hour”"))
      XCTAssertTrue(dialog.results.allSatisfy { !$0.isChecked }, "no result is chosen for the user")
      dialog.press("Next")
      XCTAssertTrue(dialog.shownTexts.contains("First choose how it grew."))
      XCTAssertTrue(dialog.textViews.isEmpty)
      gtk_toggle_button_set_active(dialog.results[3].cast(), 1)
      XCTAssertFalse(dialog.shownTexts.contains("First choose how it grew."))
      dialog.press("Next")
      XCTAssertTrue(dialog.shownTexts.contains("Bloomed"))
      dialog.textViews.first?.typed = "Not so far after all. And back."
      let gained = Soil.capacityGained(.threeMonths, .firm, result: 4, capacity: 10)
      dialog.press("Harvest")
      dialog.press("Harvest")
      waitFor("the offer") { dialog.buttons("Continue “On foot”…").count == 1 }
      let harvest = fixture.model.garden.sprout(id: id)?.harvest
      XCTAssertEqual(harvest?.result, 4)
      XCTAssertEqual(harvest?.reflection, "Not so far after all. And back.")
      XCTAssertEqual(fixture.model.garden.capacity, 10 + gained, accuracy: 1e-9)
      XCTAssertNil(fixture.draft(.harvest, about: id))
      XCTAssertTrue(dialog.shownTexts.contains("“Not so far after all. And back.”"), "\(dialog.shownTexts)")
      let outcome =
        "The first leaflet of On foot.\nYour soil is deeper now. There is room again for a sprout of six months."
      XCTAssertTrue(dialog.shownTexts.contains(outcome), "\(dialog.shownTexts)")
      XCTAssertEqual(dialog.shownTexts.filter { $0.contains(where: \.isNumber) }, [], "no digits")
      dialog.press("Continue “On foot”…")
      guard let next = window("Plant a Sprout") else { return }
      XCTAssertEqual(next.field("What will you grow?")?.text, "Ten kilometres")
      XCTAssertEqual(next.field("Withering")?.text, "Walking")
      next.press("Plant")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.sprouts.count, 2)
      XCTAssertEqual(fixture.model.garden.leaves.map(\.name), ["On foot"])
    }
  }

  func testTheKeysLeadThroughTheSteps() {
    withHarvest { fixture, id, dialog in
      type("key", "ctrl+Return", into: "Harvest")
      waitFor("the results") { dialog.results.count == 5 && dialog.results[0].hasFocus }
      type("key", "Down", into: "Harvest")
      waitFor("the second one") { dialog.results[1].hasFocus }
      XCTAssertTrue(dialog.results.allSatisfy { !$0.isChecked }, "an arrow key moves only the focus")
      type("key", "space", into: "Harvest")
      waitFor("the choice") { dialog.results[1].isChecked }
      type("key", "4", into: "Harvest")
      waitFor("another one") { dialog.results[3].isChecked && dialog.results[3].hasFocus }
      XCTAssertFalse(dialog.results[1].isChecked)
      type("key", "ctrl+Return", into: "Harvest")
      waitFor("the text") { dialog.textViews.first?.hasFocus == true }
      type("type", "4 slow", into: "Harvest")
      waitFor("the words") { dialog.textViews.first?.typed == "4 slow" }
      type("key", "alt+Left", into: "Harvest")
      waitFor("the results again") { dialog.results.count == 5 && dialog.results[3].isChecked }
      type("key", "alt+Left", into: "Harvest")
      waitFor("the first step") { dialog.buttons("Later").count == 1 }
      for _ in 1...3 {
        type("key", "ctrl+Return", into: "Harvest")
        waitForFrames(of: dialog)
      }
      waitFor("the harvest") { fixture.model.garden.sprout(id: id)?.harvest?.reflection == "4 slow" }
      XCTAssertEqual(fixture.model.garden.sprout(id: id)?.harvest?.result, 4)
    }
  }

  func testNeitherARepeatedNorAHeldKeySkipsTheReflection() {
    withHarvest { fixture, id, dialog in
      type("key", "--repeat", "6", "--delay", "30", "ctrl+Return", into: "Harvest")
      waitFor("the demand") { dialog.shownTexts.contains("First choose how it grew.") }
      XCTAssertEqual(dialog.results.count, 5)
      type("key", "3", into: "Harvest")
      waitFor("the choice") { dialog.results[2].isChecked }
      // A held key goes one step.
      type("keydown", "ctrl", "keydown", "Return", "sleep", "0.9", "keyup", "Return", "keyup", "ctrl", into: "Harvest")
      waitFor("the text") { dialog.textViews.first?.hasFocus == true }
      XCTAssertTrue(dialog.buttons("Harvest Without Words").isEmpty)
      type("key", "--repeat", "6", "--delay", "30", "ctrl+Return", into: "Harvest")
      waitFor("the offer") { dialog.buttons("Harvest Without Words").count == 1 }
      XCTAssertTrue(
        dialog.shownTexts.contains("One sentence for later? You can also harvest without words."))
      XCTAssertEqual(dialog.focusedWidget, dialog.textViews.first)
      XCTAssertEqual(fixture.model.garden.sprout(id: id)?.isActive, true)
      picture(dialog, "harvest-without-words")
      // Not even the green button.
      dialog.press("Harvest")
      XCTAssertEqual(fixture.model.garden.sprout(id: id)?.isActive, true)
      dialog.press("Harvest Without Words")
      waitFor("the harvest") { fixture.model.garden.sprout(id: id)?.harvest?.result == 3 }
      waitFor("the title") { dialog.shownTexts.contains("Ten kilometres") }
    }
  }

  func testTheStepsAreADraft() {
    withHarvest { fixture, id, dialog in
      dialog.press("Next")
      gtk_toggle_button_set_active(dialog.results[4].cast(), 1)
      dialog.press("Next")
      waitFor("the text") { dialog.textViews.count == 1 }
      gtk_window_close(dialog.cast())
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      waitFor("the draft") { fixture.draft(.harvest, about: id) != nil }
      HarvestDialog(fixture.context, id).present()
      guard let second = window("Harvest") else { return }
      waitFor("the last step") { second.textViews.count == 1 && second.shownTexts.contains("Flourished") }
      XCTAssertEqual(second.textViews.first?.typed, "")
      second.textViews.first?.typed = "Slow is fast"
      second.press("Back")
      waitFor("the choice") { second.results.last?.isChecked == true }
      gtk_window_close(second.cast())
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      waitFor("the words") { fixture.draft(.harvest, about: id) == "Slow is fast" }
      HarvestDialog(fixture.context, id).present()
      guard let third = window("Harvest") else { return }
      waitFor("the second step") { third.results.last?.isChecked == true }
      third.press("Next")
      XCTAssertEqual(third.textViews.first?.typed, "Slow is fast")
    }
  }

  func testUndoingAHarvestShowsItsLastStepAgain() {
    withHarvest { fixture, id, dialog in
      dialog.harvest(3, "Not so far after all")
      waitFor("the way back") { dialog.buttons("Undo").count == 1 }
      dialog.press("Undo")
      waitFor("the text") { dialog.textViews.first?.typed == "Not so far after all" }
      XCTAssertTrue(dialog.shownTexts.contains("Budded"))
      XCTAssertEqual(fixture.model.garden.sprout(id: id)?.isActive, true)
    }
  }

  func testEntriesAreReadInPlace() {
    withHarvest(
      entries: ["", "Two kilometres and a bench.", "Rain, and nobody there.", "Fog up to the gate."]
    ) { fixture, id, dialog in
      waitFor("the first entry with words") { dialog.shownTexts.contains("Two kilometres and a bench.") }
      XCTAssertTrue(dialog.shownTexts.contains("9 September, the first entry"), "\(dialog.shownTexts)")
      XCTAssertTrue(dialog.shownTexts.contains("29 September, the last entry"))
      XCTAssertTrue(dialog.shownTexts.contains("Fog up to the gate."))
      XCTAssertFalse(dialog.shownTexts.contains("Rain, and nobody there."))
      // The keys walk along the shoot.
      type("key", "Home", "Right", "Right", into: "Harvest")
      waitFor("the third entry") { dialog.shownTexts.contains("Rain, and nobody there.") }
      XCTAssertFalse(dialog.shownTexts.contains("Fog up to the gate."))
      // The entry stays while the focus moves on, perhaps into it.
      type("key", "Tab", into: "Harvest")
      waitForFrames(2, of: dialog)
      XCTAssertTrue(dialog.shownTexts.contains("Rain, and nobody there."))
      type("key", "shift+Tab", "key", "Escape", into: "Harvest")
      waitFor("both ends") { dialog.shownTexts.contains("Fog up to the gate.") }
      dialog.press("Read All 4 Entries")
      waitFor("all entries") { dialog.shownTexts.contains("Rain, and nobody there.") }
      XCTAssertEqual(fixture.dialogs.count, 1, "they unfold in place")
      XCTAssertTrue(dialog.shownTexts.contains("Without words"))
      XCTAssertTrue(dialog.buttons("Read All 4 Entries").isEmpty)
    }
  }

  func testPointingAtALeafShowsItsEntry() {
    withHarvest(entries: ["The first", "The second", "The third"]) { fixture, id, dialog in
      waitFor("the entries") { dialog.shownTexts.contains("The third") }
      let garden = fixture.model.garden
      guard let sprout = garden.sprout(id: id),
        let shoot = dialog.descendants.first(where: { gtk_widget_has_css_class($0, "shoot-slider") != 0 })
      else { return XCTFail("no shoot") }
      waitForFrames(3, of: dialog)
      let leaflet = TreeState.Leaflet(sprout, garden, garden.zone.dayKey(fixture.model.now))
      let leaf = SproutPicture(
        leaflet, width: Double(shoot.width), height: Double(shoot.shownHeight), palette: Palette(.light, yearShare: nil)
      ).waterings[1]
      try movePointer(to: shoot, leaf.x, leaf.y, in: "Harvest")
      waitFor("the second entry") { dialog.shownTexts.contains("The second") }
      XCTAssertFalse(dialog.shownTexts.contains("The third"))
      movePointerAway()
      waitFor("the ends") { dialog.shownTexts.contains("The third") }
    }
  }

  func testAnUnreadySproutCannotBeHarvested() {
    withHarvest(daysAgo: 89) { fixture, _, dialog in
      guard let next = dialog.buttons("Next").first else { return XCTFail("no button") }
      XCTAssertEqual(gtk_widget_is_sensitive(next), 0)
      XCTAssertTrue(dialog.shownTexts.contains("“Ten kilometres” can be harvested from 19 November 2026."))
      fixture.advance(days: 1)
      waitFor("the day") { gtk_widget_is_sensitive(next) != 0 }
    }
  }

  func testEachStepFitsAndIsReadFromItsTop() {
    let long = String(repeating: "On the way, and further than last week. ", count: 12)
    withHarvest(
      blooms: ["Walking most of it", "Half of it walking", "A calm, even hour"], entries: [long, long, long],
      width: 360
    ) { _, _, dialog in
      waitFor("the entries") { dialog.shownTexts.contains { $0.hasPrefix("On the way") } }
      waitForFrames(3, of: dialog)
      XCTAssertLessThanOrEqual(dialog.shownHeight, 575 + 10)
      picture(dialog, "harvest-narrow-reread")
      dialog.press("Read All 3 Entries")
      waitFor("all of them") { dialog.hiddenHeight > 300 }
      dialog.descendants.first { $0.typeName == "GtkScrolledWindow" && $0.isMapped }?.scroll(by: 300)
      dialog.press("Next")
      waitFor("the results, which fit") { dialog.scrolledDistance == 0 && dialog.hiddenHeight == 0 }
      picture(dialog, "harvest-narrow-judge")
      gtk_toggle_button_set_active(dialog.results[3].cast(), 1)
      dialog.press("Next")
      dialog.textViews.first?.typed = "I play it for Ruth on Sunday. Twelve bars of it are mine."
      waitFor("a window in which the text fits") { dialog.hiddenHeight == 0 }
      picture(dialog, "harvest-narrow-write")
      dialog.press("Harvest")
      waitFor("what became of it") {
        dialog.shownTexts.contains("“I play it for Ruth on Sunday. Twelve bars of it are mine.”")
      }
      waitFor("the focus") { dialog.focusedWidget?.typeName == "GtkButton" }
      waitForFrames(3, of: dialog)
      picture(dialog, "harvested-narrow-top")
      XCTAssertEqual(dialog.scrolledDistance, 0)
    }
  }
}

extension HarvestDialogTests {
  /// Opens the dialog of a sprout whose season is over.
  /// - Parameters:
  ///   - entries: written 80, 70, 60 … days ago.
  ///   - width: of the window below, in pixels.
  private func withHarvest(
    ground: Ground = .fertile, daysAgo: Int64 = 90, blooms: [String] = ["", "", ""],
    leaf: GardenModel.LeafChoice = .new(name: ""), entries: [String] = [], width: Int = 700,
    _ body: @MainActor (DialogFixture, _ sproutID: String, _ dialog: Widget) throws -> Void
  ) {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      defer { fixture.close() }
      gtk_window_set_default_size(fixture.context.window.cast(), gint(width), 700)
      waitFor("the width") { fixture.context.window.width <= width }
      let id = fixture.plant(
        "Ten kilometres", on: "CORE/movement", ground: ground, daysAgo: daysAgo, blooms: blooms, leaf: leaf)
      for (text, number) in zip(entries, 0...) { fixture.water(id, text, daysAgo: 80 - 10 * Int64(number)) }
      HarvestDialog(fixture.context, id).present()
      guard let dialog = window("Harvest") else { return }
      waitFor("the first step") { dialog.buttons("Next").count == 1 }
      do { try body(fixture, id, dialog) } catch { XCTFail("\(error)") }
    }
  }
}

extension Widget {
  /// The results that can be seen.
  @MainActor fileprivate var results: [Widget] {
    descendants.filter {
      $0.typeName == "GtkToggleButton" && gtk_widget_get_mapped($0) != 0
        && $0.parent.map { gtk_widget_has_css_class($0, "rows") != 0 } == true
    }
  }

  @MainActor fileprivate var isChecked: Bool { gtk_toggle_button_get_active(cast()) != 0 }

  /// Goes through the steps.
  @MainActor fileprivate func harvest(_ result: Int, _ words: String) {
    press("Next")
    gtk_toggle_button_set_active(results[result - 1].cast(), 1)
    press("Next")
    textViews.first?.typed = words
    press("Harvest")
  }
}
