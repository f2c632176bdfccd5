import Dispatch
import SQLiteKit
import Synchronization

/// Connections for clients' queries.
///
/// Each query starts on a connection for short queries. If it doesn't end soon, it is interrupted and runs again on the
/// only connection for long queries, where it can't delay short ones. Queries of an account that has read much recently
/// start there. Each account and each client runs one short query at a time, and those that have read least go first.
final class ReaderPool: Sendable {
  /// One connection. Unchecked, because nothing but its queue uses what changes.
  private final class Reader: @unchecked Sendable {
    let isForLong: Bool
    /// Used only on `queue`; `nil` after it was closed.
    var database: Database?
    let queue: DispatchQueue

    init(isForLong: Bool, database: Database, queue: DispatchQueue) {
      self.isForLong = isForLong
      self.database = database
      self.queue = queue
    }
  }

  private struct Query: Sendable {
    let requester: Requester
    let cancellation: Cancellation
    /// Returns `false` if it was interrupted and has to run again, because it isn't short or was held.
    let run: @Sendable (Reader) -> Bool
    /// Ends it without running it.
    let reject: @Sendable (RestError) -> Void
    /// Whether it is known to take long.
    var isLong = false
  }

  private struct State {
    var idle: [Reader]
    var waiting: [Query] = []
  }

  /// One of them for long queries: on the smallest machine, with two cores, this leaves a core to all others.
  private static let connectionCount = 4
  /// The time limit of a short query. A page of 1,000 rows takes a few milliseconds.
  private static let shortTime = Duration.milliseconds(20)

  private let limit: Duration
  /// Whether long queries wait for `withoutLongQueries`.
  private let holdsLongQueries = Atomic(false)
  private let readers: [Reader]
  private let state: Mutex<State>
  private let budget = Budget()

  /// - Parameter limit: the time limit of one query.
  init(path: String, limit: Duration) throws {
    self.limit = limit
    var readers: [Reader] = []
    for index in 0..<ReaderPool.connectionCount {
      let database = try Database(path: path, mode: .readOnly, busyTimeout: ServerStore.busyTimeout)
      let queue = DispatchQueue(label: "queries \(index)")
      readers.append(Reader(isForLong: index == 0, database: database, queue: queue))
    }
    self.readers = readers
    state = Mutex(State(idle: readers))
  }

  /// Queries that wait for a connection.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` on committed data.
  /// - Parameter body: runs a second time if it takes long.
  /// - Throws: `RestError` 57014 if it takes too long or the task is cancelled, PGRST003 if too many of the account's
  ///   queries already wait or run; `StoreClosed`; any error of `body`.
  func read<Result: Sendable>(
    _ requester: Requester, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    guard let claim = budget.claim(of: .queries, by: requester.holders) else { throw RestError.noConnection }
    defer { claim.end() }
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let run = { @Sendable (reader: Reader) -> Bool in
          var wasHeld = false
          let result = Swift.Result {
            guard !cancellation.isCancelled else { throw RestError.timeout }
            guard let database = reader.database else { throw StoreClosed() }
            return try database.limited(
              to: reader.isForLong ? self.limit : ReaderPool.shortTime, cancellation,
              mustStop: {
                wasHeld = reader.isForLong && self.holdsLongQueries.load(ordering: .relaxed)
                return wasHeld
              }, { try body(database) })
          }
          guard case .failure(let error as DatabaseError) = result, error.isInterruption else {
            continuation.resume(with: result)
            return true
          }
          guard cancellation.isCancelled || reader.isForLong && !wasHeld else { return false }
          continuation.resume(throwing: RestError.timeout)
          return true
        }
        let query = Query(requester: requester, cancellation: cancellation, run: run) {
          continuation.resume(throwing: $0)
        }
        if !wait(query) { return query.reject(.timeout) }
        startWaiting()
      }
    } onCancel: {
      cancellation.cancel()
      // A cancelled query must not take the place of another one.
      let query = state.withLock { state in
        state.waiting.firstIndex { $0.cancellation === cancellation }.map { state.waiting.remove(at: $0) }
      }
      query?.reject(.timeout)
    }
  }

  /// Runs `body` while no long query runs. A running one is interrupted, and runs again afterwards.
  func withoutLongQueries(_ body: () throws -> Void) rethrows {
    holdsLongQueries.store(true, ordering: .relaxed)
    defer {
      holdsLongQueries.store(false, ordering: .relaxed)
      startWaiting()
    }
    try body()
  }

  /// Closes the connections after their queries have ended. Later queries fail.
  func close() async {
    for reader in readers {
      await withCheckedContinuation { continuation in
        reader.queue.async {
          reader.database = nil
          continuation.resume()
        }
      }
    }
  }

  /// - Returns: `false` if the query was cancelled before it could wait.
  private func wait(_ query: Query) -> Bool {
    state.withLock { state in
      guard !query.cancellation.isCancelled else { return false }
      state.waiting.append(query)
      return true
    }
  }

  /// Gives idle connections to waiting queries.
  private func startWaiting() {
    while let (query, reader, claim) = next() {
      reader.queue.async {
        let start = ContinuousClock.now
        let hasEnded = query.run(reader)
        let seconds = start.duration(to: .now) / .seconds(1)
        self.budget.add(seconds, of: .reading, by: query.requester.holders)
        self.state.withLock { $0.idle.append(reader) }
        claim.end()
        var query = query
        query.isLong = true
        if !hasEnded, !self.wait(query) { query.reject(.timeout) }
        self.startWaiting()
      }
    }
  }

  /// Takes an idle connection and the query that may use it and whose account and client have read least.
  private func next() -> (Query, Reader, Claim)? {
    state.withLock { state in
      guard !state.idle.isEmpty else { return nil }
      let uses = state.waiting.map { query in
        query.requester.holders.reduce(0) { $0 + budget.use(of: .reading, by: $1) }
      }
      for index in uses.indices.sorted(by: { (uses[$0], $0) < (uses[$1], $1) }) {
        let (query, requester) = (state.waiting[index], state.waiting[index].requester)
        let isLong = query.isLong || budget.use(of: .reading, by: .account(requester.account)) > 1
        guard let place = state.idle.firstIndex(where: { $0.isForLong == isLong }),
          !isLong || !holdsLongQueries.load(ordering: .relaxed),
          let claim = budget.claim(of: .shortQueries, by: isLong ? [] : requester.holders)
        else { continue }
        state.waiting.remove(at: index)
        return (query, state.idle.remove(at: place), claim)
      }
      return nil
    }
  }
}
