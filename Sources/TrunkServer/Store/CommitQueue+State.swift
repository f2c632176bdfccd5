import SQLiteKit

extension CommitQueue {
  /// The maximum number of bytes per account and transaction. An account's first piece of work is always taken.
  fileprivate static let accountShare = 256 << 10
  /// The size of work, in bytes, from which small work goes first: about 160 rows without text.
  fileprivate static let largeWork = 32 << 10

  /// Unchecked, because its closures hold boxes that are used only on the commit queue.
  struct Work: @unchecked Sendable {
    let share: Share?
    /// Runs in a savepoint.
    let run: (Database) throws -> Void
    /// Called when the transaction is on disk, or with the error.
    let finish: ((any Error)?) -> Void

    var isLarge: Bool { share.map { $0.bytes > CommitQueue.largeWork } ?? false }
  }

  struct State {
    var waiting: [Work] = []
    var isRunning = false
    var isClosing = false
    /// Whether large work was left out of the last transaction.
    var hasLeftOutLarge = false
  }
}

extension CommitQueue.State {
  /// Removes the work for the next transaction. Each account's work stays in order.
  ///
  /// Small work doesn't wait for large work that arrived before it, but large work is left out only once in a row.
  mutating func takeGroup() -> [CommitQueue.Work] {
    let leavesOutLarge =
      !hasLeftOutLarge && waiting.contains { $0.isLarge } && waiting.contains { !$0.isLarge }
    hasLeftOutLarge = leavesOutLarge
    var spent: [String: Int] = [:]
    var group: [CommitQueue.Work] = []
    var rest: [CommitQueue.Work] = []
    for work in waiting {
      guard let share = work.share else {
        group.append(work)
        continue
      }
      if leavesOutLarge, work.isLarge {
        spent[share.account] = CommitQueue.accountShare + 1
        rest.append(work)
        continue
      }
      let total = spent[share.account].map { $0 + share.bytes }
      if let total, total > CommitQueue.accountShare {
        spent[share.account] = CommitQueue.accountShare + 1
        rest.append(work)
      } else {
        spent[share.account] = total ?? share.bytes
        group.append(work)
      }
    }
    waiting = rest
    // All the small work stays behind large work of its account.
    return group.isEmpty && leavesOutLarge ? takeGroup() : group
  }
}
