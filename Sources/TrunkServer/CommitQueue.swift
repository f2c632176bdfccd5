import Dispatch
import Storage
import Synchronization

/// The one writer. What arrives while a transaction is being written to the disk goes into the next one together, so
/// that many clients share the wait for the disk; each still succeeds or fails by itself.
final class CommitQueue: @unchecked Sendable {
  private struct Work: @unchecked Sendable {
    /// Runs in a savepoint.
    let run: (Database) throws -> Void
    /// Told when everything is on the disk, or why it is not.
    let finish: ((any Error)?) -> Void
  }

  /// Used on `queue` only, which is what makes this type safe to share; `nil` once it is closed.
  private var database: Database?
  private let queue = DispatchQueue(label: "commits", qos: .userInitiated)
  private let waiting = Mutex<[Work]>([])

  init(_ database: Database) {
    self.database = database
  }

  /// Runs `body` in a transaction.
  /// - Parameter committed: called with the result in the order of the commits, before anybody else learns of it.
  /// - Returns: when the result would survive a loss of power.
  func commit<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result,
    committed: (@Sendable (Result) -> Void)? = nil
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let result = Box<Result>()
      let work = Work(
        run: { result.value = try body($0) },
        finish: { error in
          if let value = result.value, error == nil {
            committed?(value)
            continuation.resume(returning: value)
          } else {
            continuation.resume(throwing: error ?? CancellationError())
          }
        })
      let isFirst = waiting.withLock { waiting in
        waiting.append(work)
        return waiting.count == 1
      }
      if isFirst { queue.async { self.drain() } }
    }
  }

  /// Runs `body` between transactions, outside of any.
  func alone<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body(self.openDatabase) }) }
    }
  }

  /// Commits what was asked for before, writes the write-ahead log into the database file and closes it.
  func close() async throws {
    try await alone { database in
      try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
      self.database = nil
    }
  }

  private var openDatabase: Database {
    get throws {
      guard let database else { throw CancellationError() }
      return database
    }
  }

  private func drain() {
    let group = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    var problems = [(any Error)?](repeating: nil, count: group.count)
    do {
      let database = try openDatabase
      try database.transaction {
        for (index, work) in group.enumerated() {
          // A full disk ends the whole transaction, and the next savepoint would begin one that nobody commits.
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
    for (work, problem) in zip(group, problems) { work.finish(problem) }
  }
}

/// Written before the commit and read after it, both on the queue.
private final class Box<Value>: @unchecked Sendable {
  var value: Value?
}
