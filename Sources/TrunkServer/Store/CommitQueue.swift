import Dispatch
import SQLiteKit
import Synchronization

/// The only writer. Work that arrives during a commit shares the next transaction, so that many clients share the wait
/// for the disk. Each piece of work still succeeds or fails alone.
///
/// Each account has a limited share of a transaction. The rest of its work waits for the next ones, so that an account
/// that writes a lot doesn't delay others.
final class CommitQueue: @unchecked Sendable {
  /// How much a piece of work uses of its account's share of a transaction.
  struct Share: Sendable {
    let account: String
    let bytes: Int
  }

  /// How long `emptyLog` waits for short queries, in milliseconds.
  private static let busyTimeout: Int32 = 500

  /// Used only on `queue`, which makes this type safe to share; `nil` after it was closed.
  private var database: Database?
  /// The path of the write-ahead log.
  private let log: String
  /// The size of the write-ahead log, in bytes, from which it is emptied.
  private let logLimit: Int64
  /// The number of pages in the write-ahead log, and at the last checkpoint. Used only on `queue`.
  private var logPages = 0
  private var movedPages = 0
  /// `logLimit`, or more after the log was larger and could not be emptied. Used only on `queue`.
  private var nextLogLimit: Int64
  private let queries: ReaderPool
  private let checkpointer: Checkpointer
  private let metrics: ServerMetrics
  private let queue = DispatchQueue(label: "commits", qos: .userInitiated)
  private let state = Mutex(State())

  init(
    _ database: Database, path: String, queries: ReaderPool, checkpointer: Checkpointer, logLimit: Int64,
    metrics: ServerMetrics
  ) {
    self.database = database
    self.metrics = metrics
    log = path + "-wal"
    self.logLimit = logLimit
    nextLogLimit = logLimit
    self.queries = queries
    self.checkpointer = checkpointer
    database.afterEachCommit { [unowned self] in logPages = $0 }
  }

  /// The number of pieces of work that wait.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Whether `close` was called.
  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// Runs `body` in a transaction.
  /// - Parameters:
  ///   - share: `nil` for small and rare work.
  ///   - committed: called with the result, in commit order and before `commit` returns.
  /// - Returns: when the result would survive a power loss.
  /// - Throws: `StoreClosed` after `close` was called; any error of `body` or of the transaction.
  func commit<Result: Sendable>(
    _ share: Share? = nil, _ body: @escaping @Sendable (Database) throws -> Result,
    committed: (@Sendable (Result) -> Void)? = nil
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let result = Box<Result>()
      let work = Work(
        share: share, run: { result.value = try body($0) },
        finish: { error in
          if let value = result.value, error == nil {
            committed?(value)
            continuation.resume(returning: value)
          } else {
            continuation.resume(throwing: error ?? CancellationError())
          }
        })
      let isFirst: Bool? = state.withLock { state in
        guard !state.isClosing else { return nil }
        state.waiting.append(work)
        defer { state.isRunning = true }
        return !state.isRunning
      }
      guard let isFirst else { return work.finish(StoreClosed()) }
      if isFirst { queue.async { self.drain() } }
    }
  }

  /// Runs `body` between transactions, outside any.
  func exclusively<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body(self.openDatabase) }) }
    }
  }

  /// Commits pending work, moves the write-ahead log into the database file and closes it. More work is rejected,
  /// because clients could add it forever.
  func close() async throws {
    state.withLock { $0.isClosing = true }
    try await exclusively { database in
      while self.commitNextGroup() {}
      self.checkpointer.close()
      let isBusy = try database.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) } != 0
      if isBusy {
        ServerLog.log.warning("another program reads the database: its last rows are still in the -wal file")
      }
      self.database = nil
    }
  }

  private var openDatabase: Database {
    get throws {
      guard let database else { throw StoreClosed() }
      return database
    }
  }

  private func drain() {
    if commitNextGroup() { queue.async { self.drain() } }
  }

  /// - Returns: `false` if nothing waits.
  private func commitNextGroup() -> Bool {
    let group = state.withLock { state in
      let group = state.takeGroup()
      state.isRunning = !group.isEmpty
      return group
    }
    if !group.isEmpty { commit(group) }
    return !group.isEmpty
  }

  private func commit(_ group: [Work]) {
    let start = ContinuousClock.now
    let problems = execute(group)
    record(group, problems, since: start)
    for (work, problem) in zip(group, problems) { work.finish(problem) }
    moveLog()
    let size = PrivateFiles.size(of: log)
    if size < logLimit { nextLogLimit = logLimit }
    if size > nextLogLimit { emptyLog() }
  }

  /// Runs a group in one transaction.
  /// - Returns: the error of each piece of work; `nil` if it is on disk.
  private func execute(_ group: [Work]) -> [(any Error)?] {
    var problems = [(any Error)?](repeating: nil, count: group.count)
    do {
      let database = try openDatabase
      try database.transaction {
        // The next start would not find the data. Clients keep what isn't acknowledged.
        if database.hasMoved { throw ServerProblem.moved(database.path) }
        for (index, work) in group.enumerated() {
          // A full disk ends the whole transaction. The next savepoint would then begin one that is never committed.
          guard database.isInTransaction else { throw problems.lazy.compactMap(\.self).last ?? CancellationError() }
          do {
            try database.savepoint { try work.run(database) }
          } catch {
            problems[index] = error
          }
        }
      }
    } catch {
      problems = problems.map { $0 ?? error }
    }
    return problems
  }

  private func record(_ group: [Work], _ problems: [(any Error)?], since start: ContinuousClock.Instant) {
    let time = start.duration(to: .now)
    metrics.committed(time)
    ServerLog.log.trace(
      "a transaction ended",
      metadata: [
        "pieces": .stringConvertible(group.count), "failures": .stringConvertible(problems.count { $0 != nil }),
        "microseconds": .stringConvertible(Int(time / .microseconds(1))),
      ])
  }

  /// Moves committed pages into the database file: most of them while the next transactions run, and the few that these
  /// have added between two transactions. Then the log is completely in the file and begins again.
  private func moveLog() {
    // It began again.
    if logPages < movedPages { movedPages = 0 }
    if checkpointer.hasFinished() {
      movedPages = logPages
      // An error loses nothing: the pages stay in the log, and the next checkpoint tries again.
      try? database?.run("PRAGMA wal_checkpoint(PASSIVE)")
    } else if logPages >= movedPages + Checkpointer.pages {
      movedPages = logPages
      checkpointer.start()
    }
  }

  /// Moves the write-ahead log into the database file and begins it again.
  ///
  /// The log begins again by itself only at a moment without queries. If one account's queries never leave such a
  /// moment, the log would grow until the disk is full.
  private func emptyLog() {
    guard let database else { return }
    database.setBusyTimeout(CommitQueue.busyTimeout)
    defer { database.setBusyTimeout(ServerStore.busyTimeout) }
    // Two checkpoints can't run at once.
    checkpointer.wait()
    do {
      try queries.withoutLongQueries {
        _ = try database.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
      }
    } catch {
      ServerLog.log.error("the write-ahead log could not be emptied", error: error)
    }
    // Another program, such as a backup, may read for longer. Writers shouldn't wait for it after each transaction.
    nextLogLimit = PrivateFiles.size(of: log) + logLimit / 4
  }
}

/// Written before the commit and read after it, both on the queue.
private final class Box<Value>: @unchecked Sendable {
  var value: Value?
}
