import Foundation
import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

/// A missing file is not mistaken for a new, empty garden.
struct MissingGardenTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  private enum RemainingFile: CaseIterable {
    case backup, damagedFile, lock, mark, log
  }

  private func open(_ missingFile: EventStore.MissingFile = .fails) throws -> EventStore {
    try EventStore(folder: folder.garden, options: ConnectionOptions(), missingFile: missingFile)
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.garden))
  }

  /// Creates a garden with two entries, a backup of them and one more entry, then deletes its file.
  private func loseTheFile() async throws {
    do {
      let store = try open()
      _ = try await store.append([.water(1, "one"), .water(2, "two")])
      _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
      _ = try await store.append([.water(3, "three")])
    }
    for name in try names() where name.hasPrefix("garden.db") {
      try FileManager.default.removeItem(atPath: folder.garden + "/" + name)
    }
  }

  @Test(arguments: RemainingFile.allCases) private func everyRemainingFileShowsThatAGardenExisted(file: RemainingFile)
    throws
  {
    try FileManager.default.createDirectory(atPath: folder.garden + "/backups", withIntermediateDirectories: true)
    #expect(try !EventStore.holdsGarden(in: folder.garden))
    let (name, text) =
      switch file {
      case .backup: ("backups/trunk-20250101-080000.json", "{}")
      case .damagedFile: ("garden.db.damaged-1", "")
      case .lock: ("garden.lock", "1")
      case .mark: ("garden.mark", "00000000000000000009 00000000000000000009\n")
      case .log: ("garden.db-wal", "something")
      }
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.garden + "/" + name))
    let hasCopies = file == .backup || file == .damagedFile
    for attempt in [{ _ = try open() }, { _ = try EventStore.holdsGarden(in: folder.garden) }] {
      #expect {
        try attempt()
      } throws: { error in
        guard case .missing(folder.database, let copies) = error as? StoreError else { return false }
        return (copies != nil) == hasCopies
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.database))
    #expect(try open(.startsOver).recovery == nil)
    #expect(try EventStore.holdsGarden(in: folder.garden))
    // The old write-ahead log is renamed, because the new file needs its name.
    if file == .log { #expect(try names().contains("garden.db.damaged-1-wal")) }
    #expect(try open().recovery == nil)
  }

  @Test func theNewestBackupIsRestoredOnRequest() async throws {
    try await loseTheFile()
    #expect(throws: StoreError.self) { try open() }
    let store = try open(.restoresBackup)
    #expect(store.recovery == nil)
    #expect(try await store.events(afterSeq: 0).map { $0.event.journalText.first } == ["one", "two"])
    #expect(try await store.syncFigures(now: .start).pending == 2)
    _ = try await store.append([.water(4)])
    #expect(try open().recovery == nil)
  }

  /// What is written to a file that is no longer at its path would be gone after the next start.
  @Test(arguments: [false, true]) func nothingIsWrittenToAFileThatWasMoved(isReplaced: Bool) async throws {
    let store = try open()
    _ = try await store.append([.water(1, "one")])
    let (files, aside) = (FileManager.default, folder.path + "/aside")
    try files.moveItem(atPath: folder.database, toPath: aside)
    if isReplaced { try files.copyItem(atPath: aside, toPath: folder.database) }
    let moved = StoreError.moved(path: folder.database)
    await #expect(throws: moved) { _ = try await store.append([.water(2, "two")]) }
    let draft = Draft(key: DraftKey(kind: "water", entity: "a", day: ""), text: "draft", updated: .start)
    await #expect(throws: moved) { try await store.save(draft) }
    await #expect(throws: moved) { _ = try await store.merge([row(1, .water(3))]) }
    #expect(try await store.events(afterSeq: 0).map { $0.event.journalText.first } == ["one"])
    if isReplaced { try files.removeItem(atPath: folder.database) }
    try files.moveItem(atPath: aside, toPath: folder.database)
    _ = try await store.append([.water(2, "two")])
    #expect(try await store.count() == 2)
  }

  /// An empty garden in place of the missing one would look as if all entries were gone.
  @Test func nothingIsRestoredFromUnreadableBackups() async throws {
    try await loseTheFile()
    for backup in try EventStore.backups(in: folder.garden) {
      try Data("{".utf8).write(to: URL(fileURLWithPath: backup.path))
    }
    #expect(throws: StoreError.nothingToRestore(folder: folder.garden)) { try open(.restoresBackup) }
    #expect(!FileManager.default.fileExists(atPath: folder.database))
    #expect { try open() } throws: { error in
      if case .missing = error as? StoreError { true } else { false }
    }
  }

  @Test func startingOverKeepsTheBackups() async throws {
    try await loseTheFile()
    let store = try open(.startsOver)
    #expect(try await store.count() == 0)
    #expect(try EventStore.backups(in: folder.garden).count == 1)
    _ = try await store.append([.water(4)])
    #expect(try open().recovery == nil)
  }

  /// Only the write-ahead log of a killed program is left: its events are recovered too.
  @Test func theRemainingWriteAheadLogIsRestoredToo() async throws {
    let outcome = try Writer(["append", folder.garden, "100000"]).outcome(killedAfter: 10)
    try FileManager.default.removeItem(atPath: folder.database)
    #expect(throws: StoreError.self) { try open() }
    let store = try open(.restoresBackup)
    let here = try await Set(store.events(afterSeq: 0).compactMap(\.event.clientID))
    #expect(here.isSuperset(of: outcome.acknowledged))
  }

  @Test func aFinishedRecoveryCountsAsAGarden() async throws {
    _ = try await folder.store().append([.water(1)])
    rename(folder.database, folder.database + ".recovered")
    #expect(try EventStore.holdsGarden(in: folder.garden))
    #expect(try await open().count() == 1)
  }
}
