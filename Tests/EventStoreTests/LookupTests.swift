import Foundation
import SQLiteKit
import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

/// A store that only looks something up writes nothing.
struct LookupTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder.forGarden()
  }

  private func files() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.garden)
    return try Dictionary(
      uniqueKeysWithValues: names.filter { $0 != "backups" }.map {
        ($0, try Data(contentsOf: URL(fileURLWithPath: folder.garden + "/" + $0)))
      })
  }

  private func seqsOfRiver() async throws -> Set<Int64>? {
    try await EventStore.openForLookup(folder: folder.garden).matches(TextQuery([.init("river")]))?.texts
  }

  @Test func readsWhatAnOpenStoreHasWritten() async throws {
    let store = try folder.store()
    _ = try await store.append([.water(1, "the river")])
    #expect(try await seqsOfRiver() == [1])
    _ = try await store.append([.water(2, "a river again")])
    let before = try files()
    #expect(before["garden.db-wal"]?.isEmpty == false)
    #expect(try await seqsOfRiver() == [1, 2])
    #expect(try files() == before)
  }

  @Test func readsAClosedFileWithoutCreatingOthers() async throws {
    func write() async throws {
      _ = try await folder.store().append([.water(1, "the river")])
    }
    try await write()
    let before = try files()
    #expect(before["garden.db-wal"] == nil)
    #expect(try await seqsOfRiver() == [1])
    #expect(try files() == before)
  }

  @Test func writesNothingAndCreatesNoGarden() async throws {
    #expect(throws: StoreError.missing(path: folder.database, copies: nil)) {
      try EventStore.openForLookup(folder: folder.garden)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.garden))
    _ = try folder.store()
    let lookup = try EventStore.openForLookup(folder: folder.garden)
    await #expect(throws: StoreError.notWritable(path: folder.database)) {
      _ = try await lookup.append([.water(1)])
    }
  }

  @Test func rejectsTheTablesOfOtherVersions() throws {
    _ = try folder.store()
    let latest = ConnectionOptions().migrations.count
    for version in [latest - 1, latest + 1] {
      try folder.run("PRAGMA user_version = \(version)")
      #expect(throws: StoreError.newerVersion) { try EventStore.openForLookup(folder: folder.garden) }
    }
  }

  @Test func damageIsNotMarked() async throws {
    func write() async throws {
      _ = try await folder.store().append([.water(1, "the river")])
    }
    try await write()
    let file = try #require(FileHandle(forUpdatingAtPath: folder.database))
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0x5A, count: 60_000))
    try file.close()
    let before = try files()
    await #expect(throws: StoreError.self) { _ = try await seqsOfRiver() }
    #expect(try files() == before)
  }
}
