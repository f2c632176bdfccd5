import CSQLite
import Glibc
import SQLiteKit

/// How a database file is opened.
struct ConnectionOptions {
  /// How long to wait for other programs' locks, in milliseconds.
  var busyTimeout: Int32 = 10_000
  var migrations = Schema.migrations
  /// The page size of new files, in bytes. With it, a download of many rows takes 7 % less processor time than with
  /// SQLite's default of 4096. Files of older versions keep that size.
  var pageSize = ConnectionOptions.pageSizes[0]

  /// The page sizes that any version has used for new files, newest first.
  static let pageSizes = [8192, 4096]

  /// Whether a file without tables is a new one. Otherwise it has lost them.
  var acceptsNewFile = true

  /// What to do if the disk has no room for SQLite's `-wal` and `-shm` files.
  var fullDisk = EventStore.FullDisk.fails

  /// The high-water mark of the file, see `HighWaterMark`. A file whose last `seq` is lower has lost events. With 0,
  /// this is not checked.
  var highWaterMark: Int64 = 0

  /// Opens the file for writing, creates it if it is missing, and migrates it. If the file or its folder can't be
  /// written, or the file is from a newer version, opens it for reading.
  /// - Returns: the connection, and whether it can write or why not.
  /// - Throws: `StoreError.damaged` also for an intact file that is below the high-water mark. Its write-ahead log
  ///   stays unchanged, so that a recovery can still read it.
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

extension ConnectionOptions {
  /// Creates the file if it is missing.
  /// - Returns: whether it can be written.
  private func prepareFile(_ path: String) throws -> Bool {
    let folder = PrivateFiles.folder(of: path)
    if PrivateFiles.exists(path) {
      guard access(path, W_OK) == 0, access(folder, W_OK) == 0 else { return false }
    }
    try PrivateFiles.makeFile(path)
    // If the file was read while it was read-only, SQLite created these with the same permissions.
    for suffix in ["-wal", "-shm"] where access(path + suffix, W_OK) != 0 { chmod(path + suffix, 0o600) }
    return true
  }

  private func openForWriting(_ path: String) throws -> (Database, EventStore.Access) {
    let database = try Database(path: path, mode: .readWrite, busyTimeout: busyTimeout)
    if database.isReadOnly { throw StoreError.notWritable(path: path) }
    do {
      return (database, try prepare(database))
    } catch let error as DatabaseError where error.isOfSchema || database.isReadOnly {
      // The statements fit every intact file, and the system allows writing, so the first page must be damaged.
      throw StoreError.damaged(path: path)
    }
  }

  /// Makes a connection ready for writing and migrates the file.
  private func prepare(_ database: Database) throws -> EventStore.Access {
    // A write-ahead log may hold intact events after a damaged frame. SQLite's checkpoint on closing would drop them.
    database.checkpointsOnClose(false)
    // If two programs initialise an empty file at the same moment, SQLite reports "busy" without waiting, so retry
    // here.
    var problem: DatabaseError?
    _ = FolderLock.retry(for: busyTimeout) {
      do throws(DatabaseError) {
        // `page_size` has an effect only until the first page is written, which the other program may do first.
        try database.run("PRAGMA page_size = \(pageSize); PRAGMA journal_mode = WAL")
        problem = nil
      } catch {
        problem = error
      }
      return problem?.code != SQLITE_BUSY
    }
    if let problem { throw problem }
    try configure(database)
    if try Schema.isForeign(database) { throw StoreError.notAGarden(path: database.path) }
    let version = try database.schemaVersion
    guard try isPlausible(database, version) else { throw StoreError.damaged(path: database.path) }
    let isNewer = version > migrations.count
    if isNewer { try database.run("PRAGMA query_only = ON") } else { try database.migrate(migrations) }
    database.checkpointsOnClose(true)
    return isNewer ? .readOnly(.newerVersion) : .readWrite
  }

  /// Whether the first page and the high-water mark fit the file. `SchemaRecord` tells the rest.
  private func isPlausible(_ database: Database, _ version: Int) throws -> Bool {
    guard try database.lastSequence >= highWaterMark, version >= (acceptsNewFile ? 0 : 1), !database.isReadOnly,
      try Verification.structureOfFirstPage(of: database).isEmpty, try hasPlausibleSize(database)
    else { return false }
    // In a damaged file, a migration could free pages that belong to other tables.
    if version > 0, version < migrations.count, try !Verification.structure(of: database).isEmpty { return false }
    // A single changed bit in the version would make the file one of another version.
    return try (version ^ migrations.count).nonzeroBitCount != 1
      || !SchemaRecord(database: database).isUnchanged(version: migrations.count)
  }

  /// Whether the file is as large as its first page says. A write-ahead log may hold a newer first page.
  private func hasPlausibleSize(_ database: Database) throws -> Bool {
    guard PrivateFiles.isEmpty((PrivateFiles.resolved(database.path) ?? database.path) + "-wal") else { return true }
    let size = try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size")
    return PrivateFiles.size(of: database.path) == size
  }

  /// Opens the file for reading if the disk has no room for the shared memory file of the write-ahead log.
  ///
  /// With the file locked exclusively, SQLite keeps the index of the write-ahead log in its own memory. It reads the
  /// log as usual and writes nothing.
  /// - Throws: `StoreError.diskFull` if the file would have to be changed before it can be read.
  private func openWithoutSharedMemory(_ path: String) throws -> Database {
    let database = try Database(path: path, mode: .readWrite, busyTimeout: busyTimeout)
    database.checkpointsOnClose(false)
    try database.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
    try configure(database)
    if try database.lastSequence < highWaterMark { throw StoreError.damaged(path: path) }
    // An empty file has no tables, and a file of an older version would have to be migrated.
    guard try database.schemaVersion >= migrations.count else { throw StoreError.diskFull }
    return database
  }

  private func openForReading(_ path: String) throws -> Database {
    var database = try Database(path: path, mode: .readOnly, busyTimeout: busyTimeout)
    do throws(DatabaseError) {
      _ = try database.schemaVersion
    } catch {
      // A write-ahead log needs a shared memory file, which can't be created here. If the log is empty, the database
      // file is complete and no program is writing, so it can be opened as immutable.
      guard error.code == SQLITE_CANTOPEN || error.code == SQLITE_READONLY, PrivateFiles.isEmpty(path + "-wal")
      else { throw error }
      database = try Database(path: path, mode: .immutable, busyTimeout: busyTimeout)
    }
    try configure(database)
    // An empty file has no tables to read.
    guard try database.schemaVersion > 0 else { throw StoreError.notWritable(path: path) }
    return database
  }

  private func configure(_ database: Database) throws {
    // `synchronous = NORMAL` would lose acknowledged events in a power failure.
    try database.run(
      """
      PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
      PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 16777216
      """)
  }
}

extension Database {
  /// The largest `seq` that was ever assigned, even if that event was removed; 0 if there is none.
  var lastSequence: Int64 {
    get throws(DatabaseError) {
      guard try integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'") > 0 else { return 0 }
      return try integer("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
    }
  }

  /// Makes later events get a `seq` above this one. Call it in a transaction.
  func raiseSequence(to seq: Int64) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO sqlite_sequence (name, seq)
      SELECT 'events', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events')
      """)
    try execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'events'", .integer(seq))
  }

  /// Advances `seq` for a change beside the log, so that a file that has lost the change is below the high-water mark,
  /// and the next backup is due. Call it in a transaction.
  func useUpNumber() throws(DatabaseError) { try raiseSequence(to: lastSequence + 1) }
}
