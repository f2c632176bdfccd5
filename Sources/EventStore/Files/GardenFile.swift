import Glibc
import SQLiteKit

/// Opens the file in a garden's folder and recovers a damaged one as far as possible.
struct GardenFile {
  struct Opened {
    let database: Database
    let access: EventStore.Access
    let lock: FolderLock?
    let recovery: Recovery?
  }

  let folder: String
  let options: ConnectionOptions
  let missingFile: EventStore.MissingFile

  static func path(in folder: String) -> String { folder + "/garden.db" }

  /// - Throws: `notAGarden` for a pipe, device or socket, which SQLite might wait for; `system` for a folder or for a
  ///   file that can't be read.
  static func check(_ path: String) throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .system(path: path, code: EISDIR)
    default: throw .notAGarden(path: path)
    }
    if access(path, R_OK) != 0 { throw .system(path: path, code: errno) }
  }

  /// Records that the file was found damaged, so that the next opening checks all of it.
  static func markSuspect(_ folder: String) {
    // If this fails, the next read of the same data finds the damage again.
    try? PrivateFiles.makeFile(suspectMark(in: folder))
  }

  func open() throws(StoreError) -> Opened {
    do throws(PrivateFiles.Failure) {
      try PrivateFiles.makeFolder(folder)
    } catch {
      throw StoreError(error, path: folder)
    }
    try GardenFile.check(path)
    let lock = try FolderLock(folder: folder, timeout: options.busyTimeout)
    OtherGarden.removeAbandonedCopy(in: folder)
    do throws(any Error) {
      if let lock, !PrivateFiles.exists(path) { try begin(lock) }
      if let lock, let recovery = try separateFromLog(lock) {
        let opened = try connect(lock)
        return Opened(database: opened.database, access: opened.access, lock: lock, recovery: recovery)
      }
      do {
        return try connect(lock)
      } catch  where needsRecovery(error) {
        // A failing disk can look like a damaged file for a moment.
        do { return try connect(lock, thoroughly: true) } catch  where needsRecovery(error) {
          return try recover(lock, isReplaced: error is Replaced)
        }
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension GardenFile {
  private var path: String { GardenFile.path(in: folder) }
  private var salvage: Salvage { Salvage(path: path, options: options) }

  private static func suspectMark(in folder: String) -> String { folder + "/garden.suspect" }

  /// Handles a missing file. If it existed before, only the user may decide to continue without it.
  private func begin(_ lock: FolderLock) throws {
    // Two programs may open a new folder at once. The one that fails to get the lock must not wait until the other
    // closes.
    let isExclusive = try lock.takeExclusive(timeout: options.busyTimeout) { PrivateFiles.exists(path) }
    defer { lock.share() }
    if isExclusive { try salvage.finish() }
    guard !PrivateFiles.exists(path), let missing = try EventStore.missing(in: folder) else { return }
    switch missingFile {
    case .fails: throw missing
    case .restoresBackup, .startsOver:
      guard isExclusive else { throw StoreError.damagedAndInUse(path: path) }
      try missingFile == .restoresBackup ? salvage.restore() : salvage.startOver()
    }
  }

  /// Compares a file that has taken the place of the recorded one with the write-ahead log beside it. SQLite would
  /// apply the log to any file, and replace the pages of another garden's.
  /// - Returns: `nil` if the file can be opened with the log, such as a copy of both.
  private func separateFromLog(_ lock: FolderLock) throws -> Recovery? {
    let known = HighWaterMark.value(in: folder).file
    guard let known, let file = HighWaterMark.File(path), known != file, !PrivateFiles.isEmpty(path + "-wal"),
      access(folder, W_OK) == 0
    else { return nil }
    // Another program that opens the folder at the same time may record the file first.
    func isRecorded() -> Bool { HighWaterMark.value(in: folder).file == file }
    let isExclusive = try lock.takeExclusive(timeout: options.busyTimeout, unless: isRecorded)
    defer { lock.share() }
    if isRecorded() { return nil }
    guard isExclusive else { throw StoreError.damagedAndInUse(path: path) }
    return try salvage.separateFromLog()
  }

  /// The file is sound, but not that of the garden to which its mark belongs.
  private struct Replaced: Error {}

  private func needsRecovery(_ error: any Error) -> Bool {
    if error is Replaced { return true }
    return if case .damaged = StoreError(error, path: path) { true } else { false }
  }

  private func connect(_ lock: FolderLock?, thoroughly: Bool = false) throws -> Opened {
    let mark = GardenFile.suspectMark(in: folder)
    // A file that lost its content would otherwise be treated as a new one, and SQLite would delete its log.
    let hadContent = lock?.isMarked == true || !PrivateFiles.isEmpty(path + "-wal")
    if hadContent, PrivateFiles.exists(path), PrivateFiles.isEmpty(path) {
      throw StoreError.damaged(path: path)
    }
    var options = options
    // Read the mark before the file: a commit in between raises both.
    let acknowledged = HighWaterMark.value(in: folder)
    options.highWaterMark = acknowledged.seq
    let (database, access) = try options.open(path)
    let isKnown = try access != .readWrite || SchemaRecord(database: database).isUnchanged()
    if thoroughly || PrivateFiles.exists(mark) {
      guard try Verification(database).isSound else { throw StoreError.damaged(path: path) }
      unlink(mark)
    } else if !isKnown {
      guard try Verification.structure(of: database).isEmpty else { throw StoreError.damaged(path: path) }
    }
    // After the definitions are known to be right.
    if access == .readWrite, let newest = acknowledged.newest, try !database.hasAnywhere(newest) { throw Replaced() }
    // If it can't be recorded, for example on a full disk, the next opening checks the file again.
    if !isKnown { try? database.transaction { try SchemaRecord(database: database).update() } }
    if access == .readWrite {
      lock?.mark()
      // A recovery or a copy has made another file of it.
      if acknowledged.seq > 0, let file = HighWaterMark.File(path), file != acknowledged.file {
        HighWaterMark.record(file, in: folder)
      }
    }
    return Opened(database: database, access: access, lock: lock, recovery: nil)
  }

  private func recover(_ lock: FolderLock?, isReplaced: Bool) throws -> Opened {
    guard let lock, access(folder, W_OK) == 0 else { throw StoreError.notWritable(path: folder) }
    let isExclusive = try lock.takeExclusive(timeout: options.busyTimeout)
    defer { lock.share() }
    // Another program may have repaired the file while this one waited for the lock, and may have it open now. If not,
    // repair it below.
    if let opened = try? connect(lock, thoroughly: true) { return opened }
    guard isExclusive else { throw StoreError.damagedAndInUse(path: path) }
    let recovery = try salvage.run(replacement: isReplaced ? .taken : nil)
    unlink(GardenFile.suspectMark(in: folder))
    let opened = try connect(lock)
    return Opened(database: opened.database, access: opened.access, lock: lock, recovery: recovery)
  }
}
