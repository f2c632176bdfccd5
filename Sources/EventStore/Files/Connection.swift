import CSQLite
import Glibc
import SQLiteKit

/// How a database file is opened.
struct Connecting {
  /// How long to wait for locks of others, in milliseconds.
  var patience: Int32 = 10_000
  var migrations = Schema.migrations
  /// Of a new file, in bytes. A download of many rows takes 7 % less processor time than with pages of 4096, SQLite's
  /// default, which files of older versions have and keep.
  var pageSize = Connecting.pageSizes[0]

  /// The pages that files were ever made with, newest first.
  static let pageSizes = [8192, 4096]

  /// What to do if there is no room for the files beside the database.
  var fullDisk = EventStore.FullDisk.fails

  /// The mark below which the file has lost events: see `HighWaterMark`. 0 where that is not to be checked.
  var highWaterMark: Int64 = 0

  /// Opens the file for writing, makes it if it is missing, and brings it up to date; where it or its folder can't be
  /// written, or it is from a newer version, for reading.
  /// - Throws: `StoreError.damaged` also if the file is sound but below the mark. Its write-ahead log is as it was.
  func open(_ path: String) throws(StoreError) -> (database: Database, access: EventStore.Access) {
    do {
      let isWritable = try prepareFile(path)
      guard isWritable else { return (try openForReading(path), .readOnly(.notWritable)) }
      do { return try openForWriting(path) } catch {
        guard fullDisk == .opensForReading, StoreError(error, path: path) == .diskFull else { throw error }
        return (try openWithoutSharedMemory(path), .readOnly(.diskFull))
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension Connecting {
  /// Makes the file if it is missing.
  /// - Returns: whether it can be written.
  private func prepareFile(_ path: String) throws -> Bool {
    let folder = PrivateFiles.folder(of: path)
    if PrivateFiles.exists(path) {
      guard access(path, W_OK) == 0, access(folder, W_OK) == 0 else { return false }
    }
    try PrivateFiles.makeFile(path)
    // Reading a file that could not be written leaves these with its rights of then.
    for suffix in ["-wal", "-shm"] where access(path + suffix, W_OK) != 0 { chmod(path + suffix, 0o600) }
    return true
  }

  private func openForWriting(_ path: String) throws -> (Database, EventStore.Access) {
    let database = try Database(path: path, mode: .readWrite, busyTimeout: patience)
    // A damaged log may hold events behind the damage. Closing would remove them.
    database.checkpointsOnClose(false)
    // Two programs that turn an empty file into a database at the same moment are refused without waiting.
    var problem: DatabaseError?
    _ = FolderLock.retry(for: patience) {
      do throws(DatabaseError) {
        // Only heeded before the first page is written, which the other one does.
        try database.run("PRAGMA page_size = \(pageSize); PRAGMA journal_mode = WAL")
        problem = nil
      } catch {
        problem = error
      }
      return problem?.code != SQLITE_BUSY
    }
    if let problem { throw problem }
    try configure(database)
    if try database.lastSequence < highWaterMark { throw StoreError.damaged(path: path) }
    if try database.schemaVersion > migrations.count {
      try database.run("PRAGMA query_only = ON")
      database.checkpointsOnClose(true)
      return (database, .readOnly(.newerVersion))
    }
    try database.migrate(migrations)
    database.checkpointsOnClose(true)
    return (database, .readWrite)
  }

  /// Opens the file for reading where there is no room for the shared memory file of a write-ahead log.
  ///
  /// With the file locked for this connection alone, SQLite keeps the index of the log in its own memory. It reads the log
  /// as usual, and writes nothing.
  /// - Throws: `StoreError.diskFull` if the file would have to be changed before it can be read.
  private func openWithoutSharedMemory(_ path: String) throws -> Database {
    let database = try Database(path: path, mode: .readWrite, busyTimeout: patience)
    database.checkpointsOnClose(false)
    try database.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
    try configure(database)
    if try database.lastSequence < highWaterMark { throw StoreError.damaged(path: path) }
    // An empty file has no tables, and an older one other tables.
    guard try database.schemaVersion >= migrations.count else { throw StoreError.diskFull }
    return database
  }

  private func openForReading(_ path: String) throws -> Database {
    var database = try Database(path: path, mode: .readOnly, busyTimeout: patience)
    do throws(DatabaseError) {
      _ = try database.schemaVersion
    } catch {
      // A write-ahead log needs a shared memory file, which can't be made here. Without a log there is nothing
      // that the file itself lacks, and nobody who could write.
      guard error.code == SQLITE_CANTOPEN || error.code == SQLITE_READONLY, PrivateFiles.isEmpty(path + "-wal")
      else { throw error }
      database = try Database(path: path, mode: .immutable, busyTimeout: patience)
    }
    try configure(database)
    // An empty file has no tables to read.
    guard try database.schemaVersion > 0 else { throw StoreError.notWritable(path: path) }
    return database
  }

  private func configure(_ database: Database) throws {
    // NORMAL would lose acknowledged events when the power fails.
    try database.run(
      """
      PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
      PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 16777216
      """)
  }
}

extension Database {
  /// The largest `seq` that an event ever had, also if that one is gone.
  var lastSequence: Int64 {
    get throws(DatabaseError) {
      guard try integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'") > 0 else { return 0 }
      return try integer("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
    }
  }

  /// Makes later events get numbers above this one. Belongs into a transaction of the caller.
  func raiseSequence(to seq: Int64) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO sqlite_sequence (name, seq)
      SELECT 'events', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events')
      """)
    try execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'events'", .integer(seq))
  }
}
