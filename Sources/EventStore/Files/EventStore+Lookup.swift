import CSQLite
import SQLiteKit

extension EventStore {
  /// Returns the SHA-256 of the newest event's text; `nil` if the log is empty.
  ///
  /// It tells a log from one that has replaced it and has the same head: the text contains a random number.
  public func newestDigest() throws(StoreError) -> [UInt8]? {
    try read { try $0.first("SELECT sha256 FROM events ORDER BY seq DESC LIMIT 1") { $0.blob(0) } }
  }

  /// Opens an existing file for a program that only looks something up, such as the desktop's search.
  ///
  /// Writes nothing, neither to the file nor beside it: it creates, migrates, repairs and marks nothing, and takes no
  /// lock of the folder. Keep it open for a moment only.
  /// - Throws: `StoreError.missing` if there is no file, `.newerVersion` if its tables aren't those of this version.
  public static func openForLookup(folder: String) throws(StoreError) -> EventStore {
    let path = GardenFile.path(in: folder)
    guard PrivateFiles.exists(path) else { throw .missing(path: path, copies: nil) }
    try GardenFile.check(path)
    do {
      return EventStore(folder: folder, lookingUpIn: try ConnectionOptions().openForLookup(path))
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension ConnectionOptions {
  /// How long a lookup waits for the locks of other programs, in milliseconds. The user is typing, so it is short.
  private static let lookupBusyTimeout: Int32 = 100

  fileprivate func openForLookup(_ path: String) throws -> Database {
    let database = try connectForLookup(path)
    try database.run("PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
    guard try database.schemaVersion == migrations.count else { throw StoreError.newerVersion }
    return database
  }

  private func connectForLookup(_ path: String) throws(DatabaseError) -> Database {
    let log = path + "-wal"
    // Without a write-ahead log, no program has the file open, and it is complete. SQLite would create an empty log.
    guard PrivateFiles.exists(log) else { return try openImmutable(path) }
    let database = try Database(path: path, mode: .lookup, busyTimeout: Self.lookupBusyTimeout)
    do throws(DatabaseError) {
      _ = try database.schemaVersion
      return database
    } catch {
      guard error.code == SQLITE_CANTOPEN || error.code == SQLITE_READONLY, PrivateFiles.isEmpty(log)
      else { throw error }
      return try openImmutable(path)
    }
  }

  private func openImmutable(_ path: String) throws(DatabaseError) -> Database {
    try Database(path: path, mode: .immutable, busyTimeout: Self.lookupBusyTimeout)
  }
}
