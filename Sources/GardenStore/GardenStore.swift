import Garden
import Glibc
import Storage

/// The durable log of one account's garden: one folder with one SQLite file.
///
/// When a call that writes returns, what it wrote is on the disk and survives a crash and a power failure. When it
/// throws, nothing has changed. Several stores and several processes may use one folder at a time.
public actor GardenStore {
  public enum Access: Sendable, Equatable {
    case readWrite
    case readOnly(Reason)

    public enum Reason: Sendable, Equatable {
      /// The file was written by a newer version of this program.
      case newerVersion
      /// The file or its folder can't be written.
      case notWritable
    }
  }

  public nonisolated let folder: String
  public nonisolated let access: Access
  /// What was saved of a damaged file when this store was opened; `nil` if there was no damage.
  public nonisolated let recovery: Recovery?
  let database: Database
  nonisolated let executor = QueueExecutor(label: "garden-store")
  /// Held as long as the file is open.
  private let lock: FolderLock?
  private let mark: HighWaterMark?
  /// Who wants to know of writes by others.
  var listeners = Listeners()

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens the store in `folder`, which is made if there never was one.
  ///
  /// A damaged file is set aside, and a new one is made from what can be read of it and from the newest backup (see
  /// `recovery`). A file that can't be written, or that is from a newer version of the program, can be read (see
  /// `access`). It does not block the caller's actor.
  /// - Parameter missingFile: what to do if the file is gone and backups or other traces of it are there.
  public static func open(
    folder: String, missingFile: MissingFile = .fails
  ) async throws(StoreError) -> GardenStore {
    try GardenStore(folder: folder, connecting: Connecting(), missingFile: missingFile)
  }

  init(folder: String, connecting: Connecting, missingFile: MissingFile = .fails) throws(StoreError) {
    let opened = try Opening(folder: folder, connecting: connecting, missingFile: missingFile).open()
    self.folder = folder
    access = opened.access
    recovery = opened.recovery
    database = opened.database
    lock = opened.lock
    mark = opened.access == .readWrite ? HighWaterMark(folder: folder) : nil
  }

  nonisolated var path: String { Opening.path(in: folder) }
}

// MARK: - Transactions

extension GardenStore {
  /// Reads, all of it from one state of the log.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try database.snapshot { try body(database) }
    } catch {
      throw failure(error)
    }
  }

  /// Writes all of it or nothing, and tells other programs.
  /// - Parameter durably: whether the disk must have it before this returns.
  func write<Value>(durably: Bool = true, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try checkWritable()
    do {
      if !durably { try database.run("PRAGMA synchronous = NORMAL") }
      let result = Result { try database.transaction { try body(database) } }
      if !durably { try database.run("PRAGMA synchronous = FULL") }
      let value = try result.get()
      if durably { raiseMark() }
      // Other programs watch for this: the write itself can be seen before the transaction can.
      utimensat(AT_FDCWD, path, nil, 0)
      return value
    } catch {
      throw failure(error)
    }
  }

  /// What was just committed is about to be acknowledged.
  private func raiseMark() {
    // The commit has succeeded: without the number the mark stays where it is.
    guard let mark, let seq = try? database.lastSequence else { return }
    mark.raise(to: seq)
  }

  func checkWritable() throws(StoreError) {
    switch access {
    case .readWrite: break
    case .readOnly(.newerVersion): throw .newerVersion
    case .readOnly(.notWritable): throw .notWritable(path: path)
    }
  }

  func failure(_ error: any Error) -> StoreError {
    let failure = StoreError(error, path: path)
    if case .damaged = failure { Opening.markSuspect(folder) }
    return failure
  }
}
