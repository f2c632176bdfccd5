import Glibc
import SQLiteKit

// A file that has taken the place of the garden's own while the own one's write-ahead log is still there.
extension Salvage {
  /// Looks for events of the file that its log would replace. If there are any, a copy of the file without the log
  /// becomes another garden beside this one, which is offered for merging. An event that was undone just before the
  /// whole folder was copied looks the same, and is offered, too.
  /// - Returns: `nil` if the file can be opened with the log. Otherwise this garden is rebuilt from the log and the
  ///   newest backup.
  func separateFromLog() throws -> Recovery? {
    removeFiles(copy)
    defer { removeFiles(copy) }
    try PrivateFiles.copyReadable(path, to: copy)
    // A damaged file is recovered together with its log.
    guard let alone = digests(mode: .immutable) else { return nil }
    try PrivateFiles.copyReadable(path + "-wal", to: copy + "-wal")
    let together = digests(mode: .readWrite)
    if let together, alone.isSubset(of: together) { return nil }
    let other = freeNameOfOther()
    if together != nil, isOwn() {
      try PrivateFiles.copyReadable(path, to: other)
      try PrivateFiles.sync(folder: PrivateFiles.folder(of: path))
      return nil
    }
    try PrivateFiles.rename(path, to: other)
    try PrivateFiles.sync(folder: PrivateFiles.folder(of: path))
    return try run(replacement: .setAside(other))
  }

  /// The hashes of the texts in the copy; `nil` if they can't be read.
  private func digests(mode: Database.Mode) -> Set<[UInt8]>? {
    // What can't be read is no reason to stop: the caller has a fallback.
    try? Set(open(mode).all("SELECT sha256 FROM events NOT INDEXED") { $0.blob(0) })
  }

  /// Whether the copy, with the log, is sound and has the newest event that was acknowledged.
  private func isOwn() -> Bool {
    do {
      let database = try open(.readWrite)
      guard try Verification(database).isSound else { return false }
      return try HighWaterMark.value(in: PrivateFiles.folder(of: path)).newest.map(database.hasAnywhere) ?? false
    } catch { return false }
  }

  private func open(_ mode: Database.Mode) throws -> Database {
    let database = try Database(path: copy, mode: mode, busyTimeout: options.busyTimeout)
    database.checkpointsOnClose(false)
    return database
  }

  private func freeNameOfOther() -> String {
    var (name, number) = (PrivateFiles.folder(of: path) + "/garden (replaced).db", 1)
    while Salvage.parts.contains(where: { !PrivateFiles.isMissing(name + $0) }) {
      number += 1
      name = PrivateFiles.folder(of: path) + "/garden (replaced \(number)).db"
    }
    return name
  }
}
