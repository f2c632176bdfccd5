import CGtk
import GtkKit
import SQLiteKit
import TrunkKit
import WidgetTestSupport
import XCTest

@testable import EventStore
@testable import TrunkApp

/// What is typed survives a save that fails.
final class DraftWriterTests: WidgetTestCase {
  private static let busy = "Your draft isn’t saved yet. Another program is using your garden. Try again in a moment."

  func testATextIsSavedOnceAnotherProgramLetsGo() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let other = takeLock(house), let dialog = openWaterDialog(house) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      turn(until: "the error") { dialog.shownTexts.contains(Self.busy) }
      XCTAssertNil(house.draft(.water, about: id))
      releaseLock(other)
      turn(until: "the draft") { house.draft(.water, about: id) == "Slow bow" }
      house.close()
    }
  }

  func testTextTypedWhileAnEventIsWrittenStaysADraft() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let (id, model) = (house.plant("Learn the cello prelude", on: "VOICE/practice"), house.model)
      func draft(_ text: String) -> DraftContent { DraftContent(text, .water, about: id) }
      let writer = DraftWriter.of("form", empty: draft(""), in: house.context, toaster: house.context.toaster)
      writer.change(to: draft("Slow bow"))
      _ = result {
        try await writer.replace(with: draft("")) {
          try await model.water(id, text: "Slow bow", question: nil)
          writer.change(to: draft("Less arm"))
        }
      }
      turn(until: "the end of saving") { house.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(house.entries(of: id).map(\.text), ["Slow bow"])
      XCTAssertEqual(house.draft(.water, about: id), "Less arm")
      house.close()
    }
  }

  /// With two writers, the older text could be saved last.
  func testAReopenedWindowContinuesATextThatIsNotSavedYet() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let other = takeLock(house), let dialog = openWaterDialog(house) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      house.context.window.closeDialogs()
      gtk_window_destroy(house.context.window.cast())
      failOnce(house)
      guard let next = Greenhouse(folder: house.folder, unsavedDrafts: house.context.unsavedDrafts),
        let again = openWaterDialog(next)
      else { return }
      turn(until: "the text") { again.textViews.first?.typed == "Slow bow" }
      again.textViews.first?.typed = "Slow bow, less arm"
      releaseLock(other)
      turn(until: "the draft") { next.draft(.water, about: id) == "Slow bow, less arm" }
      turn(until: "the end of saving") { next.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(next.draft(.water, about: id), "Slow bow, less arm")
      next.close()
    }
  }

  func testAnEarlierDraftThatCannotBeReadIsNotOverwritten() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let (id, model) = (house.plant("Learn the cello prelude", on: "VOICE/practice"), house.model)
      _ = result { try await model.save(DraftContent("Slow bow", .water, about: id)) }
      change(house, "ALTER TABLE drafts RENAME TO lost")
      // It waits for the draft before it asks a question.
      WaterDialog(house.context).present()
      guard let dialog = window("Water") else { return }
      dialog.textViews.first?.typed = "Less arm"
      XCTAssertNotNil(result { await house.context.unsavedDrafts.saveAll() } ?? nil)
      change(house, "ALTER TABLE lost RENAME TO drafts")
      turn(until: "both texts") { dialog.textViews.first?.typed == "Slow bow\nLess arm" }
      turn(until: "the draft") { house.draft(.water, about: id) == "Slow bow\nLess arm" }
      house.close()
    }
  }

  func testATextThatAnotherProgramBroughtBackIsJoined() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let (id, model) = (house.plant("Learn the cello prelude", on: "VOICE/practice"), house.model)
      guard let dialog = openWaterDialog(house) else { return }
      dialog.textViews.first?.typed = "Less arm"
      turn(until: "the draft") { house.draft(.water, about: id) == "Less arm" }
      _ = result { try await model.save(DraftContent("Slow bow\nLess arm", .water, about: id)) }
      dialog.textViews.first?.typed = "Less arm, please"
      turn(until: "both texts") { dialog.textViews.first?.typed == "Slow bow\nLess arm, please" }
      turn(until: "the draft") { house.draft(.water, about: id) == "Slow bow\nLess arm, please" }
      house.close()
    }
  }

  func testAFormThatIsReopenedWhileItsTextIsWrittenWaits() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let dialog = openWaterDialog(house) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      turn(until: "the draft") { house.draft(.water, about: id) == "Slow bow" }
      guard let other = takeLock(house) else { return }
      // Long enough for the other dialog.
      change(house, "PRAGMA busy_timeout = 30000")
      dialog.press("Water +0.05")
      turn(until: "the commit") { !house.context.unsavedDrafts.isEmpty }
      gtk_window_close(dialog.cast())
      WaterDialog(house.context).present()
      guard let next = window("Water") else { return }
      next.textViews.first?.typed = "Less arm"
      releaseLock(other)
      turn(until: "the entry") { house.entries(of: id).map(\.text) == ["Slow bow"] }
      turn(until: "the draft") { house.draft(.water, about: id) == "Less arm" }
      house.close()
    }
  }

  func testATextIsSetAsideIfTheProgramHasToEnd() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let other = takeLock(house), let dialog = openWaterDialog(house) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      house.context.unsavedDrafts.end()
      turn(until: "the end of saving") { house.context.unsavedDrafts.isEmpty }
      XCTAssertNil(house.draft(.water, about: id))
      releaseLock(other)
      guard let next = Greenhouse(folder: house.folder) else { return }
      XCTAssertEqual(next.draft(.water, about: id), "Slow bow")
      next.close()
    }
  }

  func testATextIsSavedAfterItsDialogWasClosed() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let other = takeLock(house), let dialog = openWaterDialog(house) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      gtk_window_close(dialog.cast())
      turn(until: "the error in the window") { house.context.window.shownTexts.contains(Self.busy) }
      // The text is in the next dialog too, although it isn't on disk yet.
      guard let next = openWaterDialog(house) else { return }
      turn(until: "the text") { next.textViews.first?.typed == "Slow bow" }
      next.textViews.first?.typed = "Slow bow, less arm"
      gtk_window_close(next.cast())
      XCTAssertNil(house.draft(.water, about: id))
      releaseLock(other)
      turn(until: "the draft") { house.draft(.water, about: id) == "Slow bow, less arm" }
      turn(until: "the end of saving") { house.context.unsavedDrafts.isEmpty }
      house.close()
    }
  }

  func testATextIsSavedAfterEveryWindowWasClosed() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let other = takeLock(house), let dialog = openWaterDialog(house) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      house.context.window.closeDialogs()
      gtk_window_destroy(house.context.window.cast())
      failOnce(house)
      XCTAssertFalse(house.context.unsavedDrafts.isEmpty)
      releaseLock(other)
      turn(until: "the draft") { house.draft(.water, about: id) == "Slow bow" }
      house.close()
    }
  }

  func testAnEntryThatCannotBeWrittenStaysADraft() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let other = takeLock(house), let dialog = openWaterDialog(house) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      dialog.press("Water +0.05")
      turn(until: "the error") {
        dialog.shownTexts.contains("Another program is using your garden. Try again in a moment.")
      }
      gtk_window_close(dialog.cast())
      releaseLock(other)
      turn(until: "the draft") { house.draft(.water, about: id) == "Slow bow" }
      XCTAssertTrue(house.entries(of: id).isEmpty)
      house.close()
    }
  }

  func testAnEntryLeavesNoOlderDraft() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let dialog = openWaterDialog(house) else { return }
      dialog.textViews.first?.typed = "Slow"
      turn(until: "the draft") { house.draft(.water, about: id) == "Slow" }
      dialog.textViews.first?.typed = "Slow bow"
      dialog.press("Water +0.05")
      turn(until: "the entry") { house.entries(of: id).count == 1 }
      XCTAssertNil(house.draft(.water, about: id))
      house.close()
    }
  }

  func testATextWaitsForRoomOnTheDisk() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let id = house.plant("Learn the cello prelude", on: "VOICE/practice")
      change(house, "PRAGMA max_page_count = 1")
      guard let dialog = openWaterDialog(house) else { return }
      let text = String(repeating: "Slow bow. ", count: 2000)
      dialog.textViews.first?.typed = text
      gtk_window_close(dialog.cast())
      turn(until: "the error in the window") {
        house.context.window.shownTexts.contains { $0.contains("The disk is full.") }
      }
      change(house, "PRAGMA max_page_count = 100000")
      turn(until: "the draft") { house.draft(.water, about: id) == text }
      house.close()
    }
  }

  func testAPlantFormIsSavedAfterItsDialogWasClosed() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse(), let other = takeLock(house) else { return }
      PlantDialog(house.context).present()
      guard let dialog = window("Plant a Sprout") else { return }
      dialog.field("What will you grow?")?.text = "Swim a kilometre"
      gtk_window_close(dialog.cast())
      turn(until: "the error in the window") { house.context.window.shownTexts.contains(Self.busy) }
      PlantDialog(house.context).present()
      guard let next = window("Plant a Sprout") else { return }
      turn(until: "the form") { next.field("What will you grow?")?.text == "Swim a kilometre" }
      gtk_window_close(next.cast())
      releaseLock(other)
      turn(until: "the message") { house.context.window.shownTexts.contains("Your draft is saved.") }
      let model = house.model
      XCTAssertEqual(
        result { try await model.unfinishedPlantForm(from: "")?.form.title } ?? nil, "Swim a kilometre")
      house.close()
    }
  }
}

@MainActor private func openWaterDialog(_ house: Greenhouse) -> Widget? {
  WaterDialog(house.context).present()
  guard let dialog = window("Water") else { return nil }
  turn(until: "a question") { dialog.shownTexts.contains { $0.hasSuffix("?") } }
  return dialog
}

/// Takes the store's lock as another program, and makes the store wait only shortly for it.
@MainActor private func takeLock(_ house: Greenhouse) -> Database? {
  change(house, "PRAGMA busy_timeout = 20")
  do {
    let other = try Database(path: house.model.store.path, mode: .readWrite, busyTimeout: 10_000)
    try other.run("BEGIN IMMEDIATE")
    return other
  } catch {
    XCTFail("\(error)")
    return nil
  }
}

@MainActor private func releaseLock(_ other: Database) {
  do { try other.run("ROLLBACK") } catch { XCTFail("\(error)") }
}

/// Waits for an attempt to write that fails.
@MainActor private func failOnce(_ house: Greenhouse) {
  let store = house.model.store
  let error = result { () async throws -> StoreError? in
    do {
      try await store.removeDraft(for: DraftKey(kind: "none", entity: "", day: ""))
      return nil
    } catch { return error as? StoreError }
  }
  XCTAssertEqual(error ?? nil, .busy)
}

@MainActor private func change(_ house: Greenhouse, _ pragma: String) {
  let store = house.model.store
  _ = result { try await store.configure(pragma) }
}

extension EventStore {
  fileprivate func configure(_ pragma: String) throws { try database.run(pragma) }
}
