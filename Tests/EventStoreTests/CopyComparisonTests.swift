import Foundation
import SQLiteKit
import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

/// Restoring from the copies of signed-out gardens.
@Suite struct CopyComparisonTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  /// Copies the garden and clears it, as signing out does.
  private func signOut(at second: Int64 = 0) async throws -> VerifiedCopy {
    let copy = try await store.writeCopy(below: folder.path + "/signed-out/user", at: .start.plus(second))
    try #require(try await store.clear(keptIn: copy))
    return copy
  }

  private func draft(_ text: String, about entity: String = "sprout-1", kind: String = "water") -> Draft {
    Draft(key: DraftKey(kind: kind, entity: entity, day: ""), text: text, updated: .start)
  }

  private func restore(_ copies: VerifiedCopy...) async throws -> Restored {
    try await store.restore(try await store.compare(with: copies))
  }

  private func texts() async throws -> [[String]] { try await store.events(afterSeq: 0).map(\.event.journalText) }

  /// Changes the text of the events, which SQLite's own check doesn't detect.
  private func damage(_ copy: VerifiedCopy) throws {
    try Database(path: copy.path, mode: .readWrite, busyTimeout: 0).run("UPDATE events SET raw = raw || ' '")
  }

  @Test func missingEventsAreRestoredOnceAndUnsent() async throws {
    _ = try await store.merge([row(1, .water(1, "confirmed"))])
    _ = try await store.append([.water(2, "unsent")])
    let copy = try await signOut()
    _ = try await store.merge([row(1, .water(1, "confirmed"))])
    let comparison = try await store.compare(with: [copy])
    #expect(comparison.entryCount == 1)
    #expect(try comparison.events().map(\.journalText) == [["unsent"]])
    #expect(try await store.restore(comparison) == Restored(events: 1))
    #expect(try await store.syncFigures(now: .start).pending == 1)
    #expect(try await store.compare(with: [copy]).isEmpty)
    #expect(try await store.restore(comparison) == Restored())
    #expect(try await texts() == [["confirmed"], ["unsent"]])
  }

  @Test func comparingWritesNothing() async throws {
    _ = try await store.append([.water(1), .json(#"{"type":"odd"}"#)])
    let copy = try await signOut()
    _ = try await store.append([.water(2)])
    // Comparing neither waits for another program's write nor blocks it.
    let other = try Database(path: folder.database, mode: .readWrite, busyTimeout: 0)
    try other.run("BEGIN IMMEDIATE")
    #expect(try await store.compare(with: [copy]).entryCount == 2)
    try other.run("ROLLBACK")
  }

  @Test func anEventInSeveralCopiesIsOfferedOnce() async throws {
    _ = try await store.append([.water(1, "a"), .water(2, "b")])
    let first = try await signOut()
    _ = try await store.append([.water(2, "b"), .water(3, "c")])
    let second = try await signOut(at: 1)
    let comparison = try await store.compare(with: [second, first])
    #expect(try comparison.events().map(\.journalText) == [["b"], ["c"], ["a"]])
    #expect(comparison.superseded.isEmpty)
  }

  @Test func anOlderVersionInAnOlderCopyIsSuperseded() async throws {
    _ = try await store.append([.water(1, "older")])
    let first = try await signOut()
    _ = try await store.append([.water(1, "newer")])
    let second = try await signOut(at: 1)
    #expect(try await restore(second, first) == Restored(events: 1, superseded: 1))
    #expect(try await texts() == [["newer"]])
    #expect(try await store.superseded().map(\.event.journalText) == [["older"]])
  }

  /// The server may have another version of an event that was written here.
  @Test func anotherVersionOfAnEventThatTheGardenHasIsSuperseded() async throws {
    _ = try await store.append([.water(1, "written here"), .water(2, "the same")])
    let copy = try await signOut()
    _ = try await store.merge([row(1, .water(1, "from the server")), row(2, .water(2, "the same"))])
    let comparison = try await store.compare(with: [copy])
    #expect(comparison.entryCount == 0)
    #expect(comparison.superseded.map(\.journalText) == [["written here"]])
    _ = try await store.restore(comparison)
    #expect(try await texts() == [["from the server"], ["the same"]])
    #expect(try await store.superseded().map(\.event.journalText) == [["written here"]])
    #expect(try await store.compare(with: [copy]).isEmpty)
  }

  @Test func supersededVersionsAreRestored() async throws {
    _ = try await store.append([.water(1, "mine")])
    _ = try await store.importEvents([.water(1, "theirs")])
    let anonymous = try Event.json(
      #"{"type":"sprout_watered","sproutId":"sprout-1","content":"old","timestamp":"\#(Instant.start.plus(1))"}"#)
    _ = try await store.importEvents([anonymous])
    #expect(try await store.superseded().count == 2)
    let copy = try await signOut()
    _ = try await store.merge([row(1, .water(1, "mine"))])
    #expect(try copy.contents().superseded.count == 2)
    #expect(try await restore(copy) == Restored(superseded: 2))
    #expect(try await Set(store.superseded().map(\.event.journalText)) == [["theirs"], ["old"]])
    #expect(try await store.compare(with: [copy]).isEmpty)
  }

  @Test func anEventWithANewIDIsRestoredUnderThatID() async throws {
    _ = try await store.append([.water(1, "text")])
    let before = try await signOut()
    _ = try await store.append([.water(1, "text")])
    let successor = try await store.giveNewID()
    let after = try await signOut(at: 1)
    // The server has the event under its new ID.
    let merged = try await store.merge([row(1, successor.content)])
    #expect(merged.isRewritten == false)
    #expect(try await store.compare(with: [after, before]).isEmpty)
    // The server has lost the event: it is restored once, under its new ID.
    try await store.clear()
    #expect(try await restore(after, before).events == 1)
    #expect(try await store.events(afterSeq: 0).map(\.event.clientID) == [successor.clientID])
    _ = try await store.importEvents([.water(1, "text")])
    #expect(try await store.count() == 1)
  }

  /// The event got its new ID only in the copy, and the garden has it under its original one.
  @Test func anEventThatTheGardenHasUnderItsFormerIDIsKnown() async throws {
    _ = try await store.append([.water(1, "text")])
    try await store.giveNewID()
    let copy = try await signOut()
    // Clearing removes the former IDs, too.
    _ = try await store.merge([row(1, .water(1, "text"))])
    #expect(try await store.compare(with: [copy]).isEmpty)
    #expect(try await restore(copy) == Restored())
    _ = try await store.importEvents([.water(1, "text")])
    #expect(try await store.count() == 1)
  }

  @Test func aDamagedCopyDoesNotPreventReadingTheOthers() async throws {
    _ = try await store.append([.water(1, "a")])
    let whole = try await signOut()
    _ = try await store.append([.water(2, "b")])
    let damaged = try await signOut(at: 1)
    try damage(damaged)
    _ = try await store.append([.water(3, "c")])
    let emptied = try await signOut(at: 2)
    try Data().write(to: URL(fileURLWithPath: emptied.path))
    let comparison = try await store.compare(with: [emptied, damaged, whole])
    #expect(try comparison.events().map(\.journalText) == [["a"]])
    #expect(
      comparison.unreadable == [
        .init(copy: emptied, reason: .damagedCopy(path: emptied.path)),
        .init(copy: damaged, reason: .damagedCopy(path: damaged.path)),
      ])
    #expect(throws: StoreError.damagedCopy(path: emptied.path)) { try emptied.origin() }
  }

  /// The copy is older than the event's new ID, so only the garden knows it.
  @Test func aNewIDAfterACopyIsRecognized() async throws {
    _ = try await store.append([.water(1, "text")])
    let before = try await signOut()
    _ = try await store.append([.water(1, "text")])
    try await store.giveNewID()
    #expect(try await store.compare(with: [before]).isEmpty)
  }

  /// An event that is in two copies, in one of them under its new ID, is offered once.
  @Test func anEventThatGotAnIDBetweenTwoCopiesIsOfferedOnce() async throws {
    _ = try await store.append([.water(1, "text")])
    let before = try await signOut()
    _ = try await store.append([.water(1, "text")])
    let successor = try await store.giveNewID()
    let after = try await signOut(at: 1)
    try await store.clear()
    #expect(try await store.compare(with: [after, before]).events().map(\.clientID) == [successor.clientID])
  }

  /// A version that was superseded in the copy may be the current one in the garden now.
  @Test func aSupersededVersionThatTheGardenHasNowIsNotOffered() async throws {
    _ = try await store.append([.water(1, "mine")])
    _ = try await store.importEvents([.water(1, "theirs")])
    let copy = try await signOut()
    _ = try await store.merge([row(1, .water(1, "theirs"))])
    let comparison = try await store.compare(with: [copy])
    #expect(comparison.entryCount == 0)
    #expect(!comparison.superseded.map(\.journalText).contains(["theirs"]))
  }

  // MARK: Drafts

  /// The user continued the draft between comparing and restoring.
  @Test func aDraftContinuedSinceTheComparisonIsNotRestored() async throws {
    try await store.save(draft("half a sentence"))
    let copy = try await signOut()
    let comparison = try await store.compare(with: [copy])
    try await store.save(draft("half a sentence, now whole"))
    #expect(try await store.restore(comparison) == Restored())
    #expect(try await store.drafts().map(\.text) == ["half a sentence, now whole"])
  }

  @Test func onlyTheNewestDraftOfSeveralCopiesIsRestored() async throws {
    try await store.save(draft("first"))
    let first = try await signOut()
    try await store.save(draft("second"))
    let second = try await signOut(at: 1)
    #expect(try await store.compare(with: [second, first]).entryCount == 0)
    #expect(try await restore(second, first) == Restored(drafts: 1))
    #expect(try await store.drafts().map(\.text) == ["second"])
    #expect(try await restore(second, first) == Restored())
    #expect(try await store.drafts().map(\.text) == ["second"])
  }

  @Test func aDraftIsRestoredBeforeTextWrittenSince() async throws {
    try await store.save(draft("half a sentence"))
    let copy = try await signOut()
    try await store.save(draft("begun since"))
    #expect(try await restore(copy).drafts == 1)
    #expect(try await store.drafts().map(\.text) == ["half a sentence\nbegun since"])
    try await store.save(draft("Well: half a sentence, and more"))
    #expect(try await store.compare(with: [copy]).isEmpty)
  }

  @Test(arguments: ["Some “words”\nand\tmore: \\ é / 🌱", "a \"quote\"", "…"])
  func aDraftThatBecameAnEntryIsNotOffered(text: String) async throws {
    try await store.save(draft(text + " "))
    let copy = try await signOut()
    #expect(try await store.compare(with: [copy]).drafts.count == 1)
    _ = try await store.append([.water(1, "Before. " + text + " After.")])
    #expect(try await store.compare(with: [copy]).isEmpty)
  }

  @Test func aFormThatWasSubmittedOrChangedIsNotOffered() async throws {
    let form = draft(#"{"title":"Cello","withering":"","budding":"One piece"}"#, about: "twig#form-1", kind: "plant")
    try await store.save(form)
    let copy = try await signOut()
    #expect(try await store.compare(with: [copy]).drafts == [form])
    try await store.save(draft(#"{"title":"Cello suite"}"#, about: "twig#form-1", kind: "plant"))
    #expect(try await store.compare(with: [copy]).isEmpty)
    try await store.removeDraft(for: form.key)
    let planted = try Event.json(#"{"type":"sprout_planted","title":"Cello","bloomBudding":"One piece"}"#)
    _ = try await store.append([planted])
    #expect(try await store.compare(with: [copy]).isEmpty)
  }

  @Test func draftsOfCopiesThatWereRestoredAreLeftOut() async throws {
    try await store.save(draft("a"))
    let copy = try await signOut()
    #expect(try await store.compare(with: [copy], draftsOf: []).isEmpty)
  }
}

/// Deleting the copies and backups of a signed-out garden.
@Suite struct DeletableCopiesTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  private var copies: String { folder.path + "/signed-out/user" }

  private func signOut() async throws -> VerifiedCopy {
    let copy = try await store.writeCopy(below: copies, at: .start)
    try #require(try await store.clear(keptIn: copy))
    return copy
  }

  private func survey(_ events: Event...) throws(UndeletableCopies) -> DeletableCopies {
    let listed = Set(events.map(\.identity))
    return try EventStore.deletableCopies(below: copies, backupsIn: folder.garden) { listed.contains($0) }
  }

  @Test func copiesAreDeletableOnlyIfTheServerHasAllTheirEvents() async throws {
    _ = try await store.append([.water(1, "only here")])
    let rich = try await signOut()
    _ = try await store.append([.water(2)])
    let poor = try await signOut()
    #expect(throws: UndeletableCopies.holdsMore(path: rich.path)) { try survey(.water(2)) }
    #expect(throws: UndeletableCopies.holdsMore(path: poor.path)) { try survey(.water(1)) }
    let deletable = try survey(.water(1), .water(2))
    #expect(deletable == DeletableCopies(copies: [poor.folder, rich.folder], backups: [], drafts: 0, superseded: 0))
    try EventStore.delete(deletable)
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies).isEmpty)
  }

  @Test func backupsAreDeletableOnlyIfTheServerHasAllTheirEvents() async throws {
    _ = try await store.append([.water(1)])
    let backup = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    try await store.clear()
    _ = try await store.append([.water(2)])
    let copy = try await signOut()
    #expect(throws: UndeletableCopies.holdsMore(path: backup.path)) { try survey(.water(2)) }
    let deletable = try survey(.water(1), .water(2))
    #expect(deletable.backups == [backup.path])
    // Copies written since the survey and damaged files stay.
    _ = try await store.append([.water(3)])
    let later = try await store.writeCopy(below: copies, at: .start)
    let damaged = folder.garden + "/garden.db.damaged-1"
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: damaged))
    #expect(try EventStore.hasDamagedFiles(in: folder.garden))
    try EventStore.delete(deletable)
    #expect(!PrivateFiles.exists(copy.folder) && !PrivateFiles.exists(backup.path))
    #expect(PrivateFiles.exists(later.path) && PrivateFiles.exists(damaged))
  }

  /// Another program may have stored another text under the same ID.
  @Test func aCopyWithATextThatWasNotComparedIsNotDeletable() async throws {
    _ = try await store.append([.water(1)])
    let event = try await store.takeBatch(now: .start)[0]
    try await store.confirm([(event, Receipt(clientID: event.clientID, id: nil, createdAt: nil))])
    let copy = try await signOut()
    #expect(throws: UndeletableCopies.holdsMore(path: copy.path)) { try survey(.water(1)) }
  }

  @Test func otherTextsOfTheSameEventAreCounted() async throws {
    _ = try await store.append([.water(1, "mine")])
    _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    try await store.clear()
    _ = try await store.append([.water(1, "theirs")])
    _ = try await signOut()
    #expect(try survey(.water(1)).superseded == 1)
  }

  @Test func unreadableCopiesAndBackupsAreNotDeletable() async throws {
    _ = try await store.append([.water(1)])
    let backup = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    let copy = try await signOut()
    try Data("{".utf8).write(to: URL(fileURLWithPath: backup.path))
    #expect(throws: UndeletableCopies.unreadable(path: backup.path)) { try survey(.water(1)) }
    try Data("no database".utf8).write(to: URL(fileURLWithPath: copy.path))
    #expect(throws: UndeletableCopies.unreadable(path: copy.path)) { try survey(.water(1)) }
  }

  @Test func draftsAndSupersededVersionsAreCounted() async throws {
    _ = try await store.append([.water(1, "mine")])
    _ = try await store.importEvents([.water(1, "theirs")])
    try await store.save(Draft(key: DraftKey(kind: "sun", entity: "", day: ""), text: "half", updated: .start))
    _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    _ = try await signOut()
    let deletable = try survey(.water(1))
    #expect(deletable.drafts == 1 && deletable.superseded == 1)
  }

  /// Copies and backups are both searched for superseded versions.
  @Test(arguments: [false, true]) func supersededVersionsCountWhereverTheyAre(isInBackup: Bool) async throws {
    _ = try await store.append([.water(1, "mine")])
    _ = try await store.importEvents([.water(1, "theirs")])
    if isInBackup {
      _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    } else {
      _ = try await signOut()
    }
    #expect(try survey(.water(1)).superseded == 1)
  }

  /// Unfinished files of a killed program are deleted too, because they may hold the same entries.
  @Test func unfinishedFilesAreDeletedToo() async throws {
    _ = try await store.append([.water(1)])
    let backup = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    _ = try await signOut()
    let deletable = try survey(.water(1))
    let (copyPart, backupPart) = (copies + "/20260101-000000.part", backup.path + ".part")
    try FileManager.default.createDirectory(atPath: copyPart, withIntermediateDirectories: false)
    for path in [copyPart + "/garden.db", backupPart] { try Data("half".utf8).write(to: URL(fileURLWithPath: path)) }
    try EventStore.delete(deletable)
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.garden + "/backups").isEmpty)
  }

  /// An event with a new ID isn't necessarily on the server.
  @Test func anEventThatIsNotOnTheServerKeepsItsBackup() async throws {
    _ = try await store.append([.water(1)])
    let backup = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    try await store.giveNewID()
    try folder.run("DELETE FROM events")
    _ = try await signOut()
    #expect(throws: UndeletableCopies.holdsMore(path: backup.path)) { try survey() }
  }

  @Test func anEventWithAFormerIDCountsAsOnTheServerUnderItsNewID() async throws {
    _ = try await store.append([.water(1)])
    _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    let successor = try await store.giveNewID()
    _ = try await signOut()
    #expect(try survey(successor.content).backups.count == 1)
  }
}

extension EventStore {
  /// Gives the first unsent event a new ID, as for a server that rejects the old one.
  @discardableResult
  fileprivate func giveNewID() throws -> OutgoingEvent {
    let event = try #require(try takeBatch(now: .start).first)
    let successor = try #require(try successor(of: event, for: "user"))
    try replace(
      event, with: successor, Receipt(clientID: successor.clientID, id: "row-1", createdAt: "2026-02-09T14:32:07+00:00")
    )
    return successor
  }
}
