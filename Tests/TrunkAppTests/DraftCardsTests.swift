import CGtk
import GtkKit
import Observation
import TrunkAccount
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class DraftCardsTests: WidgetTestCase {
  func testADraftIsDiscardedAndBroughtBack() throws {
    try withCards { house, cards, cello in
      XCTAssertFalse(cards.isMapped)
      house.keep("Half a line", about: cello)
      turn(until: "the draft") { cards.shownTexts.contains("Half a line") }
      XCTAssertTrue(cards.shownTexts.contains("Water “Cello”"), "\(cards.shownTexts)")
      cards.press("Discard")
      turn(until: "nothing") { !cards.isMapped }
      XCTAssertNil(house.draft(.water, about: cello))
      house.context.window.press("Undo")
      turn(until: "the draft") { cards.shownTexts.contains("Half a line") }
      XCTAssertEqual(house.draft(.water, about: cello), "Half a line")
    }
  }

  func testADiscardedDraftIsUndoneByTheCommand() throws {
    try withCards { house, cards, cello in
      XCTAssertFalse(house.context.toaster.undo(), "nothing to undo")
      house.keep("Half a line", about: cello)
      turn(until: "the draft") { cards.shownTexts.contains("Half a line") }
      cards.press("Discard")
      turn(until: "nothing") { !cards.isMapped }
      XCTAssertTrue(house.context.toaster.undo())
      turn(until: "the draft") { cards.shownTexts.contains("Half a line") }
      XCTAssertFalse(house.context.toaster.undo(), "only once")
    }
  }

  func testEachDraftContinuesInItsForm() throws {
    try withCards { house, cards, cello in
      var commands: [String] = []
      house.context.window.insertActions(as: "win") { group in
        group.addAction("shine") { commands.append("shine") }
        for name in ["water", "continue-planting"] {
          group.addAction(name, target: { commands.append(name + "::" + $0) })
        }
      }
      var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 0))
      form.title = "Run"
      house.keep("Half a line", about: cello)
      _ = result { [model = house.model] in
        try await model.save(DraftContent("We laughed", .sun, about: ""))
        try await model.save(DraftContent(form, in: .init(origin: "leaf-1")))
      }
      turn(until: "the drafts") { cards.buttons("Continue").count == 3 }
      for button in cards.buttons("Continue") { press(button) }
      XCTAssertEqual(commands, ["continue-planting::leaf-1", "shine", "water::" + cello])
    }
  }

  func testADraftThatCannotBeContinuedSaysWhy() throws {
    try withCards { house, cards, cello in
      house.water(cello, "Done")
      house.keep("And one more thing", about: cello)
      turn(until: "the reason") { cards.shownTexts.contains("“Cello” was already watered today.") }
      XCTAssertEqual(cards.buttons("Continue").map(\.isSensitive), [false])
      house.pass(days: 1)
      turn(until: "the next day") { cards.buttons("Continue").map(\.isSensitive) == [true] }
    }
  }

  func testADraftAppearsWhenItsDialogIsClosed() throws {
    try withCards { house, cards, cello in
      WaterDialog(house.context, first: cello).present()
      guard let dialog = window("Water") else { return }
      turn(until: "the field") { dialog.textViews.count == 1 }
      dialog.textViews.first?.typed = "Half a line"
      // Reads the drafts twice after each change: the cards, which read once, would be finished by then.
      var seen: [String] = []
      let follower = Task { [model = house.model] in
        for await _ in Observations({ model.draftRevision }) {
          _ = try await model.unfinishedDrafts()
          seen = try await model.unfinishedDrafts().map(\.text)
        }
      }
      turn(until: "the draft on disk") { seen == ["Half a line"] }
      follower.cancel()
      XCTAssertFalse(cards.isMapped)
      gtk_window_close(dialog.cast())
      turn(until: "the draft") { cards.shownTexts.contains("Half a line") }
    }
  }

  func testASproutsPageShowsOnlyItsDrafts() throws {
    try MainActor.assumeIsolated {
      let house = try XCTUnwrap(Greenhouse())
      let (cello, run) = (house.plant("Cello", on: "VOICE/practice"), house.plant("Run", on: "CORE/movement"))
      let page = SproutPage(house.context, sproutID: cello) {}
      house.context.toaster.setContent(page.widget)
      house.keep("About running", about: run)
      house.keep("About bar nine", about: cello)
      turn(until: "the draft") { page.widget.shownTexts.contains("About bar nine") }
      XCTAssertFalse(page.widget.shownTexts.contains("About running"))
      house.close()
    }
  }

  func testAPlantFormContinuesWhenItsIdeaIsGone() throws {
    try MainActor.assumeIsolated {
      let house = try XCTUnwrap(Greenhouse())
      var form = GardenModel.PlantForm(twig: .twig(branch: 0, twig: 0))
      form.title = "Run"
      let filledIn = form
      _ = result { [model = house.model] in
        try await model.save(DraftContent(filledIn, in: .init(origin: "seedling-gone")))
      }
      PlantDialog(house.context, continuing: "seedling-gone").present()
      guard let dialog = window("Plant a Sprout") else { return }
      turn(until: "the form") { dialog.field("What will you grow?")?.text == "Run" }
      house.close()
    }
  }

  /// - Parameter body: called with a garden, its visible cards, and the id of its only sprout.
  private func withCards(_ body: @MainActor (Greenhouse, Widget, String) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let house = try XCTUnwrap(Greenhouse())
      let cello = house.plant("Cello", on: "VOICE/practice")
      let cards = DraftCards(house.context).widget
      house.context.toaster.setContent(column(label("Today"), cards))
      try body(house, cards, cello)
      house.close()
    }
  }
}

extension Greenhouse {
  fileprivate func keep(_ text: String, about sproutID: String) {
    _ = result { [model] in try await model.save(DraftContent(text, .water, about: sproutID)) }
  }
}
