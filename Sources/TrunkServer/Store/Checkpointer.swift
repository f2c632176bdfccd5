import Dispatch
import SQLiteKit
import Synchronization

/// Moves committed pages from the write-ahead log into the database file while the writer continues. After 4 MiB, that
/// takes several times as long as a transaction: as part of one, it would delay the writes of all accounts.
final class Checkpointer: @unchecked Sendable {
  /// The number of new pages in the log after which they are moved: SQLite's default.
  static let pages = 1000

  /// Used only on `queue`, which makes this type safe to share; `nil` after it was closed.
  private var database: Database?
  private let queue = DispatchQueue(label: "checkpoints")
  private let isWaiting = Atomic(false)
  private let isDone = Atomic(false)

  init(_ database: Database) { self.database = database }

  /// Moves what can be moved without waiting for a query.
  func start() {
    guard !isWaiting.exchange(true, ordering: .relaxed) else { return }
    queue.async {
      self.isWaiting.store(false, ordering: .relaxed)
      // An error loses nothing: the pages stay in the log. The next checkpoint tries again, and `CommitQueue` reports a
      // log that can't be emptied.
      try? self.database?.run("PRAGMA wal_checkpoint(PASSIVE)")
      self.isDone.store(true, ordering: .releasing)
    }
  }

  /// Whether a checkpoint has ended since the last call.
  func hasFinished() -> Bool { isDone.exchange(false, ordering: .acquiring) }

  /// Waits for the running checkpoint.
  func wait() { queue.sync {} }

  func close() { queue.sync { database = nil } }
}
