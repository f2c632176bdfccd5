import Foundation
import Glibc
import SQLiteKit
import TemporaryFolders
import Testing

@testable import EventStore

/// Opening a file of another version, a locked one or one in the wrong place fails with a clear error.
struct OpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  @Test func aNewerFileCanOnlyBeRead() async throws {
    _ = try await folder.store().append((1...3).map { .water($0, "entry") })
    try folder.run("PRAGMA user_version = 99")
    let store = try folder.store()
    #expect(store.access == .readOnly(.newerVersion))
    #expect(try await store.count() == 3)
    #expect(try await store.find("entry").count == 3)
    await #expect(throws: StoreError.newerVersion) { try await store.append([.water(9)]) }
    await #expect(throws: StoreError.newerVersion) {
      try await store.save(Draft(key: DraftKey(kind: "", entity: "", day: ""), text: "", updated: .start))
    }
    #expect(!StoreError.newerVersion.message.isEmpty)
    try folder.run("PRAGMA user_version = \(Schema.migrations.count)")
    #expect(try await folder.store().count() == 3)
  }

  /// Opening a pipe waits for a writer.
  @Test func anythingButAFileIsNotOpened() throws {
    try PrivateFiles.makeFolder(folder.garden)
    #expect(mkfifo(folder.database, 0o600) == 0)
    #expect(throws: StoreError.notAGarden(path: folder.database)) { try folder.store() }
    #expect(throws: StoreError.notAGarden(path: folder.database)) {
      try EventStore.openForLookup(folder: folder.garden)
    }
    unlink(folder.database)
    try PrivateFiles.makeFolder(folder.database)
    #expect(throws: StoreError.system(path: folder.database, code: EISDIR)) { try folder.store() }
  }

  @Test func migrationsAreAppliedWhollyOrNotAtAll() async throws {
    let old = ConnectionOptions(migrations: Array(Schema.migrations.prefix(1)))
    try PrivateFiles.makeFolder(folder.garden)
    do {
      let (database, access) = try old.open(folder.database)
      #expect(access == .readWrite)
      #expect(try database.schemaVersion == 1)
    }
    let broken = ConnectionOptions(
      migrations: Schema.migrations + [
        Migration(name: "broken", script: "CREATE TABLE more (x); CREATE TABLE events (x);")
      ])
    #expect(throws: StoreError.self) { try EventStore(folder: folder.garden, options: broken) }
    let store = try folder.store()
    #expect(store.access == .readWrite)
    #expect(try await store.read { try $0.schemaVersion } == Schema.migrations.count)
    #expect(try await store.read { try $0.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'more'") } == 0)
    _ = try await store.append([.water(1)])
  }

  @Test func aFileInPlaceOfTheFolderIsReported() throws {
    try Data().write(to: URL(fileURLWithPath: folder.garden))
    #expect(throws: StoreError.notAFolder(path: folder.garden)) { try folder.store() }
    #expect(throws: StoreError.notAFolder(path: folder.garden)) {
      try EventStore(folder: folder.garden + "/deeper", options: ConnectionOptions())
    }
  }

  @Test func aFolderInPlaceOfTheFileIsReported() throws {
    try FileManager.default.createDirectory(atPath: folder.database, withIntermediateDirectories: true)
    #expect(throws: StoreError.system(path: folder.database, code: EISDIR)) { try folder.store() }
  }

  /// The disk with the file may not be mounted.
  @Test func aLinkThatLeadsNowhereIsReportedAsAMissingFile() throws {
    try PrivateFiles.makeFolder(folder.garden)
    try FileManager.default.createSymbolicLink(atPath: folder.database, withDestinationPath: folder.path + "/away")
    #expect(throws: StoreError.missing(path: folder.database, copies: nil)) { try folder.store() }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.database) == folder.path + "/away")
    _ = try EventStore(folder: folder.garden, options: ConnectionOptions(), missingFile: .startsOver)
    #expect(PrivateFiles.isFile(folder.database) && PrivateFiles.isLink(folder.database + ".damaged-1"))
  }

  /// The write-ahead log is beside the file that the link leads to.
  @Test func aLinkedFileIsOpenedWithItsLog() async throws {
    try PrivateFiles.makeFolder(folder.garden)
    let target = folder.path + "/elsewhere.db"
    try FileManager.default.createSymbolicLink(atPath: folder.database, withDestinationPath: target)
    try PrivateFiles.makeFile(target)
    let store = try folder.store()
    _ = try await store.append((1...500).map { .water($0, String(repeating: "x", count: 200)) })
    let other = try folder.store()
    #expect(other.recovery == nil)
    #expect(try await other.count() == 500)
  }

  @Test func aLockThatLastsTooLongIsReportedAsBusy() async throws {
    let store = try EventStore(folder: folder.garden, options: ConnectionOptions(busyTimeout: 50))
    _ = try await store.append([.water(1)])
    let other = try Database(path: folder.database, mode: .readWrite, busyTimeout: 0)
    try other.run("BEGIN IMMEDIATE")
    await #expect(throws: StoreError.busy) { try await store.append([.water(2)]) }
    #expect(try await store.count() == 1)
    try other.run("ROLLBACK")
    #expect(try await store.append([.water(2)]).outcomes == [.inserted(seq: 2)])
  }

  /// Two programs open a new folder at the same time. The one without the exclusive lock continues when the file
  /// exists.
  @Test func waitingForTheLockEndsWhenItIsNotNeeded() throws {
    try PrivateFiles.makeFolder(folder.garden)
    let other = try #require(try FolderLock(folder: folder.garden, timeout: 0))
    let lock = try #require(try FolderLock(folder: folder.garden, timeout: 0))
    var checks = 0
    let isExclusive = try lock.takeExclusive(timeout: 60_000) {
      checks += 1
      return checks == 2
    }
    #expect(!isExclusive && checks == 2)
    // The waiting program shares the lock again.
    #expect(try !other.takeExclusive(timeout: 0))
  }

  @Test func everyErrorHasItsOwnMessage() {
    let database = DatabaseError(code: 1, extendedCode: 1, systemError: 0, sql: "SELECT", message: "no")
    let errors: [StoreError] = [
      .busy, .diskFull, .notWritable(path: "/p"), .newerVersion, .damaged(path: "/p"), .damagedAndInUse(path: "/p"),
      .notAFolder(path: "/p"), .linkedFolder(path: "/p"), .moved(path: "/p"), .undoWindowOver(clientID: "c"),
      .copyNotVerified(path: "/p"), .backupNotVerified(path: "/p"),
      .absentFolder(path: "/p"), .absentDisk(path: "/p"),
      .notAGarden(path: "/p"), .ownFile(path: "/p"),
      .system(path: "/p", code: EIO),
      .database(database),
    ]
    #expect(Set(errors.map(\.message)).count == errors.count)
    #expect(errors.allSatisfy { !$0.message.contains("{") && $0.message.hasSuffix(".") })
    #expect(Set(errors.map(\.description)).count == errors.count)
  }
}
