import CGtk
import GtkKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class PlantDialogTests: WidgetTestCase {
  func testADoubleClickPlantsOnce() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      PlantDialog(fixture.context).present()
      guard let dialog = window("Plant a Sprout") else { return }
      dialog.field("What will you grow?")?.text = "Swim a kilometre"
      dialog.field("Flourishing")?.text = "Across, without hurry"
      dialog.choosePlace("movement")
      dialog.press("Plant")
      dialog.press("Plant")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      fixture.finishWriting()
      let garden = fixture.model.garden
      XCTAssertEqual(garden.sprouts.map(\.title), ["Swim a kilometre"])
      XCTAssertEqual(garden.leaves.map(\.name), ["Swim a kilometre"])
      XCTAssertEqual(garden.sprouts.first?.bloomFlourish, "Across, without hurry")
      XCTAssertNil(garden.sprouts.first?.bloomWither)
      XCTAssertEqual(garden.available, 7)
      fixture.close()
    }
  }

  func testTheListsAreMadeWhenTheyAreNeeded() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = open(fixture) else { return }
      @MainActor func rows() -> [Widget] { dialog.descendants.filter { $0.typeName == "AdwActionRow" } }
      XCTAssertEqual(rows().count, 0, "the form opens without them")
      dialog.choose("One year", instead: "one month")
      XCTAssertEqual(rows().count, 5)
      dialog.choose("Firm", instead: "fertile")
      let meanings = rows().compactMap { adw_action_row_get_subtitle($0.cast()).map { String(cString: $0) } }
      let share = fixture.model.garden.soilShare(of: Soil.cost(.oneYear, .firm))
      XCTAssertTrue(meanings.contains(Ground.firm.meaning(share)), "those of the season that was chosen before")
      dialog.field("Where")?.focus()
      dialog.field("Where")?.text = "prac"
      waitFor("the places") { !dialog.foundPlaces.isEmpty }
      fixture.close()
    }
  }

  func testAFullStopFollowsItsWordAtOnce() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      for (sentence, gap) in [("sur un sol \(WordChoice.gap).", 0...3.0), ("on \(WordChoice.gap) ground.", 4...9.0)] {
        let choice = WordChoice(
          name: "Ground", sentence: sentence, words: ["fertile"], titles: ["Fertile"], selected: 0)
        garden.present(choice.widget.halign(.start).valign(.start))
        let labels = choice.widget.descendants.filter { $0.typeName == "GtkLabel" && $0.isMapped }
        let end = try XCTUnwrap(labels.last)
        let menu = try XCTUnwrap(choice.widget.descendants.first { $0.typeName == "GtkMenuButton" })
        let space = place(of: end, in: garden).x - place(of: menu, in: garden).x - Double(menu.width)
        XCTAssertTrue(gap.contains(space), "\(sentence): \(space)")
      }
    }
  }

  func testAMissingTitleLosesNothing() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      PlantDialog(fixture.context).present()
      guard let dialog = window("Plant a Sprout") else { return }
      dialog.field("Budding")?.text = "The lake"
      dialog.press("Plant")
      waitFor("the reason") { dialog.shownTexts.contains("Give it a name first.") }
      XCTAssertEqual(dialog.field("Budding")?.text, "The lake")
      dialog.choosePlace("movement")
      dialog.field("What will you grow?")?.text = String(repeating: "a", count: 61)
      XCTAssertTrue(dialog.shownTexts.contains("61 / 60"))
      dialog.press("Plant")
      waitFor("the reason") { dialog.shownTexts.contains("The title is 61 characters long. The limit is 60.") }
      XCTAssertEqual(fixture.model.garden.sprouts.count, 0)
      fixture.close()
    }
  }

  func testNothingIsPlantedWithoutAPlace() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      fixture.plant("Earlier", on: "VOICE/practice")
      guard let dialog = open(fixture) else { return }
      dialog.field("What will you grow?")?.text = "Swim"
      XCTAssertEqual(dialog.field("Where")?.text, "", "no place is chosen, although something was planted before")
      dialog.press("Plant")
      let question = "Where does it grow? It can’t move later, so nothing is chosen for you."
      waitFor("the question") { dialog.shownTexts.contains(question) }
      XCTAssertEqual(dialog.field("Where")?.containsFocus, true)
      XCTAssertEqual(fixture.model.garden.sprouts.count, 1)
      dialog.choosePlace("CORE · sleep")
      XCTAssertFalse(dialog.shownTexts.contains(question))
      XCTAssertEqual(dialog.field("Where")?.text, "Core · sleep")
      XCTAssertTrue(dialog.shownTexts.contains { $0.hasSuffix("It stays on this twig.") })
      dialog.press("Plant")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.sprouts.last?.twigID, Node(path: "CORE/sleep")?.id)
      fixture.close()
    }
  }

  func testAFewKeysPlantASprout() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = open(fixture) else { return }
      type("type", "Learn the first Bach suite", into: "Plant a Sprout")
      waitFor("the title") { dialog.field("What will you grow?")?.text == "Learn the first Bach suite" }
      type("key", "Tab", "type", "prac", into: "Plant a Sprout")
      waitFor("the places") { dialog.foundPlaces.first?.shownTexts.first == "Voice · practice" }
      XCTAssertLessThanOrEqual(dialog.foundPlaces.count, 6)
      type("key", "Return", "key", "ctrl+Return", into: "Plant a Sprout")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      let sprout = fixture.model.garden.sprouts.last
      XCTAssertEqual(sprout?.title, "Learn the first Bach suite")
      XCTAssertEqual(sprout?.twigID, Node(path: "VOICE/practice")?.id)
      XCTAssertEqual(sprout?.season, .oneMonth)
      XCTAssertEqual(sprout?.ground, .fertile)
      fixture.close()
    }
  }

  func testTheTreeAloneChoosesThePlace() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = open(fixture) else { return }
      dialog.field("What will you grow?")?.text = "Swim"
      guard let tree = dialog.descendants.first(where: { $0.typeName == "GtkDrawingArea" && $0.isFocusable }) else {
        return XCTFail("no tree")
      }
      waitForFrames(2, of: tree)
      tree.focus()
      // The third limb, and its second twig.
      type("key", "3", "key", "Right", "key", "Right", "key", "Return", into: "Plant a Sprout")
      waitFor("the place") { dialog.field("Where")?.text == "Voice · composition" }
      // Esc leads out of the limb and then of the dialog; the choice stays.
      type("key", "Escape", into: "Plant a Sprout")
      waitFor("the whole tree") { dialog.buttons("‹ All Limbs").isEmpty }
      XCTAssertEqual(dialog.field("Where")?.text, "Voice · composition")
      type("key", "ctrl+Return", into: "Plant a Sprout")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.sprouts.last?.twigID, Node(path: "VOICE/composition")?.id)
      fixture.close()
    }
  }

  func testTypingAnotherPlaceGivesUpTheChoiceUntilEsc() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let twig = Node(path: "VOICE/practice") else { return }
      PlantDialog(fixture.context, twig: twig).present()
      guard let dialog = window("Plant a Sprout"), let place = dialog.field("Where") else { return }
      XCTAssertEqual(place.text, "Voice · practice")
      dialog.field("What will you grow?")?.text = "Swim"
      place.focus()
      place.text = "sleep"
      dialog.press("Plant")
      XCTAssertTrue(fixture.model.garden.sprouts.isEmpty)
      place.focus()
      type("key", "Escape", into: "Plant a Sprout")
      waitFor("the choice") { place.text == "Voice · practice" }
      dialog.press("Plant")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.sprouts.last?.twigID, twig.id)
      fixture.close()
    }
  }

  func testAltAndADigitSetTheSeasonAndTheGround() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = open(fixture) else { return }
      XCTAssertTrue(
        dialog.shownTexts.contains(
          "It takes about a third of your soil until then. There is room for two more like it."))
      type("key", "alt+1", "key", "alt+shift+2", into: "Plant a Sprout")
      waitFor("the words") { Set(["two weeks", "firm"]).isSubset(of: dialog.shownTexts) }
      dialog.field("What will you grow?")?.text = "Swim"
      dialog.choosePlace("movement")
      dialog.press("Plant")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.sprouts.last?.season, .twoWeeks)
      XCTAssertEqual(fixture.model.garden.sprouts.last?.ground, .firm)
      fixture.close()
    }
  }

  func testTooLittleSoilOffersWaysOut() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = open(fixture) else { return }
      dialog.field("What will you grow?")?.text = "Swim"
      dialog.choosePlace("movement")
      dialog.choose("One year", instead: "one month")
      waitFor("the reason") { dialog.shownTexts.contains { $0.hasPrefix("This takes more than all your soil.") } }
      XCTAssertFalse(gtk_widget_is_sensitive(dialog.buttons("Plant")[0]) != 0)
      dialog.press("For six months there is enough today")
      waitFor("enough soil") { gtk_widget_is_sensitive(dialog.buttons("Plant")[0]) != 0 }
      XCTAssertTrue(dialog.shownTexts.contains("six months"))
      XCTAssertTrue(
        dialog.shownTexts.contains(
          "It takes about three quarters of your soil until then. There is no room for another."))
      // Events that arrive while the dialog is open count.
      fixture.plant("Another", on: "CORE/sleep", season: .threeMonths)
      waitFor("the change") {
        dialog.shownTexts.contains { $0.hasPrefix("There isn’t enough free soil for this yet. With daily care") }
      }
      dialog.field("Budding")?.text = "The lake"
      dialog.press("Keep It as a Seedling")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.seedlings.map(\.title), ["Swim"])
      XCTAssertEqual(fixture.model.garden.seedlings.map(\.notes), ["The lake"])
      XCTAssertEqual(result { try await fixture.model.store.drafts() }, [])
      fixture.close()
    }
  }

  func testAnIdeaIsTakenOverAndDeleted() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      guard let twig = Node(path: "HEART/joy") else { return XCTFail("twig") }
      let model = fixture.model
      _ = result { try await model.createSeedling(on: twig, title: "Dance <i>more</i>", notes: "Tango & co") }
      PlantDialog(fixture.context).present()
      guard let dialog = window("Plant a Sprout") else { return }
      dialog.pick("From a seedling").map { adw_combo_row_set_selected($0.cast(), 1) }
      XCTAssertEqual(dialog.field("What will you grow?")?.text, "Dance <i>more</i>")
      XCTAssertTrue(dialog.shownTexts.contains("Tango & co"))
      dialog.press("Plant")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(model.garden.sprouts.map(\.twigID), [twig.id])
      XCTAssertTrue(model.garden.seedlings.isEmpty)
      fixture.close()
    }
  }

  func testALeafContinuesFromItsLatestSprout() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      fixture.plant("First", on: "VOICE/practice", season: .twoWeeks, leaf: .new(name: "Bach, slowly"))
      guard let leaf = fixture.model.garden.leaves.first else { return XCTFail("leaf") }
      fixture.plant(
        "Second", on: "VOICE/practice", season: .oneMonth, ground: .firm, blooms: ["w", "", "f"],
        leaf: .existing(id: leaf.id))
      PlantDialog(fixture.context, prefill: fixture.model.continuation(ofLeaf: leaf.id)).present()
      guard let dialog = window("Plant a Sprout") else { return }
      XCTAssertEqual(dialog.field("What will you grow?")?.text, "Second")
      XCTAssertEqual(dialog.field("Withering")?.text, "w")
      XCTAssertEqual(dialog.field("Flourishing")?.text, "f")
      dialog.field("What will you grow?")?.text = "Third"
      // 10 soil minus 2 minus 5: the third sprout costs 5 again and has to wait.
      XCTAssertEqual(gtk_widget_is_sensitive(dialog.buttons("Plant")[0]), 0)
      dialog.choose("Two weeks", instead: "one month")
      waitFor("enough soil") { gtk_widget_is_sensitive(dialog.buttons("Plant")[0]) != 0 }
      dialog.press("Plant")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.sprouts.last?.leafID, leaf.id)
      XCTAssertEqual(fixture.model.garden.leaves.count, 1)
      XCTAssertNil(fixture.model.continuation(ofLeaf: "leaf-unknown"))
      fixture.close()
    }
  }

  func testClosingKeepsTypedText() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      fixture.plant("First", on: "VOICE/practice", season: .twoWeeks, leaf: .new(name: "Bach, slowly"))
      guard let dialog = open(fixture) else { return }
      dialog.field("What will you grow?")?.text = "Swim a kilometre"
      dialog.field("Flourishing")?.text = "Across, without hurry"
      dialog.choose("Two weeks", instead: "one month")
      dialog.choose("Firm", instead: "fertile")
      dialog.choosePlace("Heart · joy")
      dialog.field("Name of the leaf")?.text = "Open water"
      type("key", "Escape", into: "Plant a Sprout")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertTrue(fixture.model.garden.seedlings.isEmpty)

      guard let again = open(fixture) else { return }
      waitFor("the text") { again.field("What will you grow?")?.text == "Swim a kilometre" }
      // Nothing is selected, because the next letter would replace it.
      XCTAssertEqual(gtk_editable_get_selection_bounds(again.field("What will you grow?")?.cast(), nil, nil), 0)
      XCTAssertEqual(again.field("Flourishing")?.text, "Across, without hurry")
      XCTAssertEqual(again.field("Name of the leaf")?.text, "Open water")
      XCTAssertEqual(again.field("Where")?.text, "Heart · joy")
      XCTAssertTrue(Set(["two weeks", "firm"]).isSubset(of: again.shownTexts))
      again.press("Plant")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      fixture.finishWriting()
      XCTAssertEqual(fixture.model.garden.sprouts.last?.title, "Swim a kilometre")
      XCTAssertEqual(result { try await fixture.model.store.drafts() }, [])
      fixture.close()
    }
  }

  func testAFormThatWasNotChangedLeavesNoDraft() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = open(fixture) else { return }
      dialog.field("What will you grow?")?.text = "S"
      dialog.field("What will you grow?")?.text = ""
      dialog.press("Close")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(result { try await fixture.model.store.drafts() }, [])
      fixture.close()
    }
  }

  func testStartingOverEmptiesTheFormAndCanBeUndone() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = open(fixture) else { return }
      dialog.field("What will you grow?")?.text = "Swim"
      dialog.field("Withering")?.text = "Only the pool"
      dialog.press("Close")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      guard let again = open(fixture) else { return }
      waitFor("the text") { again.field("What will you grow?")?.text == "Swim" }
      again.press("Start Over")
      XCTAssertEqual(again.field("What will you grow?")?.text, "")
      XCTAssertEqual(again.field("Withering")?.text, "")
      again.press("Undo")
      XCTAssertEqual(again.field("What will you grow?")?.text, "Swim")
      XCTAssertEqual(again.field("Withering")?.text, "Only the pool")
      again.press("Start Over")
      again.press("Close")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      waitFor("no draft") { result { try await fixture.model.store.drafts() } == [] }
      fixture.close()
    }
  }

  func testUndoRestoresTheForm() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let dialog = open(fixture) else { return }
      dialog.field("What will you grow?")?.text = "Swim"
      dialog.field("Budding")?.text = "The lake"
      dialog.choosePlace("movement")
      dialog.press("Plant")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.sprouts.count, 1)
      _ = result { try await fixture.model.undo() }
      XCTAssertEqual(fixture.model.garden.sprouts.count, 0)
      XCTAssertEqual(fixture.model.garden.leaves.count, 0)
      guard let again = open(fixture) else { return }
      waitFor("the text") { again.field("What will you grow?")?.text == "Swim" }
      XCTAssertEqual(again.field("Budding")?.text, "The lake")
      fixture.close()
    }
  }

  func testALeafAndASeedlingHaveSeparateDrafts() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let twig = Node(path: "HEART/joy") else { return }
      fixture.plant("First", on: "VOICE/practice", season: .twoWeeks)
      guard let leaf = fixture.model.garden.leaves.first else { return XCTFail("leaf") }
      let model = fixture.model
      _ = result { try await model.createSeedling(on: twig, title: "Dance") }
      guard let seedling = model.garden.seedlings.first else { return XCTFail("seedling") }
      let dialogs: [(typed: String, make: @MainActor () -> PlantDialog)] = [
        ("from nothing", { PlantDialog(fixture.context) }),
        ("another of the leaf", { PlantDialog(fixture.context, prefill: model.continuation(ofLeaf: leaf.id)) }),
        ("dancing", { PlantDialog(fixture.context, seedling: seedling) }),
      ]
      for (typed, make) in dialogs {
        make().present()
        guard let dialog = window("Plant a Sprout") else { return }
        XCTAssertNotEqual(dialog.field("What will you grow?")?.text, typed)
        dialog.field("What will you grow?")?.text = typed
        dialog.press("Close")
        waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      }
      for (typed, make) in dialogs {
        make().present()
        guard let dialog = window("Plant a Sprout") else { return }
        waitFor(typed) { dialog.field("What will you grow?")?.text == typed }
        dialog.press("Close")
        waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      }
      fixture.close()
    }
  }
}

/// Opens the dialog as the command does.
@MainActor private func open(_ fixture: DialogFixture) -> Widget? {
  PlantDialog(fixture.context).present()
  return window("Plant a Sprout")
}
