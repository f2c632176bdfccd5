import CGtk
import GtkKit
import SQLiteKit
import TrunkKit
import TrunkModel
import WidgetTestSupport
import XCTest

@testable import EventStore
@testable import TrunkApp

/// Typed text survives a save that fails.
final class DraftSessionTests: WidgetTestCase {
  private static let busy = "Your draft isn’t saved yet. Another program is using your garden. Try again in a moment."

  func testATextIsSavedWhenAnotherProgramReleasesTheLock() {
    whileLocked { fixture, id, other, dialog in
      waitFor("the error") { dialog.shownTexts.contains(Self.busy) }
      XCTAssertNil(fixture.draft(.water, about: id))
      releaseLock(other)
      waitFor("the draft") { fixture.draft(.water, about: id) == "Slow bow" }
    }
  }

  /// The fields are read after the draft is on disk.
  func testAFormWhoseWindowGoesWhileItIsSavedStaysADraft() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let model = fixture.model
      let id = result {
        try await model.createSeedling(on: .twig(branch: 0, twig: 0), title: "Lighthouse", notes: "In autumn")
      }
      guard let seedling = id.flatMap({ model.garden.seedling(id: $0) }) else { return XCTFail("no seedling") }
      EditSeedlingDialog(fixture.context, seedling).present()
      guard let dialog = window("Edit the Seedling"), let other = takeLock(fixture) else { return }
      dialog.field("What could grow?")?.text = "Visit the lighthouse"
      dialog.press("Save")
      fixture.context.window.closeDialogs()
      releaseLock(other)
      waitFor("the draft") { fixture.draft(.seedlingEdit, about: seedling.id)?.contains("Visit") == true }
      waitFor("the end of saving") { fixture.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(model.garden.seedlings.map(\.title), ["Lighthouse"])
      fixture.close()
    }
  }

  func testTextTypedWhileAnEventIsWrittenStaysADraft() {
    withSprout { fixture, id in
      let model = fixture.model
      func draft(_ text: String) -> DraftContent { DraftContent(text, .water, about: id) }
      let session = DraftSession.open(.water, about: id, in: fixture.context, foot: fixture.context.foot)
      session.change(to: draft("Slow bow"))
      _ = result {
        try await session.commit {
          try await model.water(id, text: $0.text, question: nil)
          session.change(to: draft("Less arm"))
        }
      }
      waitFor("the end of saving") { fixture.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(fixture.entries(of: id).map(\.text), ["Slow bow"])
      XCTAssertEqual(fixture.draft(.water, about: id), "Less arm")
    }
  }

  /// With two writers, the older text could be saved last.
  func testAReopenedWindowContinuesATextThatIsNotSavedYet() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let other = takeLock(fixture), let dialog = openWaterDialog(fixture) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      closeWindows(fixture)
      guard let next = DialogFixture(folder: fixture.folder, unsavedDrafts: fixture.context.unsavedDrafts),
        let again = openWaterDialog(next)
      else { return }
      waitFor("the text") { again.textViews.first?.typed == "Slow bow" }
      again.textViews.first?.typed = "Slow bow, less arm"
      releaseLock(other)
      waitFor("the draft") { next.draft(.water, about: id) == "Slow bow, less arm" }
      waitFor("the end of saving") { next.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(next.draft(.water, about: id), "Slow bow, less arm")
      next.close()
    }
  }

  func testAnEarlierDraftThatCannotBeReadIsNotOverwritten() {
    withSprout { fixture, id in
      let model = fixture.model
      _ = result { try await model.save(DraftContent("Slow bow", .water, about: id)) }
      change(fixture, "ALTER TABLE drafts RENAME TO lost")
      // It waits for the draft before it asks a question.
      WaterDialog(fixture.context).present()
      guard let dialog = window("Water") else { return }
      dialog.textViews.first?.typed = "Less arm"
      XCTAssertNotNil(result { await fixture.context.unsavedDrafts.saveAll() } ?? nil)
      change(fixture, "ALTER TABLE lost RENAME TO drafts")
      waitFor("both texts") { dialog.textViews.first?.typed == "Slow bow\nLess arm" }
      waitFor("the draft") { fixture.draft(.water, about: id) == "Slow bow\nLess arm" }
    }
  }

  func testATextThatAnotherProgramBroughtBackIsJoined() {
    withSprout { fixture, id in
      let model = fixture.model
      guard let dialog = openWaterDialog(fixture) else { return }
      dialog.textViews.first?.typed = "Less arm"
      waitFor("the draft") { fixture.draft(.water, about: id) == "Less arm" }
      _ = result { try await model.save(DraftContent("Slow bow\nLess arm", .water, about: id)) }
      dialog.textViews.first?.typed = "Less arm, please"
      waitFor("both texts") { dialog.textViews.first?.typed == "Slow bow\nLess arm, please" }
      waitFor("the draft") { fixture.draft(.water, about: id) == "Slow bow\nLess arm, please" }
    }
  }

  func testATextThatWasUndoneElsewhereIsShownWithTheOneBeingWritten() {
    withSprout { fixture, id in
      let model = fixture.model
      guard let dialog = openWaterDialog(fixture), let area = dialog.textViews.first else { return }
      area.typed = "Less arm"
      waitFor("the draft") { fixture.draft(.water, about: id) == "Less arm" }
      area.focus()
      fixture.water(id, "Slow bow")
      waitFor("no text") { dialog.textViews.isEmpty }
      waitForFrames(2, of: dialog)
      XCTAssertNil(dialog.focusedWidget, "what is typed goes nowhere")
      _ = result { try await model.undoLast() }
      waitFor("both texts") { dialog.textViews.first?.typed == "Slow bow\nLess arm" }
      dialog.press("Water")
      waitFor("the entry") { fixture.entries(of: id).map(\.text) == ["Slow bow\nLess arm"] }
      XCTAssertNil(fixture.draft(.water, about: id))
    }
  }

  func testAnIdeaTypedBeforeTheEarlierOneWasReadIsASecondDraft() {
    withEarlierIdea { fixture, opened in
      opened.field("What could grow?")?.text = "Sing"
      guard let dialog = window("Note an Idea") else { return }
      waitFor("both ideas") { fixture.ideas == ["Sing", "Whistle\nIn tune"] }
      dialog.textViews.first?.typed = "Loudly"
      waitFor("the draft") { fixture.ideas == ["Sing\nLoudly", "Whistle\nIn tune"] }
    }
  }

  func testAnIdeaSavedBeforeTheEarlierOneWasReadKeepsTheEarlierOne() {
    withEarlierIdea { fixture, opened in
      opened.field("What could grow?")?.text = "Sing"
      opened.choosePlace("movement")
      guard let save = gtk_window_get_default_widget(opened.cast()) else { return XCTFail("no button") }
      press(save)
      waitFor("the seedling") { fixture.model.garden.seedlings.map(\.title) == ["Sing"] }
      waitFor("the end of saving") { fixture.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(fixture.ideas, ["Whistle\nIn tune"])
    }
  }

  func testAFormThatIsReopenedWhileItsTextIsWrittenWaits() {
    withSprout { fixture, id in
      guard let dialog = openWaterDialog(fixture) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      waitFor("the draft") { fixture.draft(.water, about: id) == "Slow bow" }
      // Long enough for the other dialog.
      guard let other = takeLock(fixture, waiting: 30_000) else { return }
      dialog.press("Water")
      waitFor("the commit") { !fixture.context.unsavedDrafts.isEmpty }
      gtk_window_close(dialog.cast())
      WaterDialog(fixture.context).present()
      guard let next = window("Water") else { return }
      next.textViews.first?.typed = "Less arm"
      releaseLock(other)
      waitFor("the entry") { fixture.entries(of: id).map(\.text) == ["Slow bow"] }
      waitFor("the draft") { fixture.draft(.water, about: id) == "Less arm" }
    }
  }

  func testATextIsSetAsideIfTheProgramHasToEnd() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let id = fixture.plant("Learn the cello prelude", on: "VOICE/practice")
      guard let other = takeLock(fixture), let dialog = openWaterDialog(fixture) else { return }
      dialog.textViews.first?.typed = "Slow bow"
      fixture.context.unsavedDrafts.end()
      waitFor("the end of saving") { fixture.context.unsavedDrafts.isEmpty }
      XCTAssertNil(fixture.draft(.water, about: id))
      releaseLock(other)
      guard let next = DialogFixture(folder: fixture.folder) else { return }
      XCTAssertEqual(next.draft(.water, about: id), "Slow bow")
      next.close()
    }
  }

  func testATextIsSavedAfterItsDialogWasClosed() {
    whileLocked { fixture, id, other, dialog in
      gtk_window_close(dialog.cast())
      waitFor("the error in the window") { fixture.context.window.shownTexts.contains(Self.busy) }
      // The text is in the next dialog too, although it isn't on disk yet.
      guard let next = openWaterDialog(fixture) else { return }
      waitFor("the text") { next.textViews.first?.typed == "Slow bow" }
      next.textViews.first?.typed = "Slow bow, less arm"
      gtk_window_close(next.cast())
      XCTAssertNil(fixture.draft(.water, about: id))
      releaseLock(other)
      waitFor("the draft") { fixture.draft(.water, about: id) == "Slow bow, less arm" }
      waitFor("the end of saving") { fixture.context.unsavedDrafts.isEmpty }
    }
  }

  func testATextIsSavedAfterEveryWindowWasClosed() {
    whileLocked { fixture, id, other, dialog in
      closeWindows(fixture)
      releaseLock(other)
      waitFor("the draft") { fixture.draft(.water, about: id) == "Slow bow" }
    }
  }

  func testSavingEndsWithAGardenThatWasRemoved() {
    whileLocked { fixture, _, other, _ in
      closeWindows(fixture)
      let (folder, removed) = (fixture.folder.path + "/garden", fixture.folder.path + "/removed")
      XCTAssertEqual(rename(folder, removed), 0)
      releaseLock(other)
      waitFor("the end of saving") { fixture.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(rename(removed, folder), 0)
    }
  }

  func testAnEntryThatCannotBeWrittenStaysADraft() {
    whileLocked { fixture, id, other, dialog in
      dialog.press("Water")
      waitFor("the error") {
        dialog.shownTexts.contains("Another program is using your garden. Try again in a moment.")
      }
      gtk_window_close(dialog.cast())
      releaseLock(other)
      waitFor("the draft") { fixture.draft(.water, about: id) == "Slow bow" }
      XCTAssertTrue(fixture.entries(of: id).isEmpty)
    }
  }

  func testWhatIsTypedWhileAnEntryWaitsGoesIntoTheNextText() {
    withTwoTexts { fixture, ids, texts in
      guard let other = takeLock(fixture, waiting: 30_000) else { return }
      type("key", "ctrl+Return", "type", "Who is it", into: "Water")
      waitFor("the words") { texts[1].typed == "Who is it" }
      XCTAssertEqual(gtk_widget_is_sensitive(texts[0]), 0, "it is still being written")
      releaseLock(other)
      waitFor("the entry") { fixture.entries(of: ids[0]).map(\.text) == ["Slow bow"] }
      waitFor("the draft") { fixture.draft(.water, about: ids[1]) == "Who is it" }
      XCTAssertNotEqual(gtk_widget_has_focus(texts[1]), 0)
    }
  }

  func testAnEntryThatCannotBeWrittenComesBackWhileTheNextOneIsTyped() {
    withTwoTexts { fixture, ids, texts in
      guard let other = takeLock(fixture) else { return }
      type("key", "ctrl+Return", "type", "Who is it", into: "Water")
      waitFor("the words") { texts[1].typed == "Who is it" }
      waitFor("the way back") { gtk_widget_is_sensitive(texts[0]) != 0 }
      XCTAssertEqual(texts[0].typed, "Slow bow")
      XCTAssertNotEqual(gtk_widget_has_focus(texts[1]), 0)
      releaseLock(other)
      waitFor("the drafts") {
        fixture.draft(.water, about: ids[0]) == "Slow bow" && fixture.draft(.water, about: ids[1]) == "Who is it"
      }
    }
  }

  func testAnEntryLeavesNoOlderDraft() {
    withSprout { fixture, id in
      guard let dialog = openWaterDialog(fixture) else { return }
      dialog.textViews.first?.typed = "Slow"
      waitFor("the draft") { fixture.draft(.water, about: id) == "Slow" }
      dialog.textViews.first?.typed = "Slow bow"
      dialog.press("Water")
      waitFor("the entry") { fixture.entries(of: id).count == 1 }
      XCTAssertNil(fixture.draft(.water, about: id))
    }
  }

  func testATextWaitsForRoomOnTheDisk() {
    withSprout { fixture, id in
      change(fixture, "PRAGMA max_page_count = 1")
      guard let dialog = openWaterDialog(fixture) else { return }
      let text = String(repeating: "Slow bow. ", count: 2000)
      dialog.textViews.first?.typed = text
      gtk_window_close(dialog.cast())
      waitFor("the error in the window") {
        fixture.context.window.shownTexts.contains { $0.contains("The disk is full.") }
      }
      change(fixture, "PRAGMA max_page_count = 100000")
      waitFor("the draft") { fixture.draft(.water, about: id) == text }
    }
  }

  func testTwoProgramsKeepTheirOwnVersionsOfAPlantForm() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let model = fixture.model
      @MainActor func titles() -> [String] {
        result { try await model.store.drafts().map { try JSON($0.text)["title"]?.text ?? "" }.sorted() } ?? []
      }
      PlantDialog(fixture.context).present()
      guard let dialog = window("Plant a Sprout"), let field = dialog.field("What will you grow?") else { return }
      field.text = "Swim"
      waitFor("the draft") { titles() == ["Swim"] && fixture.context.unsavedDrafts.isEmpty }
      _ = result {
        guard let draft = try await model.unfinished(.plant, about: ""), var other = draft.plantForm else { return }
        other.title = "Swim a mile"
        try await model.save(DraftContent(other, in: draft.key))
      }
      field.text = "Swim a kilometre"
      waitFor("the end of saving") { fixture.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(titles(), ["Swim a kilometre", "Swim a mile"])
      field.text = "Swim two kilometres"
      waitFor("the end of saving") { fixture.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(titles(), ["Swim a mile", "Swim two kilometres"])
      dialog.choosePlace("movement")
      dialog.press("Plant")
      waitFor("the sprout") { model.garden.sprouts.map(\.title) == ["Swim two kilometres"] }
      waitFor("the end of saving") { fixture.context.unsavedDrafts.isEmpty }
      XCTAssertEqual(titles(), ["Swim a mile"])
      fixture.close()
    }
  }

  func testAPlantFormIsSavedAfterItsDialogWasClosed() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture(), let other = takeLock(fixture) else { return }
      PlantDialog(fixture.context).present()
      guard let dialog = window("Plant a Sprout") else { return }
      dialog.field("What will you grow?")?.text = "Swim a kilometre"
      gtk_window_close(dialog.cast())
      waitFor("the error in the window") { fixture.context.window.shownTexts.contains(Self.busy) }
      PlantDialog(fixture.context).present()
      guard let next = window("Plant a Sprout") else { return }
      waitFor("the form") { next.field("What will you grow?")?.text == "Swim a kilometre" }
      gtk_window_close(next.cast())
      releaseLock(other)
      waitFor("the message") { fixture.context.window.shownTexts.contains("Your draft is saved.") }
      let model = fixture.model
      XCTAssertEqual(
        result { try await model.unfinished(.plant, about: "")?.plantForm?.title } ?? nil, "Swim a kilometre")
      fixture.close()
    }
  }
}

/// Runs a test in a garden with one sprout.
private func withSprout(_ test: @MainActor (_ fixture: DialogFixture, _ id: String) -> Void) {
  MainActor.assumeIsolated {
    guard let fixture = DialogFixture() else { return }
    test(fixture, fixture.plant("Learn the cello prelude", on: "VOICE/practice"))
    fixture.close()
  }
}

/// Runs a test in which “Slow bow” is typed into the first of two texts.
private func withTwoTexts(_ test: @MainActor (_ fixture: DialogFixture, _ ids: [String], _ texts: [Widget]) -> Void) {
  withSprout { fixture, id in
    let other = fixture.plant("A letter every week", on: "BACK/connection")
    WaterDialog(fixture.context, first: id).present()
    guard let texts = window("Water")?.textViews, texts.count == 2 else { return XCTFail("no two texts") }
    waitFor("the questions") { windows.contains { $0.questions.count == 2 } }
    texts[0].typed = "Slow bow"
    waitFor("the draft") { fixture.draft(.water, about: id) == "Slow bow" }
    test(fixture, [id, other], texts)
  }
}

/// Runs a test with the dialog of a new idea, which has not read the earlier idea yet: that happens in the main loop.
private func withEarlierIdea(_ test: @MainActor (_ fixture: DialogFixture, _ opened: Widget) -> Void) {
  MainActor.assumeIsolated {
    guard let fixture = DialogFixture() else { return }
    let key = GardenModel.DraftForm.seedling.draftKey(about: "").newSlot()
    let earlier = DraftContent(["title": "Whistle", "notes": "In tune", "twig": "branch-2-twig-0"], in: key)
    _ = result { [model = fixture.model] in try await model.save(earlier) }
    SeedlingDialog(fixture.context).present()
    if let opened = windows.first(where: { $0.field("What could grow?") != nil }) {
      test(fixture, opened)
    } else {
      XCTFail("no dialog")
    }
    fixture.close()
  }
}

/// Runs a test in which “Slow bow” is typed into the dialog while another program holds the store's lock.
private func whileLocked(
  _ test: @MainActor (_ fixture: DialogFixture, _ id: String, _ other: Database, _ dialog: Widget) -> Void
) {
  withSprout { fixture, id in
    guard let other = takeLock(fixture), let dialog = openWaterDialog(fixture) else { return }
    dialog.textViews.first?.typed = "Slow bow"
    test(fixture, id, other, dialog)
  }
}

@MainActor private func openWaterDialog(_ fixture: DialogFixture) -> Widget? {
  WaterDialog(fixture.context).present()
  guard let dialog = window("Water") else { return nil }
  waitFor("a question") { dialog.shownTexts.contains { $0.hasSuffix("?") } }
  return dialog
}

/// Takes the store's lock as another program does.
/// - Parameter waiting: how long the store waits for the lock, in milliseconds.
@MainActor private func takeLock(_ fixture: DialogFixture, waiting: Int = 20) -> Database? {
  change(fixture, "PRAGMA busy_timeout = \(waiting)")
  do {
    let other = try Database(path: fixture.model.store.path, mode: .readWrite, busyTimeout: 10_000)
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

/// Closes every window and waits until its draft could not be saved.
@MainActor private func closeWindows(_ fixture: DialogFixture) {
  fixture.context.window.closeDialogs()
  gtk_window_destroy(fixture.context.window.cast())
  failOnce(fixture)
  XCTAssertFalse(fixture.context.unsavedDrafts.isEmpty)
}

/// Tries to write and waits until that fails.
@MainActor private func failOnce(_ fixture: DialogFixture) {
  let store = fixture.model.store
  let error = result { () async throws -> StoreError? in
    do {
      try await store.removeDraft(for: DraftKey(kind: "none", entity: "", day: ""))
      return nil
    } catch { return error as? StoreError }
  }
  XCTAssertEqual(error ?? nil, .busy)
}

@MainActor private func change(_ fixture: DialogFixture, _ pragma: String) {
  let store = fixture.model.store
  _ = result { try await store.configure(pragma) }
}

extension DialogFixture {
  /// The drafts of seedlings, sorted.
  fileprivate var ideas: [String] {
    let drafts = result { [model] in try await model.unfinishedDrafts() } ?? []
    return drafts.filter { $0.subject == .seedling }.map(\.text).sorted()
  }
}

extension EventStore {
  fileprivate func configure(_ pragma: String) throws { try database.run(pragma) }
}
