import Dispatch
import SQLiteKit
import Synchronization

/// Connections for clients' queries.
///
/// Each query starts on a connection for short queries. If it doesn't end soon, it is interrupted and runs again on the
/// only connection for long queries, where it can't delay short ones. Queries of an account that has read much recently
/// start there. Each account and each client runs one short query at a time, and those that have read least go first.
final class ReaderPool: Sendable {
  /// One connection.
  fileprivate final class Reader: @unchecked Sendable {
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

  fileprivate struct Query: Sendable {
    let requester: Requester
    let cancellation: Cancellation
    /// Returns `false` if it was interrupted and has to run again, because it isn't short or was held.
    let run: @Sendable (Reader) -> Bool
    /// Ends it without running it.
    let reject: @Sendable (RestError) -> Void
    /// Whether it is known to take long.
    var isLong = false
  }

  fileprivate struct State {
    var idle: [Reader]
    /// Accounts and clients with a running short query.
    var busyAccounts: Set<String> = []
    var busyClients: Set<String> = []
    var waiting: [Query] = []
    /// The seconds that the recent queries of accounts and clients took.
    var reading = Buckets<Budget.Holder>()
  }

  /// One of them for long queries: on the smallest machine, with two cores, this leaves a core to all others.
  private static let connectionCount = 4
  /// The time limit of a short query. A page of 1,000 rows takes a few milliseconds.
  private static let shortTime = Duration.milliseconds(20)
  /// The seconds of reading above which an account counts as busy: a few pages with large payloads. Twenty busy
  /// accounts keep one thread busy with short queries.
  fileprivate static let readingTime = Allowance(burst: 0.1, rate: 0.05)
  /// Seconds without queries after which everything is forgotten.
  fileprivate static let longestMemory = 200.0
  /// The maximum number of waiting queries per account.
  fileprivate static let waitingLimit = 64

  private let limit: Duration
  private let limitAfterClose: Duration
  /// Whether long queries wait for `withoutLongQueries`.
  private let holdsLongQueries = Atomic(false)
  private let readers: [Reader]
  private let state: Mutex<State>

  /// - Parameters:
  ///   - limit: the time limit of one query.
  ///   - limitAfterClose: the time limit after the client has closed its side of the connection.
  init(path: String, limit: Duration, limitAfterClose: Duration) throws {
    self.limit = limit
    self.limitAfterClose = limitAfterClose
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
  ///   queries are already waiting; `StoreClosed`; any error of `body`.
  func read<Result: Sendable>(
    _ requester: Requester, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let run = { @Sendable (reader: Reader) -> Bool in
          let start = ContinuousClock.now
          var wasHeld = false
          let result = Swift.Result {
            guard !cancellation.isCancelled else { throw RestError.timeout }
            guard let database = reader.database else { throw StoreClosed() }
            return try database.limited(
              to: reader.isForLong ? self.limit : ReaderPool.shortTime, cancellation,
              mustStop: {
                wasHeld = reader.isForLong && self.holdsLongQueries.load(ordering: .relaxed)
                return wasHeld || self.isAbandoned(requester, since: start)
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
        if let rejection = state.withLock({ $0.add(query) }) { return query.reject(rejection) }
        startWaiting()
      }
    } onCancel: {
      cancellation.cancel()
      state.withLock { $0.remove(cancellation) }?.reject(.timeout)
    }
  }

  /// Whether the client has closed its side, and the query has run for as long as it may after that. The time for which
  /// it waited doesn't count: a slow server is no reason to end a query that is wanted.
  private func isAbandoned(_ requester: Requester, since start: ContinuousClock.Instant) -> Bool {
    guard let closedAt = requester.side?.closedAt else { return false }
    return .now >= max(start, closedAt) + limitAfterClose
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

  /// Gives idle connections to waiting queries.
  private func startWaiting() {
    while let (query, reader) = state.withLock({ $0.next(holdsLong: holdsLongQueries.load(ordering: .relaxed)) }) {
      reader.queue.async {
        let start = ContinuousClock.now
        let hasEnded = query.run(reader)
        let time = start.duration(to: .now) / .seconds(1)
        let isOver = self.state.withLock { $0.finish(query, reader, hasEnded: hasEnded, time: time) }
        if !isOver { query.reject(.timeout) }
        self.startWaiting()
      }
    }
  }
}

extension ReaderPool.State {
  /// - Returns: why the query can't wait; `nil` if it waits.
  fileprivate mutating func add(_ query: ReaderPool.Query) -> RestError? {
    guard !query.cancellation.isCancelled else { return .timeout }
    let count = waiting.count { $0.requester.account == query.requester.account }
    guard count < ReaderPool.waitingLimit else { return .noConnection }
    waiting.append(query)
    return nil
  }

  /// Removes a cancelled query, so that it doesn't take the place of another one.
  /// - Returns: `nil` if it doesn't wait.
  fileprivate mutating func remove(_ cancellation: Cancellation) -> ReaderPool.Query? {
    waiting.firstIndex { $0.cancellation === cancellation }.map { waiting.remove(at: $0) }
  }

  /// Takes an idle connection and the query that may use it and whose requester has read least.
  /// - Parameter holdsLong: whether long queries wait.
  fileprivate mutating func next(holdsLong: Bool) -> (ReaderPool.Query, ReaderPool.Reader)? {
    guard !waiting.isEmpty else { return nil }
    let now = Microseconds.now
    for isLong in holdsLong ? [false] : [false, true] {
      guard let place = idle.firstIndex(where: { $0.isForLong == isLong }),
        let index = waiting.indices.filter({ mayRun(waiting[$0], asLong: isLong, now) })
          .map({ (index: $0, used: used(by: waiting[$0].requester, now)) })
          .min(by: { $0.used < $1.used })?.index
      else { continue }
      let query = waiting.remove(at: index)
      if !isLong {
        busyAccounts.insert(query.requester.account)
        busyClients.insert(query.requester.client)
      }
      return (query, idle.remove(at: place))
    }
    return nil
  }

  /// Frees the connection. A query that hasn't ended waits again.
  /// - Returns: `false` if it was cancelled before it could wait.
  fileprivate mutating func finish(
    _ query: ReaderPool.Query, _ reader: ReaderPool.Reader, hasEnded: Bool, time: Double
  ) -> Bool {
    let (requester, now) = (query.requester, Microseconds.now)
    for holder in requester.holders {
      reading.update(holder, ReaderPool.readingTime, now: now) {
        _ = $0.add(time, longest: ReaderPool.longestMemory, now: now)
      }
    }
    if !reader.isForLong {
      busyAccounts.remove(requester.account)
      busyClients.remove(requester.client)
    }
    idle.append(reader)
    if hasEnded { return true }
    guard !query.cancellation.isCancelled else { return false }
    var query = query
    query.isLong = true
    waiting.append(query)
    return true
  }

  private func mayRun(_ query: ReaderPool.Query, asLong isLong: Bool, _ now: Microseconds) -> Bool {
    let (account, client) = (query.requester.account, query.requester.client)
    let isBusy = reading.level(.account(account), now: now) > ReaderPool.readingTime.burst
    guard (query.isLong || isBusy) == isLong else { return false }
    return isLong || !busyAccounts.contains(account) && !busyClients.contains(client)
  }

  private func used(by requester: Requester, _ now: Microseconds) -> Double {
    requester.holders.reduce(0) { $0 + reading.level($1, now: now) }
  }
}
