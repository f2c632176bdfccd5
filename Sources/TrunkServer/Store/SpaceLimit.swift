import SQLiteKit
import Synchronization

/// Refuses new events when all accounts together use too much space.
final class SpaceLimit: Sendable {
  private let databaseLimit: Int?
  private let diskSpace: @Sendable () throws -> DiskSpace
  private let isLow = Mutex(false)

  /// - Parameters:
  ///   - databaseLimit: the maximum size of the database in bytes; `nil` for none.
  ///   - diskSpace: measures the disk of the database.
  init(databaseLimit: Int?, diskSpace: @escaping @Sendable () throws -> DiskSpace) {
    self.databaseLimit = databaseLimit
    self.diskSpace = diskSpace
  }

  /// Called in the transaction that has inserted rows.
  /// - Throws: `RestError` 53400 or 53100 if the rows don't fit.
  func check(_ database: Database) throws {
    let pageSize = try database.integer("PRAGMA page_size")
    // Later rows can use the pages of deleted rows; the file keeps its size.
    let reusable = try database.integer("PRAGMA freelist_count") * pageSize
    let size = try database.integer("PRAGMA page_count") * pageSize
    if let databaseLimit, size - reusable > databaseLimit { throw RestError.serverFull }
    let disk = try diskSpace()
    // Pages that are only in the write-ahead log will take space in the database file too.
    let free = disk.free - max(0, size - PrivateFiles.size(of: database.path))
    // Half of the reserve must really be free, because reused pages are written to the log first.
    let isLow = free < disk.reserve / 2 || free + reusable < disk.reserve
    note(isLow)
    if isLow { throw RestError.diskFull }
  }

  /// Logs only changes, because clients retry often.
  private func note(_ isLow: Bool) {
    let hasChanged = self.isLow.withLock { wasLow in
      defer { wasLow = isLow }
      return wasLow != isLow
    }
    guard hasChanged else { return }
    ServerLog.note(
      isLow
        ? "the disk is almost full: new events are refused until there is space again"
        : "there is space again: new events are stored")
  }
}
