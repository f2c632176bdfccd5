import CGtk
import GtkKit
import TrunkAccount
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class ShineDialogTests: WidgetTestCase {
  func testShiningNeedsATextAndWorksOnceAWeek() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      ShineDialog(fixture.context).present()
      guard let dialog = window("Shine") else { return }
      waitFor("a question") { !dialog.question.isEmpty }
      dialog.press("Answer")
      XCTAssertTrue(dialog.shownTexts.contains("Write a few words first."))
      let place = dialog.shownTexts.first { $0.contains(" · ") }
      dialog.press("Another Twig")
      XCTAssertNotEqual(dialog.shownTexts.first { $0.contains(" · ") }, place)
      let question = dialog.question
      dialog.textViews.first?.typed = "We laughed."
      dialog.press("Answer")
      dialog.press("Answer")
      waitFor("the words") { dialog.shownTexts.contains("“We laughed.”") }
      type("key", "Return", into: "Shine")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      fixture.finishWriting()
      let garden = fixture.model.garden
      XCTAssertEqual(garden.journal.count, 1)
      let items = garden.items(garden.journal)
      let entry = result { [model = fixture.model] in try await model.entries(items) }?.first
      XCTAssertEqual(entry?.text, "We laughed.")
      XCTAssertEqual(entry?.question, question)
      XCTAssertNil(fixture.draft(.sun, about: ""))
      ShineDialog(fixture.context).present()
      guard let spent = window("Shine") else { return }
      XCTAssertTrue(spent.shownTexts.contains("It returns on Monday at 06:00."), "\(spent.shownTexts)")
      XCTAssertTrue(spent.textViews.isEmpty)
      // The new week comes while the dialog is open.
      fixture.advance(days: 5)
      waitFor("the light") { spent.textViews.count == 1 }
      fixture.close()
    }
  }

  func testAReflectionsDraftIsRestored() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      ShineDialog(fixture.context).present()
      guard let first = window("Shine") else { return }
      // The twig, its note and the question, one after the other.
      @MainActor func question(_ dialog: Widget) -> [String] {
        Array(dialog.shownTexts.drop { !$0.contains(" · ") }.prefix(3))
      }
      waitFor("the question") { question(first).count == 3 }
      let asked = question(first)
      first.textViews.first?.typed = "Half a thought"
      type("key", "Escape", into: "Shine")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      ShineDialog(fixture.context).present()
      waitFor("the text") { window("Shine")?.textViews.first?.typed == "Half a thought" }
      waitFor("the same question") { window("Shine").map(question) == asked }
      fixture.close()
    }
  }
}

final class EditDialogTests: WidgetTestCase {
  func testASproutMovesToANewLeaf() throws {
    try MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Ten kilometres", on: "CORE/movement", leaf: .new(name: "On foot"))
      EditDialog(fixture.context, id).present()
      guard let dialog = window("Edit the Sprout"), let pick = dialog.pick("Leaf") else { return }
      XCTAssertEqual(dialog.field("Name of the new leaf")?.isMapped, false)
      pick.selectedItem = 1
      let name = try XCTUnwrap(dialog.field("Name of the new leaf"))
      waitFor("the name") { name.isMapped && name.containsFocus }
      name.text = String(repeating: "x", count: 41)
      picture(dialog, "edit-new-leaf")
      dialog.press("Save")
      waitFor("the limit") {
        dialog.shownTexts.contains("The name of the leaf is 41 characters long. The limit is 40.")
      }
      name.text = "By the river"
      dialog.press("Save")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      let garden = fixture.model.garden
      XCTAssertEqual(garden.leaves.map(\.name), ["On foot", "By the river"])
      XCTAssertEqual(garden.sprout(id: id)?.leafID, garden.leaves.last?.id)
      fixture.close()
    }
  }

  func testTypingContinuesTheTitle() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Ten kilometres", on: "CORE/movement")
      EditDialog(fixture.context, id).present()
      guard let dialog = window("Edit the Sprout") else { return }
      waitFor("the dialog") { gtk_widget_get_mapped(dialog) != 0 }
      type("type", "!", into: "Edit the Sprout")
      waitFor("the text") { dialog.field("Title")?.text == "Ten kilometres!" }
      fixture.close()
    }
  }

  func testUnfinishedLinesStayADraft() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let model = fixture.model
      let id = fixture.plant("Ten kilometres", on: "CORE/movement", blooms: ["Walking", "Half", "Calm"])
      EditDialog(fixture.context, id).present()
      guard let dialog = window("Edit the Sprout") else { return }
      dialog.field("Title")?.text = "A marathon"
      dialog.field("Budding")?.text = "Half of it"
      dialog.pick("Leaf").map { adw_combo_row_set_selected($0.cast(), 1) }
      dialog.field("Name of the new leaf")?.text = "On foot"
      type("key", "Escape", into: "Edit the Sprout")
      waitFor("the message") { fixture.context.window.shownTexts.contains("Your draft is saved.") }
      XCTAssertEqual(result { try await model.unfinishedDrafts() }, [], "it is in its form")
      // A line that the user has left as it was may change in the meantime.
      _ = result { try await model.edit(id, bloomFlourish: "Calm and quick") }
      EditDialog(fixture.context, id).present()
      guard let again = window("Edit the Sprout") else { return }
      waitFor("the title") { again.field("Title")?.text == "A marathon" }
      XCTAssertEqual(again.field("Name of the new leaf")?.text, "On foot")
      again.press("Save")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      let sprout = model.garden.sprout(id: id)
      XCTAssertEqual(sprout?.title, "A marathon")
      XCTAssertEqual(sprout?.bloomBudding, "Half of it")
      XCTAssertEqual(sprout?.bloomFlourish, "Calm and quick")
      XCTAssertEqual(model.garden.leaves.last?.name, "On foot")
      XCTAssertEqual(result { try await model.store.drafts() }, [])
      fixture.close()
    }
  }

  func testOnlyChangedFieldsAreWritten() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant(
        "Ten kilometres", on: "CORE/movement", season: .oneMonth, blooms: ["Walking", "Half", "Calm"])
      let leaf = fixture.model.garden.leaves.first?.id
      fixture.plant("Stairs", on: "CORE/movement", season: .twoWeeks)
      EditDialog(fixture.context, id).present()
      guard let dialog = window("Edit the Sprout") else { return }
      dialog.field("Withering")?.text = ""
      dialog.field("Budding")?.text = "Half of it <walking> & more"
      type("key", "ctrl+Return", into: "Edit the Sprout")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      let edit = fixture.latestEvent
      guard case .sproutEdited(let edited) = edit?.payload else { return XCTFail("\(String(describing: edit))") }
      XCTAssertEqual(edited.bloomWither, "")
      XCTAssertEqual(edited.bloomBudding, "Half of it <walking> & more")
      XCTAssertNil(edited.title)
      XCTAssertNil(edited.bloomFlourish)
      XCTAssertNil(edited.leafID)

      let count = fixture.model.garden.eventCount
      EditDialog(fixture.context, id).present()
      window("Edit the Sprout")?.press("Save")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.eventCount, count)

      EditDialog(fixture.context, id).present()
      guard let again = window("Edit the Sprout") else { return }
      again.pick("Leaf").map { adw_combo_row_set_selected($0.cast(), 1) }
      again.press("Save")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertNotEqual(fixture.model.garden.sprout(id: id)?.leafID, leaf)
      fixture.close()
    }
  }

  func testATextThatIsTooLongElsewhereDoesNotBlock() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let now = fixture.time.tick()
      let long = String(repeating: "long ", count: 40)
      let planted = Event(
        .sproutPlanted(
          .init(
            sproutID: "sprout-1", twigID: "branch-0-twig-0", title: long, season: .oneMonth, environment: .firm,
            soilCost: 5, leafID: "leaf-nowhere")), at: now, clientID: Event.clientID(at: now, random: 1))
      _ = result { [model = fixture.model] in try await model.importEvents([planted]) }
      EditDialog(fixture.context, "sprout-1").present()
      guard let dialog = window("Edit the Sprout") else { return }
      dialog.field("Budding")?.text = "Half"
      dialog.press("Save")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      XCTAssertEqual(fixture.model.garden.sprout(id: "sprout-1")?.bloomBudding, "Half")
      XCTAssertEqual(fixture.model.garden.sprout(id: "sprout-1")?.title, long)
      fixture.close()
    }
  }
}

final class SmallDialogTests: WidgetTestCase {
  func testAnUprootedSproutCanStayAsAnIdea() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Swim & <sail>", on: "CORE/sport")
      fixture.water(id, "Salt in my hair")
      UprootDialog(fixture.context, id).present()
      guard let dialog = window("Uproot") else { return }
      XCTAssertTrue(dialog.shownTexts.contains("Uproot “Swim & <sail>”?"), "\(dialog.shownTexts)")
      XCTAssertTrue(dialog.shownTexts.contains { $0.hasPrefix("A quarter of its soil comes back.") })
      waitFor("what was written") { dialog.shownTexts.contains("Salt in my hair") }
      for toggle in dialog.descendants where toggle.typeName == "GtkSwitch" { gtk_switch_set_active(toggle.cast(), 1) }
      dialog.press("Uproot")
      waitFor("the seedling") { fixture.model.garden.seedlings.map(\.title) == ["Swim & <sail>"] }
      XCTAssertEqual(fixture.model.garden.sprout(id: id)?.isActive, false)
      XCTAssertEqual(fixture.model.garden.available, 6.3)
      let rest =
        "There is room again for a sprout of three months. What you wrote stays in the journal. The idea waits among your seedlings."
      waitFor("what stays") { dialog.shownTexts.contains(rest) }
      XCTAssertTrue(dialog.shownTexts.contains("“Salt in my hair”"), "the last words stay")
      XCTAssertEqual(dialog.shownTexts.filter { $0.contains(where: \.isNumber) }, [], "no digits")
      waitFor("the button") { !dialog.buttons("Undo").isEmpty }
      dialog.press("Undo")
      waitFor("the question") { dialog.shownTexts.contains("Uproot “Swim & <sail>”?") }
      XCTAssertEqual(fixture.model.garden.sprout(id: id)?.isActive, true)
      fixture.close()
    }
  }

  func testAnIdeaIsNoted() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      SeedlingDialog(fixture.context).present()
      guard let dialog = window("Note an Idea") else { return }
      dialog.field("What could grow?")?.text = "Visit the lighthouse"
      dialog.textViews.first?.typed = "In autumn"
      dialog.press("Save")
      XCTAssertEqual(dialog.field("Where")?.containsFocus, true, "a place is missing")
      dialog.choosePlace("Heart · joy")
      XCTAssertTrue(dialog.shownTexts.contains { $0.hasSuffix("It stays on this twig.") })
      type("key", "ctrl+Return", into: "Note an Idea")
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      fixture.finishWriting()
      XCTAssertTrue(fixture.context.window.shownTexts.contains("Seedling saved"))
      XCTAssertEqual(fixture.context.window.buttons("Show").count, 1)
      let seedlings = fixture.model.garden.seedlings
      XCTAssertEqual(seedlings.map(\.title), ["Visit the lighthouse"])
      XCTAssertEqual(seedlings.first?.notes, "In autumn")
      XCTAssertEqual(seedlings.first?.twigID, Node(path: "heart/joy")?.id)
      fixture.close()
    }
  }

  func testAnIdeaSurvivesEscape() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let cards = DraftCards(fixture.context)
      fixture.context.foot.setContent(cards.widget)
      @MainActor func open() -> Widget? {
        SeedlingDialog(fixture.context).present()
        return window("Note an Idea")
      }
      guard let first = open() else { return }
      first.field("What could grow?")?.text = "Visit the lighthouse"
      first.textViews.first?.typed = "In autumn,\nby bus"
      first.choosePlace("Heart · joy")
      type("key", "Escape", into: "Note an Idea")
      waitFor("the message") { fixture.context.window.shownTexts.contains("Your draft is saved.") }
      waitFor("the card") { cards.widget.shownTexts.contains("Note an Idea") }
      guard let second = open() else { return }
      waitFor("the title") { second.field("What could grow?")?.text == "Visit the lighthouse" }
      XCTAssertEqual(second.textViews.first?.typed, "In autumn,\nby bus")
      XCTAssertEqual(second.field("Where")?.text, "Heart · joy")
      // The second press must not save another idea.
      for _ in 1...2 { second.press("Save") }
      waitFor("the end of the dialog") { fixture.dialogs.isEmpty }
      waitFor("no card") { !cards.widget.isMapped }
      XCTAssertEqual(fixture.model.garden.seedlings.map(\.notes), ["In autumn,\nby bus"])
      guard let third = open() else { return }
      waitForFrames(of: third)
      XCTAssertEqual(third.field("What could grow?")?.text, "", "the draft became a seedling")
      fixture.close()
    }
  }

  func testUnknownObjectsShowAnError() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      EditDialog(fixture.context, "sprout-none").present()
      waitFor("the reason") { fixture.context.window.shownTexts.contains("This sprout is not in the garden.") }
      XCTAssertTrue(fixture.dialogs.isEmpty)
      fixture.close()
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

final class DialogSizeTests: WidgetTestCase {
  func testADialogIsAsHighAsItsContent() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      for text in ["Two kilometres.", String(repeating: "Along the river and back, with a rest. ", count: 6)] {
        let id = fixture.plant("Ten kilometres without stopping", on: "CORE/movement", daysAgo: 40)
        for day in [Int64(9), 2] { fixture.water(id, text, daysAgo: day) }
        UprootDialog(fixture.context, id).present()
        guard let dialog = window("Uproot") else { return }
        waitFor("the entries") { dialog.shownTexts.contains { $0.hasPrefix(text.prefix(10)) } }
        waitFor("all of it in sight: \(dialog.hiddenHeight)") { dialog.hiddenHeight == 0 }
        picture(dialog, "uproot-fit")
        gtk_window_destroy(dialog.cast())
      }
      fixture.close()
    }
  }
}

extension Widget {
  @MainActor fileprivate var pageAdjustment: UnsafeMutablePointer<GtkAdjustment>? {
    descendants.first { gtk_widget_has_css_class($0, "page-scroller") != 0 && gtk_widget_get_mapped($0) != 0 }
      .flatMap { gtk_scrolled_window_get_vadjustment($0.cast()) }
  }

  /// How much of a dialog's content has to be scrolled into view, in pixels.
  @MainActor var hiddenHeight: Double {
    guard let adjustment = pageAdjustment else { return -1 }
    return gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
  }

  @MainActor var scrolledDistance: Double? { pageAdjustment.map { gtk_adjustment_get_value($0) } }
}

final class StorageDialogTests: WidgetTestCase {
  func testTheFocusIsOnAButtonAndNotInAValue() throws {
    try MainActor.assumeIsolated {
      let garden = try GardenWindow()
      defer { garden.close() }
      garden.window.addAction("backups") {}
      garden.present(label("Trunk"))
      StorageDialog(garden.context).present()
      let dialog = try garden.dialog("This Computer Only")
      waitFor("the number of entries") { dialog.shownTexts.contains("0") }
      XCTAssertEqual(dialog.focusedWidget?.typeName, "GtkButton")
    }
  }
}
