import Foundation
import SQLiteKit
import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

/// Copies, which are verified before a garden is cleared.
@Suite struct VerifiedCopyTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  private var copies: String { folder.path + "/signed-out/user" }

  /// Adds a confirmed, a rejected and an unsent event, and a draft.
  private func fill() async throws {
    _ = try await store.merge([row(1, .water(1, "confirmed"))])
    _ = try await store.append([.water(2, "rejected")])
    try await store.reject(try await store.takeBatch(now: .start)[0], answer: "400")
    _ = try await store.append([.water(3, "unsent")], undoableUntil: .start.plus(9))
    try await store.save(draft("half a sentence"))
  }

  private func draft(_ text: String) -> Draft {
    Draft(key: DraftKey(kind: "water", entity: "sprout-1", day: ""), text: text, updated: .start)
  }

  @Test func aCopyHoldsEverythingAndOnlyTheOwnerCanReadIt() async throws {
    try await fill()
    let copy = try await store.writeCopy(below: copies, at: .start)
    let contents = try copy.contents()
    #expect(contents.events.map(\.journalText) == [["confirmed"], ["rejected"], ["unsent"]])
    #expect(contents.drafts.map(\.text) == ["half a sentence"])
    #expect(try folder.mode("signed-out/user/\(copy.name)") == 0o700)
    #expect(try folder.mode("signed-out/user/\(copy.name)/garden.db") == 0o600)
    #expect(try EventStore.copies(below: copies) == [copy])
    // A second copy in the same second gets its own folder.
    let second = try await store.writeCopy(below: copies, at: .start)
    #expect(second != copy)
    #expect(try EventStore.copies(below: copies) == [second, copy])
  }

  @Test func clearRequiresACompleteCopy() async throws {
    try await fill()
    let copy = try await store.writeCopy(below: copies, at: .start)
    _ = try await store.append([.water(4, "written since")])
    #expect(try await !store.clear(keptIn: copy))
    #expect(try await store.count() == 4)
    let newer = try await store.writeCopy(below: copies, at: .start)
    try await store.save(draft("a draft since"))
    #expect(try await !store.clear(keptIn: newer))
    #expect(try await store.drafts().count == 1)
    let newest = try await store.writeCopy(below: copies, at: .start)
    #expect(try await store.clear(keptIn: newest))
    #expect(try await store.count() == 0)
    #expect(try newest.contents().events.count == 4)
  }

  private enum Change: CaseIterable {
    case superseded, formerID, meta, knownRow
  }

  /// The garden is not cleared if anything has changed since the copy was made, even if the copy has every event.
  @Test(arguments: Change.allCases) private func clearRejectsACopyThatLacksAnything(change: Change) async throws {
    try await fill()
    let copy = try await store.writeCopy(below: copies, at: .start)
    switch change {
    case .superseded: _ = try await store.importEvents([.water(3, "another version")])
    case .formerID: try folder.run("INSERT INTO former_ids (identity, client_id) VALUES ('a', 'b')")
    case .meta: try await store.set("7", for: .localEvents)
    case .knownRow: try folder.run("INSERT INTO merged_rows (server_id) VALUES ('x')")
    }
    let isCleared = try await store.clear(keptIn: copy)
    #expect(isCleared == false)
    #expect(try await store.count() == 3)
  }

  /// Signing out removes the profile; clearing only the garden keeps it.
  @Test(arguments: [false, true]) func clearingKeepsTheProfileOnRequest(keepsProfile: Bool) async throws {
    try await fill()
    try await store.set("{}", for: .profile)
    try await store.set("digest", for: .owner)
    let copy = try await store.writeCopy(below: copies, at: .start)
    #expect(try await store.clear(keptIn: copy, keepsProfile: keepsProfile))
    #expect(try await store.value(.profile) == (keepsProfile ? "{}" : nil))
    #expect(try await store.value(.owner) == (keepsProfile ? "digest" : nil))
  }

  @Test func clearRejectsADamagedCopy() async throws {
    try await fill()
    let copy = try await store.writeCopy(below: copies, at: .start)
    let database = try Database(path: copy.path, mode: .readWrite, busyTimeout: 0)
    try database.run("UPDATE events SET raw = replace(raw, 'unsent', 'forged')")
    #expect(throws: StoreError.damagedCopy(path: copy.path)) { try copy.contents() }
    #expect(try await !store.clear(keptIn: copy))
    // The copy is damaged, not the garden.
    try Data("This text is not a database of SQLite.".utf8).write(to: URL(fileURLWithPath: copy.path))
    await #expect(throws: StoreError.damagedCopy(path: copy.path)) { try await store.clear(keptIn: copy) }
    #expect(try EventStore.readBack(copy) == nil)
    #expect(!PrivateFiles.exists(folder.garden + "/garden.suspect"))
    try FileManager.default.removeItem(atPath: copy.path)
    await #expect(throws: StoreError.self) { try await store.clear(keptIn: copy) }
    #expect(try await store.count() == 3)
  }

  /// The copy equals the garden, but an event in both is not what was written.
  @Test func aDamagedGardenIsNotCopied() async throws {
    try await fill()
    try folder.run("UPDATE events SET raw = replace(raw, 'unsent', 'forged')")
    await #expect(throws: StoreError.self) { try await store.writeCopy(below: copies, at: .start) }
    #expect(try EventStore.copies(below: copies).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies).isEmpty)
  }

  @Test func aPlantedLinkIsRejected() async throws {
    try await fill()
    let elsewhere = folder.path + "/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
    try FileManager.default.createDirectory(atPath: folder.path + "/signed-out", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: copies, withDestinationPath: elsewhere)
    await #expect(throws: StoreError.linkedFolder(path: copies)) {
      try await store.writeCopy(below: copies, at: .start)
    }
    #expect(throws: StoreError.linkedFolder(path: copies)) { try EventStore.checkCopies(below: copies) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    #expect(try await store.count() == 3)
  }

  /// The parent of the copies' folder must not be a link either.
  @Test func aPlantedLinkAboveTheCopiesIsRejected() async throws {
    try await fill()
    let elsewhere = folder.path + "/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/signed-out", withDestinationPath: elsewhere)
    await #expect(throws: StoreError.self) { try await store.writeCopy(below: copies, at: .start) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
  }

  /// A link named like an unfinished copy is not followed when unfinished copies are removed.
  @Test func aPlantedLinkAmongTheCopiesIsNotFollowed() async throws {
    try await fill()
    let victim = try await store.writeCopy(below: folder.path + "/elsewhere", at: .start)
    _ = try await store.writeCopy(below: copies, at: .start)
    try FileManager.default.createSymbolicLink(
      atPath: copies + "/20260101-000000.part", withDestinationPath: victim.folder)
    _ = try await store.writeCopy(below: copies, at: .start)
    #expect(try victim.contents().events.count == 3)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/signed-out/linked", withDestinationPath: folder.path + "/elsewhere")
    #expect(try EventStore.accountsWithCopies(in: folder.path + "/signed-out") == ["user"])
  }

  /// Opening a pipe would wait for a writer.
  @Test func pipesAndLinksAreNotReadAsCopies() async throws {
    try await fill()
    let copy = try await store.writeCopy(below: copies, at: .start)
    let files = FileManager.default
    for name in ["20300101-000000", "20300102-000000"] {
      try files.createDirectory(atPath: copies + "/" + name, withIntermediateDirectories: true)
    }
    #expect(mkfifo(copies + "/20300101-000000/garden.db", 0o600) == 0)
    try files.createSymbolicLink(atPath: copies + "/20300102-000000/garden.db", withDestinationPath: copy.path)
    try files.createSymbolicLink(atPath: copies + "/20300103-000000", withDestinationPath: copy.folder)
    #expect(try EventStore.copies(below: copies) == [copy])
  }

  @Test func anUnfinishedCopyIsIgnoredAndRemoved() async throws {
    try await fill()
    let unfinished = copies + "/20260101-000000.part"
    try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
    try "".write(toFile: unfinished + "/garden.db", atomically: false, encoding: .utf8)
    #expect(try EventStore.copies(below: copies).isEmpty)
    let copy = try await store.writeCopy(below: copies, at: .start)
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies) == [copy.name])
  }

  @Test func laterCopiesSortLaterEvenIfTheClockWasSetBack() async throws {
    let first = try await store.writeCopy(below: copies, at: .start)
    #expect(first.made == Instant.start.plus(0))
    let second = try await store.writeCopy(below: copies, at: .start.plus(-86_400))
    #expect(second.name > first.name)
    // The copy that the user has decided about may have been deleted.
    try await store.set("20990101-000000", for: .restoreAnswered)
    let third = try await store.writeCopy(below: copies, at: .start)
    #expect(third.name == "20990101-000001")
    #expect(try EventStore.copies(below: copies) == [third, second, first])
    // Also the copies that the user has restored.
    try await store.set(
      RestoredCopies(nil).adding([third]).adding([VerifiedCopy(folder: "/x/21000101-000000")]).text,
      for: .draftsRestored)
    #expect(try await store.writeCopy(below: copies, at: .start).name == "21000101-000001")
  }

  @Test func aCopyInProgressIsNotRemoved() async throws {
    try await fill()
    _ = try await store.writeCopy(below: copies, at: .start)
    let unfinished = try #require(try UnfinishedCopy.make(copies + "/20260101-000000.part"))
    try "half".write(toFile: unfinished.copy.path, atomically: false, encoding: .utf8)
    _ = try await store.writeCopy(below: copies, at: .start)
    #expect(try String(contentsOfFile: unfinished.copy.path, encoding: .utf8) == "half")
    #expect(try UnfinishedCopy.make(unfinished.copy.folder) == nil)
  }

  @Test func severalProgramsCanCopyAtOnce() async throws {
    try await fill()
    let (store, copies) = (store, copies)
    let others = try (0..<3).map { _ in try folder.store() }
    let written = try await withThrowingTaskGroup(of: VerifiedCopy.self) { group in
      for writer in [store] + others {
        for _ in 0..<5 { group.addTask { try await writer.writeCopy(below: copies, at: .start) } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(written).count == 20)
    #expect(try Set(EventStore.copies(below: copies)) == Set(written))
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies).count == 20)
  }
}
