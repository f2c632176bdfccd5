import SQLiteKit

extension CommitQueue {
  /// Unchecked, because its closures hold boxes that are used only on the commit queue.
  struct Work: @unchecked Sendable {
    let share: Share?
    /// Runs in a savepoint.
    let run: (Database) throws -> Void
    /// Called when the transaction is on disk, or with the error.
    let finish: ((any Error)?) -> Void
  }

  struct State {
    /// The maximum number of bytes per account and transaction. An account's first piece of work is always taken.
    private static let accountShare = 256 << 10

    var waiting: [Work] = []
    var isRunning = false
    var isClosing = false

    /// Removes the work for the next transaction. Each account's work stays in order.
    mutating func takeGroup() -> [Work] {
      var spent: [String: Int] = [:]
      var (group, rest): ([Work], [Work]) = ([], [])
      for work in waiting {
        let before = work.share.flatMap { spent[$0.account] } ?? 0
        let after = before + (work.share?.bytes ?? 0)
        if let share = work.share { spent[share.account] = after }
        if before == 0 || after <= State.accountShare { group.append(work) } else { rest.append(work) }
      }
      waiting = rest
      return group
    }
  }
}
