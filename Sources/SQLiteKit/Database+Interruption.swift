import CSQLite
import Synchronization

/// Cancels statements from another thread, for example when the client that waits for them has disconnected.
package final class Cancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  package func cancel() { flag.store(true, ordering: .relaxed) }
}

extension Database {
  /// Virtual machine instructions between two checks of the clock: well under a millisecond.
  private static let instructionsPerCheck: Int32 = 4000

  /// Runs `body`. Its statements fail with `SQLITE_INTERRUPT` after `limit`, when they are cancelled, or when
  /// `mustStop` returns true.
  package func limited<Result>(
    to limit: Duration, _ cancellation: Cancellation, mustStop: @escaping () -> Bool = { false },
    _ body: () throws -> Result
  ) rethrows -> Result {
    let watch = StatementWatch(end: .now + limit, cancellation: cancellation, mustStop: mustStop)
    sqlite3_progress_handler(
      handle, Database.instructionsPerCheck,
      { context in
        guard let context else { return 0 }
        return Unmanaged<StatementWatch>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(watch).toOpaque())
    defer { withExtendedLifetime(watch) { sqlite3_progress_handler(handle, 0, nil, nil) } }
    return try body()
  }
}

extension DatabaseError {
  /// Whether `Database.limited(to:_:_:)` ended the statement.
  package var isInterruption: Bool { code == SQLITE_INTERRUPT }
}

private final class StatementWatch {
  private let end: ContinuousClock.Instant
  private let cancellation: Cancellation
  private let mustStop: () -> Bool

  init(end: ContinuousClock.Instant, cancellation: Cancellation, mustStop: @escaping () -> Bool) {
    self.end = end
    self.cancellation = cancellation
    self.mustStop = mustStop
  }

  var isOver: Bool { cancellation.isCancelled || mustStop() || .now >= end }
}
