import CGtk
import GtkKit
import TrunkAccount
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class ShineDialogTests: WidgetTestCase {
  func testTheSunNeedsWordsAndShinesOnce() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      ShineDialog(house.context).present()
      guard let dialog = window("Shine") else { return }
      turn(until: "a question") { !dialog.question.isEmpty }
      dialog.press("Shine +0.35")
      XCTAssertTrue(dialog.shownTexts.contains("Write a few words first."))
      let place = dialog.shownTexts.first { $0.contains(" · ") }
      dialog.press("Another Twig")
      XCTAssertNotEqual(dialog.shownTexts.first { $0.contains(" · ") }, place)
      let question = dialog.question
      dialog.textViews.first?.typed = "We laughed."
      dialog.press("Shine +0.35")
      dialog.press("Shine +0.35")
      turn(until: "the end of the dialog") { house.dialogs.isEmpty }
      house.finishWriting()
      let garden = house.model.garden
      XCTAssertEqual(garden.journal.count, 1)
      let items = garden.items(garden.journal)
      let entry = result { [model = house.model] in try await model.entries(items) }?.first
      XCTAssertEqual(entry?.text, "We laughed.")
      XCTAssertEqual(entry?.question, question)
      XCTAssertNil(house.draft(.sun, about: ""))
      ShineDialog(house.context).present()
      guard let spent = window("Shine") else { return }
      XCTAssertTrue(spent.shownTexts.contains("It returns on Monday at 06:00."), "\(spent.shownTexts)")
      XCTAssertTrue(spent.textViews.isEmpty)
      // The new week comes while the dialog is open.
      house.pass(days: 5)
      turn(until: "the light") { spent.textViews.count == 1 }
      house.close()
    }
  }

  func testAReflectionsDraftIsRestored() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      ShineDialog(house.context).present()
      guard let first = window("Shine") else { return }
      // The twig, its note and the question, one after the other.
      @MainActor func question(_ dialog: Widget) -> [String] {
        Array(dialog.shownTexts.drop { !$0.contains(" · ") }.prefix(3))
      }
      turn(until: "the question") { question(first).count == 3 }
      let asked = question(first)
      first.textViews.first?.typed = "Half a thought"
      type("key", "Escape", into: "Shine")
      turn(until: "the end of the dialog") { house.dialogs.isEmpty }
      ShineDialog(house.context).present()
      turn(until: "the text") { window("Shine")?.textViews.first?.typed == "Half a thought" }
      turn(until: "the same question") { window("Shine").map(question) == asked }
      house.close()
    }
  }
}

final class HarvestDialogTests: WidgetTestCase {
  func testAHarvestChangesTheSoilAndCanBeContinued() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant(
        "Ten kilometres", on: "CORE/movement", ground: .firm, daysAgo: 90,
        blooms: ["Walking", "", "A calm hour"], leaf: .new(name: "On foot"))
      HarvestDialog(house.context, id).present()
      guard let dialog = window("Harvest") else { return }
      XCTAssertTrue(dialog.shownTexts.contains("“Walking”"))
      XCTAssertTrue(dialog.shownTexts.contains("“A calm hour”"))
      XCTAssertTrue(dialog.results.allSatisfy { !$0.isChecked }, "no result is chosen for the user")
      let gains = (1...5).map { Soil.capacityGained(.threeMonths, .firm, result: $0, capacity: 10) }
      let range = "10.00 → " + Formats.soil(10 + gains[0]) + " … " + Formats.soil(10 + gains[4])
      XCTAssertTrue(dialog.shownTexts.contains(range), "\(dialog.shownTexts)")
      dialog.press("Harvest")
      XCTAssertTrue(dialog.shownTexts.contains("First choose how it grew."))
      XCTAssertEqual(house.model.garden.sprout(id: id)?.isActive, true)
      for button in dialog.buttons("4\nBloomed") { gtk_toggle_button_set_active(button.cast(), 1) }
      let gained = Soil.capacityGained(.threeMonths, .firm, result: 4, capacity: 10)
      let expected = "10.00 → " + Formats.soil(10 + gained)
      turn(until: expected) { dialog.shownTexts.contains(expected) }
      XCTAssertTrue(dialog.shownTexts.contains("+8"))
      dialog.textViews.first?.typed = "Not so far after all"
      dialog.press("Harvest")
      dialog.press("Harvest")
      turn(until: "the offer") { dialog.buttons("Continue “On foot”").count == 1 }
      let harvest = house.model.garden.sprout(id: id)?.harvest
      XCTAssertEqual(harvest?.result, 4)
      XCTAssertEqual(harvest?.reflection, "Not so far after all")
      XCTAssertEqual(house.model.garden.capacity, 10 + gained, accuracy: 1e-9)
      XCTAssertNil(house.draft(.harvest, about: id))
      dialog.press("Continue “On foot”")
      guard let next = window("Plant a Sprout") else { return }
      XCTAssertEqual(next.field("What will you grow?")?.text, "Ten kilometres")
      XCTAssertEqual(next.field("Withering")?.text, "Walking")
      next.press("Plant −8")
      turn(until: "the end of the dialog") { house.dialogs.isEmpty }
      XCTAssertEqual(house.model.garden.sprouts.map(\.leafID).count, 2)
      XCTAssertEqual(house.model.garden.leaves.map(\.name), ["On foot"])
      house.close()
    }
  }

  func testEntriesCanBeReadBeforeAndAfterAHarvest() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant(
        "Ten kilometres", on: "CORE/movement", daysAgo: 90, blooms: ["", "Half of it walking", "A calm hour"])
      let texts = ["", "Two kilometres and a bench.", "Rain, and nobody there.", "Fog up to the gate."]
      for (text, day) in zip(texts, [80, 70, 60, 50] as [Int64]) { house.water(id, text, daysAgo: day) }
      HarvestDialog(house.context, id).present()
      guard let dialog = window("Harvest") else { return }
      turn(until: "the first entry with words") { dialog.shownTexts.contains("Two kilometres and a bench.") }
      XCTAssertTrue(dialog.shownTexts.contains("9 September 2026, the first entry"), "\(dialog.shownTexts)")
      XCTAssertTrue(dialog.shownTexts.contains("29 September 2026, the last entry"))
      XCTAssertTrue(dialog.shownTexts.contains("Fog up to the gate."))
      XCTAssertFalse(dialog.shownTexts.contains("Rain, and nobody there."))
      dialog.press("Read All 4 Entries")
      guard let reading = window("What You Wrote") else { return }
      turn(until: "all entries") { reading.shownTexts.contains("Fog up to the gate.") }
      XCTAssertEqual(
        reading.shownTexts.filter { texts.contains($0) }, Array(texts.dropFirst()), "they read as a story")
      reading.press("Back")
      for button in dialog.buttons("5\nFlourished") { gtk_toggle_button_set_active(button.cast(), 1) }
      dialog.press("Harvest")
      let hope = "“A calm hour” You wrote this on 20 August 2026 for the day it would flourish."
      turn(until: "the page") { dialog.shownTexts.contains(hope) }
      for words in [
        "It took 90 days · 4 waterings · 5 of 5: Flourished", "Two kilometres and a bench.", "Fog up to the gate.",
      ] { turn(until: words) { dialog.shownTexts.contains(words) } }
      XCTAssertTrue(dialog.shownTexts.contains { $0.hasPrefix("5 soil is free again, and the garden grew by ") })
      XCTAssertTrue(dialog.textViews.isEmpty)
      house.close()
    }
  }

  func testUndoingAHarvestShowsTheFormAgain() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Ten kilometres", on: "CORE/movement", daysAgo: 90)
      HarvestDialog(house.context, id).present()
      guard let dialog = window("Harvest") else { return }
      turn(until: "the form") { dialog.textViews.count == 1 }
      dialog.textViews.first?.typed = "Not so far after all"
      for button in dialog.buttons("3\nBudded") { gtk_toggle_button_set_active(button.cast(), 1) }
      dialog.press("Harvest")
      turn(until: "the way back") { dialog.buttons("Undo").count == 1 }
      dialog.press("Undo")
      turn(until: "the text") { dialog.textViews.first?.typed == "Not so far after all" }
      XCTAssertEqual(house.model.garden.sprout(id: id)?.isActive, true)
      house.close()
    }
  }

  func testAnUnreadySproutCannotBeHarvested() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Ten kilometres", on: "CORE/movement", daysAgo: 89)
      HarvestDialog(house.context, id).present()
      guard let dialog = window("Harvest"), let actionButton = dialog.buttons("Harvest").first else { return }
      XCTAssertEqual(gtk_widget_is_sensitive(actionButton), 0)
      XCTAssertTrue(dialog.shownTexts.contains("“Ten kilometres” can be harvested from 19 November 2026."))
      house.pass(days: 1)
      turn(until: "the day") { gtk_widget_is_sensitive(actionButton) != 0 }
      house.close()
    }
  }
}

final class EditDialogTests: WidgetTestCase {
  func testOnlyChangedFieldsAreWritten() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant(
        "Ten kilometres", on: "CORE/movement", season: .oneMonth, blooms: ["Walking", "Half", "Calm"])
      let leaf = house.model.garden.leaves.first?.id
      house.plant("Stairs", on: "CORE/movement", season: .twoWeeks)
      EditDialog(house.context, id).present()
      guard let dialog = window("Edit the Sprout") else { return }
      dialog.field("Withering")?.text = ""
      dialog.field("Budding")?.text = "Half of it <walking> & more"
      dialog.press("Save")
      turn(until: "the end of the dialog") { house.dialogs.isEmpty }
      let edit = house.latestEvent
      guard case .sproutEdited(let edited) = edit?.payload else { return XCTFail("\(String(describing: edit))") }
      XCTAssertEqual(edited.bloomWither, "")
      XCTAssertEqual(edited.bloomBudding, "Half of it <walking> & more")
      XCTAssertNil(edited.title)
      XCTAssertNil(edited.bloomFlourish)
      XCTAssertNil(edited.leafID)

      let count = house.model.garden.eventCount
      EditDialog(house.context, id).present()
      window("Edit the Sprout")?.press("Save")
      turn(until: "the end of the dialog") { house.dialogs.isEmpty }
      XCTAssertEqual(house.model.garden.eventCount, count)

      EditDialog(house.context, id).present()
      guard let again = window("Edit the Sprout") else { return }
      again.pick("Leaf").map { adw_combo_row_set_selected($0.cast(), 1) }
      again.press("Save")
      turn(until: "the end of the dialog") { house.dialogs.isEmpty }
      XCTAssertNotEqual(house.model.garden.sprout(id: id)?.leafID, leaf)
      house.close()
    }
  }

  func testATextThatIsTooLongElsewhereDoesNotBlock() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let now = house.time.tick()
      let long = String(repeating: "long ", count: 40)
      let planted = Event(
        .sproutPlanted(
          .init(
            sproutID: "sprout-1", twigID: "branch-0-twig-0", title: long, season: .oneMonth, environment: .firm,
            soilCost: 5, leafID: "leaf-nowhere")), at: now, clientID: Event.clientID(at: now, random: 1))
      _ = result { [model = house.model] in try await model.importEvents([planted]) }
      EditDialog(house.context, "sprout-1").present()
      guard let dialog = window("Edit the Sprout") else { return }
      dialog.field("Budding")?.text = "Half"
      dialog.press("Save")
      turn(until: "the end of the dialog") { house.dialogs.isEmpty }
      XCTAssertEqual(house.model.garden.sprout(id: "sprout-1")?.bloomBudding, "Half")
      XCTAssertEqual(house.model.garden.sprout(id: "sprout-1")?.title, long)
      house.close()
    }
  }
}

final class SmallDialogTests: WidgetTestCase {
  func testAnUprootedSproutCanStayAsAnIdea() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Swim & <sail>", on: "CORE/sport")
      house.water(id, "Salt in my hair")
      UprootDialog(house.context, id).present()
      guard let dialog = window("Uproot") else { return }
      XCTAssertTrue(dialog.shownTexts.contains("Uproot “Swim & <sail>”?"), "\(dialog.shownTexts)")
      XCTAssertTrue(dialog.shownTexts.contains { $0.hasPrefix("You get back 1.25 of the 5 soil it cost.") })
      turn(until: "what was written") { dialog.shownTexts.contains("Salt in my hair") }
      for toggle in dialog.descendants where toggle.typeName == "GtkSwitch" { gtk_switch_set_active(toggle.cast(), 1) }
      dialog.press("Uproot")
      turn(until: "the seedling") { house.model.garden.seedlings.map(\.title) == ["Swim & <sail>"] }
      XCTAssertEqual(house.model.garden.sprout(id: id)?.isActive, false)
      XCTAssertEqual(house.model.garden.available, 6.3)
      let rest = "1.25 soil is free again. What you wrote stays in the journal. The idea waits among your seedlings."
      turn(until: "what stays") { dialog.shownTexts.contains(rest) }
      dialog.press("Undo")
      turn(until: "the question") { dialog.shownTexts.contains("Uproot “Swim & <sail>”?") }
      XCTAssertEqual(house.model.garden.sprout(id: id)?.isActive, true)
      house.close()
    }
  }

  func testAnIdeaIsNoted() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      SeedlingDialog(house.context).present()
      guard let dialog = window("Note an Idea") else { return }
      dialog.field("What could grow?")?.text = "Visit the lighthouse"
      dialog.textViews.first?.typed = "In autumn"
      dialog.pick("Branch").map { adw_combo_row_set_selected($0.cast(), 4) }
      dialog.pick("Twig").map { adw_combo_row_set_selected($0.cast(), 6) }
      XCTAssertTrue(dialog.shownTexts.contains(Node.twig(branch: 4, twig: 6).presetNote))
      dialog.press("Save")
      dialog.press("Save")
      turn(until: "the end of the dialog") { house.dialogs.isEmpty }
      house.finishWriting()
      XCTAssertTrue(house.context.window.shownTexts.contains("Seedling saved"))
      XCTAssertEqual(house.context.window.buttons("Show").count, 1)
      let seedlings = house.model.garden.seedlings
      XCTAssertEqual(seedlings.map(\.title), ["Visit the lighthouse"])
      XCTAssertEqual(seedlings.first?.notes, "In autumn")
      XCTAssertEqual(seedlings.first?.twigID, "branch-4-twig-6")
      house.close()
    }
  }

  func testUnknownObjectsShowAnError() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      EditDialog(house.context, "sprout-none").present()
      turn(until: "the reason") { house.context.window.shownTexts.contains("This sprout is not in the garden.") }
      XCTAssertTrue(house.dialogs.isEmpty)
      house.close()
    }
  }
}

extension Widget {
  /// The question that can be seen.
  @MainActor fileprivate var question: String {
    descendants.first { $0.typeName == "GtkLabel" && gtk_widget_has_css_class($0, "question") != 0 }
      .map { String(cString: gtk_label_get_text($0.cast())) } ?? ""
  }
}

extension Widget {
  /// The tiles of the results that can be seen.
  @MainActor fileprivate var results: [Widget] {
    descendants.filter {
      $0.typeName == "GtkToggleButton" && gtk_widget_get_mapped($0) != 0
        && $0.parent.map { gtk_widget_has_css_class($0, "tiles") != 0 } == true
    }
  }

  @MainActor fileprivate var isChecked: Bool { gtk_toggle_button_get_active(cast()) != 0 }
}

final class DialogSizeTests: WidgetTestCase {
  func testADialogIsAsHighAsItsContent() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      for words in ["Two kilometres.", String(repeating: "Along the river and back, with a rest. ", count: 6)] {
        let id = house.plant("Ten kilometres without stopping", on: "CORE/movement", daysAgo: 40)
        for day in [Int64(9), 2] { house.water(id, words, daysAgo: day) }
        UprootDialog(house.context, id).present()
        guard let dialog = window("Uproot") else { return }
        turn(until: "the entries") { dialog.shownTexts.contains { $0.hasPrefix(words.prefix(10)) } }
        turn(until: "all of it in sight: \(dialog.hiddenHeight)") { dialog.hiddenHeight == 0 }
        picture(dialog, "uproot-fit")
        gtk_window_destroy(dialog.cast())
      }
      house.close()
    }
  }

  func testAHarvestBeginsAtItsTopInANarrowWindow() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      gtk_window_set_default_size(house.context.window.cast(), 360, 700)
      turn(until: "the width") { house.context.window.width <= 360 }
      let id = house.plant(
        "Ten kilometres without stopping", on: "CORE/movement", season: .oneMonth, daysAgo: 45,
        blooms: ["Walking most of it", "Half of it walking", "A calm, even hour"])
      // The results, which have the focus, are below the edge.
      let words = String(repeating: "On the way, and further than last week. ", count: 12)
      for day in [Int64(9), 5, 2] { house.water(id, words, daysAgo: day) }
      HarvestDialog(house.context, id).present()
      guard let dialog = window("Harvest") else { return }
      turn(until: "the entries") { dialog.shownTexts.contains { $0.hasPrefix("On the way") } }
      turn(until: "the focus") { dialog.focusedWidget != nil }
      var frames = 0
      dialog.onFrame {
        frames += 1
        dialog.redraw()
        return frames < 5
      }
      dialog.redraw()
      turn(until: "some frames") { frames == 5 }
      picture(dialog, "harvest-narrow-top")
      XCTAssertEqual(dialog.scrolledDistance, 0)
      house.close()
    }
  }
}

extension Widget {
  @MainActor fileprivate var pageAdjustment: UnsafeMutablePointer<GtkAdjustment>? {
    descendants.first { gtk_widget_has_css_class($0, "page-scroller") != 0 && gtk_widget_get_mapped($0) != 0 }
      .flatMap { gtk_scrolled_window_get_vadjustment($0.cast()) }
  }

  /// How much of a dialog's content has to be scrolled into view, in pixels.
  @MainActor fileprivate var hiddenHeight: Double {
    guard let adjustment = pageAdjustment else { return -1 }
    return gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
  }

  @MainActor fileprivate var scrolledDistance: Double? { pageAdjustment.map { gtk_adjustment_get_value($0) } }
}
