import Glibc
import SQLiteKit

/// The durable log of one account's garden: one folder with one SQLite file.
///
/// When a call that writes events returns, they are on the disk and survive a crash and a power failure. Drafts, and
/// what the server can send again, such as staged rows, survive a crash but perhaps not a power failure. When a call
/// throws, nothing has changed. Several stores and several processes may use one folder at the same time.
public actor EventStore {
  public enum Access: Sendable, Equatable {
    case readWrite
    case readOnly(Reason)

    public enum Reason: Sendable, Equatable {
      /// The file was written by a newer version of this program.
      case newerVersion
      /// The file or its folder can't be written.
      case notWritable
      /// The disk is full. While the store is open, nothing else can use the file.
      case diskFull
    }
  }

  /// What to do if the disk is too full to open the file for writing.
  public enum FullDisk: Sendable {
    /// Throws `StoreError.diskFull`.
    case fails
    /// Opens the file for reading only. While it is open, no other program can use it, so this is only for short-lived
    /// commands.
    case opensForReading
  }

  public nonisolated let folder: String
  public nonisolated let access: Access
  /// What was recovered from a damaged file when this store was opened; `nil` if there was no damage.
  public nonisolated let recovery: Recovery?
  let database: Database
  nonisolated let executor = QueueExecutor(label: "garden-store")
  /// Held as long as the file is open.
  private let lock: FolderLock?
  private let mark: HighWaterMark?
  /// See `ConnectionOptions.busyTimeout`.
  let busyTimeout: Int32
  /// Whether the store only looks something up, see `openForLookup`.
  private let isLookup: Bool
  /// The listeners for writes by other stores.
  var listeners = Listeners()

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens the store in `folder`, which is created if it never existed.
  ///
  /// A damaged file is set aside and replaced by a new one, built from what can be read of it and from the newest
  /// backup (see `recovery`). A file that can't be written, or that is from a newer version of the program, can only be
  /// read (see `access`). Opening does not block the caller's actor.
  /// - Parameters:
  ///   - missingFile: what to do if the file is missing, although backups or other traces show that it existed.
  ///   - fullDisk: what to do if the disk is too full to open the file for writing.
  public static func open(
    folder: String, missingFile: MissingFile = .fails, fullDisk: FullDisk = .fails
  ) async throws(StoreError) -> EventStore {
    var options = ConnectionOptions()
    options.fullDisk = fullDisk
    return try EventStore(folder: folder, options: options, missingFile: missingFile)
  }

  init(folder: String, options: ConnectionOptions, missingFile: MissingFile = .fails) throws(StoreError) {
    let opened = try GardenFile(folder: folder, options: options, missingFile: missingFile).open()
    self.folder = folder
    access = opened.access
    recovery = opened.recovery
    database = opened.database
    lock = opened.lock
    busyTimeout = options.busyTimeout
    isLookup = false
    mark = opened.access == .readWrite ? HighWaterMark(folder: folder) : nil
    guard opened.access == .readWrite else { return }
    // Another program's lock must not delay the start. An error, such as that lock or a full disk, must not keep the
    // garden closed: a draft that can't be saved now stays in its file for the next start.
    database.setBusyTimeout(0)
    try? SetAsideDraft.saveAll(in: folder, to: database)
    database.setBusyTimeout(busyTimeout)
  }

  /// - Parameter database: a connection that reads only.
  init(folder: String, lookingUpIn database: Database) {
    self.folder = folder
    self.database = database
    access = .readOnly(.notWritable)
    recovery = nil
    lock = nil
    mark = nil
    busyTimeout = 0
    isLookup = true
  }

  nonisolated var path: String { GardenFile.path(in: folder) }
}

// MARK: - Transactions

extension EventStore {
  /// Reads from a single snapshot of the log.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try database.snapshot { try body(database) }
    } catch {
      throw failure(error)
    }
  }

  /// Writes everything or nothing, and notifies other programs.
  /// - Parameter durably: whether the data must be on the disk before this returns.
  /// - Throws: `moved` if the file is no longer at its path, where the next start would look for the data.
  func write<Value>(durably: Bool = true, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try checkWritable()
    do {
      let value = try commitRepairingSearchIndex(durably: durably, body)
      if durably { raiseMark() }
      // Notifies other programs: watching the write itself would notify them before the transaction is visible.
      utimensat(AT_FDCWD, path, nil, 0)
      return value
    } catch {
      throw failure(error)
    }
  }

  /// The search index holds nothing that the log doesn't have, so damage of it must not keep the user from writing.
  private func commitRepairingSearchIndex<Value>(durably: Bool, _ body: (Database) throws -> Value) throws -> Value {
    do {
      return try commit(durably: durably, body)
    } catch let error as DatabaseError {
      guard error.isOfSearchIndex,
        try database.transaction({ try SearchIndex(database: database).emptyIfSafe() })
      else { throw error }
    }
    return try commit(durably: durably, body)
  }

  private func commit<Value>(durably: Bool, _ body: (Database) throws -> Value) throws -> Value {
    if !durably { try database.run("PRAGMA synchronous = NORMAL") }
    let result = Result {
      try database.transaction {
        if database.hasMoved { throw StoreError.moved(path: path) }
        let value = try body(database)
        try mark?.forgetNewest(unlessIn: database)
        return value
      }
    }
    if !durably { try database.run("PRAGMA synchronous = FULL") }
    return try result.get()
  }

  /// Raises the high-water mark before a commit is acknowledged.
  private func raiseMark() {
    // The commit has succeeded. If the log can't be read, the mark stays unchanged.
    guard let mark, var value = try? database.acknowledged() else { return }
    value.file = HighWaterMark.File(path)
    mark.raise(to: value)
  }

  func checkWritable() throws(StoreError) {
    switch access {
    case .readWrite: break
    case .readOnly(.newerVersion): throw .newerVersion
    case .readOnly(.notWritable): throw .notWritable(path: path)
    case .readOnly(.diskFull): throw .diskFull
    }
  }

  func failure(_ error: any Error) -> StoreError {
    let failure = StoreError(error, path: path)
    if case .damaged = failure, !isLookup { GardenFile.markSuspect(folder) }
    return failure
  }
}
