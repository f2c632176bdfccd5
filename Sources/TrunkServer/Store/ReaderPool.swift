import Dispatch
import SQLiteKit
import Synchronization

/// Connections for clients' queries. Each account runs one query at a time, so that slow queries leave connections for
/// other accounts.
final class ReaderPool: Sendable {
  /// One connection.
  private final class Reader: @unchecked Sendable {
    /// Used only on `queue`; `nil` after it was closed.
    var database: Database?
    let queue: DispatchQueue

    init(database: Database, queue: DispatchQueue) {
      self.database = database
      self.queue = queue
    }
  }

  private struct Query: Sendable {
    let account: String
    let run: @Sendable (Reader) -> Void
  }

  private struct State {
    var idle: [Reader]
    var busyAccounts: Set<String> = []
    var waiting: [Query] = []
  }

  private static let connectionCount = 4
  /// The maximum number of waiting queries per account.
  private static let waitingLimit = 64

  private let limit: Duration
  private let readers: [Reader]
  private let state: Mutex<State>

  /// - Parameter limit: the time limit of one query.
  init(path: String, limit: Duration) throws {
    self.limit = limit
    var readers: [Reader] = []
    for index in 0..<ReaderPool.connectionCount {
      let database = try Database(path: path, mode: .readOnly, busyTimeout: 10_000)
      readers.append(Reader(database: database, queue: DispatchQueue(label: "queries \(index)")))
    }
    self.readers = readers
    state = Mutex(State(idle: readers))
  }

  /// Runs `body` on committed data.
  /// - Throws: `RestError` 57014 if it takes too long or the task is cancelled, PGRST003 if too many of the account's
  ///   queries are already waiting; any error of `body`.
  func read<Result: Sendable>(
    account: String, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let query = Query(account: account) { [limit] reader in
          continuation.resume(
            with: Swift.Result {
              guard !cancellation.isCancelled else { throw RestError.timeout }
              guard let database = reader.database else { throw CancellationError() }
              do {
                return try database.limited(to: limit, cancellation) { try body(database) }
              } catch let error as DatabaseError where error.isInterruption {
                throw RestError.timeout
              }
            })
        }
        let isAccepted = state.withLock { state in
          guard state.waiting.count(where: { $0.account == account }) < ReaderPool.waitingLimit else { return false }
          state.waiting.append(query)
          return true
        }
        guard isAccepted else { return continuation.resume(throwing: RestError.noConnection) }
        startWaiting()
      }
    } onCancel: {
      cancellation.cancel()
    }
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

  /// Gives idle connections to the longest-waiting queries of accounts without a running query.
  private func startWaiting() {
    while let (query, reader) = state.withLock({ ReaderPool.next(&$0) }) {
      reader.queue.async {
        query.run(reader)
        self.state.withLock { state in
          state.busyAccounts.remove(query.account)
          state.idle.append(reader)
        }
        self.startWaiting()
      }
    }
  }

  private static func next(_ state: inout State) -> (Query, Reader)? {
    guard let index = state.waiting.firstIndex(where: { !state.busyAccounts.contains($0.account) }),
      let reader = state.idle.popLast()
    else { return nil }
    let query = state.waiting.remove(at: index)
    state.busyAccounts.insert(query.account)
    return (query, reader)
  }
}
