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
      dialog.press("Plant −3")
      dialog.press("Plant −3")
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

  func testAMissingTitleLosesNothing() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      PlantDialog(fixture.context).present()
      guard let dialog = window("Plant a Sprout") else { return }
      dialog.field("Budding")?.text = "The lake"
      dialog.press("Plant −3")
      waitFor("the reason") { dialog.shownTexts.contains("Give it a name first.") }
      XCTAssertEqual(dialog.field("Budding")?.text, "The lake")
      dialog.field("What will you grow?")?.text = String(repeating: "a", count: 61)
      XCTAssertTrue(dialog.shownTexts.contains("61 / 60"))
      dialog.press("Plant −3")
      waitFor("the reason") { dialog.shownTexts.contains("The title is 61 characters long. The limit is 60.") }
      XCTAssertEqual(fixture.model.garden.sprouts.count, 0)
      fixture.close()
    }
  }

  func testAnUnaffordableSproutShowsTheReason() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      PlantDialog(fixture.context).present()
      guard let dialog = window("Plant a Sprout") else { return }
      for (season, cost, reason) in [
        ("1 year", "12", "This needs 12 soil, but you have only 10"), ("6 months", "8", ""),
      ] {
        for button in dialog.buttons(season) { gtk_toggle_button_set_active(button.cast(), 1) }
        waitFor("the price") { dialog.buttons("Plant −" + cost).count == 1 }
        XCTAssertEqual(gtk_widget_is_sensitive(dialog.buttons("Plant −" + cost)[0]) != 0, reason.isEmpty)
        XCTAssertEqual(dialog.shownTexts.contains { $0.hasPrefix("This needs") }, !reason.isEmpty)
        XCTAssertTrue(dialog.shownTexts.contains { $0.hasPrefix(reason) })
      }
      // Events that arrive while the dialog is open count.
      fixture.plant("Another", on: "CORE/sleep", season: .threeMonths)
      waitFor("the change") {
        dialog.shownTexts.contains { $0.hasPrefix("This needs 8 soil, but only 5.00 is free.") }
      }
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
      dialog.press("Plant −3")
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
      XCTAssertEqual(gtk_widget_is_sensitive(dialog.buttons("Plant −5")[0]), 0)
      for button in dialog.buttons("2 weeks") { gtk_toggle_button_set_active(button.cast(), 1) }
      waitFor("the price") { dialog.buttons("Plant −3").count == 1 }
      dialog.press("Plant −3")
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
      for choice in ["2 weeks", "Firm"] {
        for button in dialog.buttons(choice) { gtk_toggle_button_set_active(button.cast(), 1) }
      }
      dialog.pick("Branch").map { adw_combo_row_set_selected($0.cast(), 4) }
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
      XCTAssertEqual(again.pick("Branch").map { adw_combo_row_get_selected($0.cast()) }, 4)
      XCTAssertEqual(again.buttons("Plant −3").count, 1, "two weeks on firm ground")
      again.press("Plant −3")
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
      dialog.press("Plant −3")
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
