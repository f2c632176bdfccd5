import SQLiteKit
import Synchronization

/// Rejects new events when all accounts together use too much space.
///
/// When space becomes scarce, only accounts above a guaranteed share are rejected, so that one account can't stop the
/// others. The share doesn't depend on the number of accounts: otherwise, new accounts would take from the others.
final class SpaceLimit: Sendable {
  private enum State {
    case plenty
    /// Large accounts are rejected.
    case scarce
    /// All are rejected.
    case full
  }

  /// The guaranteed share of an account, in bytes: 256 fit into the space that is left for small accounts, which is
  /// more than the 20 accounts that one client may create in a day.
  private static func share(of space: Int64) -> Int64 { max(64 << 10, space / 256) }

  private let databaseLimit: Int?
  private let diskSpace: @Sendable () throws -> DiskSpace
  private let state = Mutex(State.plenty)

  /// - Parameters:
  ///   - databaseLimit: the maximum size of the database in bytes; `nil` for none.
  ///   - diskSpace: measures the disk of the database.
  init(databaseLimit: Int?, diskSpace: @escaping @Sendable () throws -> DiskSpace) {
    self.databaseLimit = databaseLimit
    self.diskSpace = diskSpace
  }

  /// Called in the transaction that has inserted rows.
  /// - Throws: `RestError` 53400 or 53100 if the rows don't fit.
  func check(_ userID: String, _ database: Database) throws {
    let pageSize = try database.integer("PRAGMA page_size")
    // Later rows can use the pages of deleted rows; the file keeps its size.
    let reusable = try database.integer("PRAGMA freelist_count") * pageSize
    let size = try database.integer("PRAGMA page_count") * pageSize
    let bytes = try database.integer("SELECT bytes FROM usage WHERE user_id = ?", .text(userID))
    if let databaseLimit = databaseLimit.map(Int64.init) {
      let (used, scarce) = (size - reusable, databaseLimit / 4)
      let isLarge = bytes > SpaceLimit.share(of: scarce)
      if used > databaseLimit || used > databaseLimit - scarce && isLarge { throw RestError.serverFull }
    }
    let disk = try diskSpace()
    // Pages that are only in the write-ahead log will take space in the database file too.
    let free = disk.free - max(0, size - PrivateFiles.size(of: database.path))
    // Half of the reserve must really be free, because reused pages are written to the log first.
    let isFull = free < disk.reserve / 2 || free + reusable < disk.reserve
    let isScarce = free + reusable < disk.reserveOfSmallAccounts
    note(isFull ? .full : isScarce ? .scarce : .plenty)
    let share = SpaceLimit.share(of: disk.reserveOfSmallAccounts - disk.reserve)
    if isFull || isScarce && bytes > share { throw RestError.diskFull }
  }

  /// Logs only changes, because clients retry often.
  private func note(_ state: State) {
    let hasChanged = self.state.withLock { old in
      defer { old = state }
      return old != state
    }
    guard hasChanged else { return }
    switch state {
    case .plenty: ServerLog.log.notice("there is space again: new events are stored")
    case .scarce:
      ServerLog.log.warning(
        "the disk is almost full: new events of large accounts are rejected until there is space again")
    case .full: ServerLog.log.error("the disk is almost full: new events are rejected until there is space again")
    }
  }
}
