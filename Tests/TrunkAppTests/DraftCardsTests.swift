import CGtk
import EventStore
import GtkKit
import Observation
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class DraftCardsTests: WidgetTestCase {
  func testADiscardedDraftCanBeRestored() throws {
    try withCards { fixture, cards, cello in
      XCTAssertFalse(cards.isMapped)
      fixture.keep("Half a line", about: cello)
      waitFor("the draft") { cards.shownTexts.contains("Half a line") }
      XCTAssertTrue(cards.shownTexts.contains("Water “Cello”"), "\(cards.shownTexts)")
      cards.press("Discard")
      waitFor("nothing") { !cards.isMapped }
      XCTAssertNil(fixture.draft(.water, about: cello))
      fixture.context.window.press("Undo")
      waitFor("the draft") { cards.shownTexts.contains("Half a line") }
      XCTAssertEqual(fixture.draft(.water, about: cello), "Half a line")
    }
  }

  func testADiscardedDraftIsUndoneByTheCommand() throws {
    try withCards { fixture, cards, cello in
      XCTAssertFalse(fixture.context.foot.undo(), "nothing to undo")
      fixture.keep("Half a line", about: cello)
      waitFor("the draft") { cards.shownTexts.contains("Half a line") }
      cards.press("Discard")
      waitFor("nothing") { !cards.isMapped }
      XCTAssertTrue(fixture.context.foot.undo())
      waitFor("the draft") { cards.shownTexts.contains("Half a line") }
      XCTAssertFalse(fixture.context.foot.undo(), "only once")
    }
  }

  func testEachDraftContinuesInItsForm() throws {
    try withCards { fixture, cards, cello in
      var commands: [String] = []
      fixture.context.window.insertActions(as: "win") { group in
        group.addAction("shine") { commands.append("shine") }
        group.addAction("water", target: { commands.append("water::" + $0) })
      }
      var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 0))
      form.title = "Run"
      let slot = DraftKey.plantForm(from: "leaf-1")
      fixture.keep("Half a line", about: cello)
      _ = result { [model = fixture.model] in
        try await model.save(DraftContent("We laughed", .sun, about: ""))
        try await model.save(DraftContent(form, in: slot))
      }
      waitFor("the drafts") { cards.buttons("Continue").count == 3 }
      for button in cards.buttons("Continue") { press(button) }
      XCTAssertEqual(commands, ["shine", "water::" + cello])
      guard let dialog = window("Plant a Sprout") else { return }
      waitFor("the form") { dialog.field("What will you grow?")?.text == "Run" }
    }
  }

  func testADraftThatCannotBeContinuedShowsTheReason() throws {
    try withCards { fixture, cards, cello in
      fixture.water(cello, "Done")
      fixture.keep("And one more thing", about: cello)
      waitFor("the reason") { cards.shownTexts.contains("“Cello” was already watered today.") }
      XCTAssertEqual(cards.buttons("Continue").map(\.isSensitive), [false])
      fixture.advance(days: 1)
      waitFor("the next day") { cards.buttons("Continue").map(\.isSensitive) == [true] }
    }
  }

  func testADraftAboutAnEndedSproutCanBeReadAndCopied() throws {
    try withCards { fixture, cards, cello in
      let text = "One\nTwo\nThree\nFour"
      fixture.keep(text, about: cello)
      waitFor("the beginning") { cards.shownTexts.contains("One Two Three Four") }
      _ = result { [model = fixture.model] in try await model.uproot(cello, creatingSeedling: false) }
      waitFor("the whole text") { cards.shownTexts.contains(text) }
      let label = cards.descendants.first {
        $0.typeName == "GtkLabel" && String(cString: gtk_label_get_text($0.cast())) == text
      }
      XCTAssertEqual(label.map { gtk_label_get_selectable($0.cast()) }, 1)
      XCTAssertEqual(label.map { gtk_label_get_lines($0.cast()) }, -1)
    }
  }

  func testADraftOutlivesAPlantingThatIsUndone() throws {
    try withCards { fixture, cards, _ in
      var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 0))
      form.title = "Run"
      let filledIn = form
      guard let run = result(of: { [model = fixture.model] in try await model.plant(filledIn) }) else { return }
      fixture.keep("Half a line\nand more", about: run)
      waitFor("the draft") { cards.shownTexts.contains("Water “Run”") }
      _ = result { [model = fixture.model] in try await model.undo() }
      waitFor("the reason") { cards.shownTexts.contains("This sprout is not in the garden.") }
      XCTAssertTrue(cards.shownTexts.contains("Half a line\nand more"), "\(cards.shownTexts)")
      XCTAssertTrue(cards.shownTexts.contains("Water"), "\(cards.shownTexts)")
    }
  }

  func testADraftAppearsWhenItsDialogIsClosed() throws {
    try withCards { fixture, cards, cello in
      WaterDialog(fixture.context, first: cello).present()
      guard let dialog = window("Water") else { return }
      waitFor("the field") { dialog.textViews.count == 1 }
      dialog.textViews.first?.typed = "Half a line"
      // Reads the drafts twice after each change: the cards, which read once, would be finished by then.
      var seen: [String] = []
      let follower = Task { [model = fixture.model] in
        for await _ in Observations({ model.draftRevision }) {
          _ = try await model.unfinishedDrafts()
          seen = try await model.unfinishedDrafts().map(\.text)
        }
      }
      waitFor("the draft on disk") { seen == ["Half a line"] }
      follower.cancel()
      XCTAssertFalse(cards.isMapped)
      gtk_window_close(dialog.cast())
      waitFor("the draft") { cards.shownTexts.contains("Half a line") }
    }
  }

  func testASproutsPageShowsOnlyItsDrafts() throws {
    try MainActor.assumeIsolated {
      let fixture = try XCTUnwrap(DialogFixture())
      let (cello, run) = (fixture.plant("Cello", on: "VOICE/practice"), fixture.plant("Run", on: "CORE/movement"))
      let page = SproutPage(fixture.context, sproutID: cello) {}
      fixture.context.foot.setContent(page.widget)
      fixture.keep("About running", about: run)
      fixture.keep("About bar nine", about: cello)
      waitFor("the draft") { page.widget.shownTexts.contains("About bar nine") }
      XCTAssertFalse(page.widget.shownTexts.contains("About running"))
      fixture.close()
    }
  }

  func testAPlantFormContinuesWhenItsIdeaIsGone() throws {
    try MainActor.assumeIsolated {
      let fixture = try XCTUnwrap(DialogFixture())
      var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 0))
      form.title = "Run"
      let draft = form
      let slot = DraftKey.plantForm(from: "seedling-gone")
      _ = result { [model = fixture.model] in try await model.save(DraftContent(draft, in: slot)) }
      PlantDialog(fixture.context, continuing: slot).present()
      guard let dialog = window("Plant a Sprout") else { return }
      waitFor("the form") { dialog.field("What will you grow?")?.text == "Run" }
      fixture.close()
    }
  }

  /// - Parameter body: called with a garden, its visible cards, and the id of its only sprout.
  private func withCards(_ body: @MainActor (DialogFixture, Widget, String) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let fixture = try XCTUnwrap(DialogFixture())
      let cello = fixture.plant("Cello", on: "VOICE/practice")
      let cards = DraftCards(fixture.context).widget
      fixture.context.foot.setContent(column(label("Today"), cards))
      try body(fixture, cards, cello)
      fixture.close()
    }
  }
}

extension DialogFixture {
  fileprivate func keep(_ text: String, about sproutID: String) {
    _ = result { [model] in try await model.save(DraftContent(text, .water, about: sproutID)) }
  }
}
