import EventStore
import TrunkModel

/// Limits the number of events in one request.
///
/// A database that takes `created_at` from its transaction gives all rows of a request the same time. Another client of
/// the same table fetches 1,000 rows without paging and continues after the last time that it saw: if its page ends
/// among rows with the same time, it never gets the rest. See docs/sync.md.
extension SyncEngine {
  private static let maxAtOnce = 1000
  /// The smallest batch that shows whether the rows of one request share a time.
  private static let probe = 2
  /// The number of rows that the other client fetches at once.
  private static let readerPage = 1000

  /// Returns the number of events that may be sent with the next request.
  func batchLimit() async throws(SyncProblem) -> Int {
    switch try await rowTimes() {
    case .distinct: return SyncEngine.maxAtOnce
    case .unknown, .suspected: return SyncEngine.probe
    case .shared(let since) where abs(clock.now.seconds(since: since)) >= RowTimes.lifetime: return SyncEngine.probe
    case .shared:
      // An account's first rows are all in the first page of every client. Later rows may be split by the end of a
      // page.
      return max(1, SyncEngine.readerPage - (try await knownRowCount()))
    }
  }

  private func rowTimes() async throws(SyncProblem) -> RowTimes {
    RowTimes(text: try await inStore { store throws(StoreError) in try await store.value(.rowTimes) })
  }

  /// Returns the number of the user's rows on the server, as far as is known.
  private func knownRowCount() async throws(SyncProblem) -> Int {
    let isKnown = try await inStore { store throws(StoreError) in try await store.hasValidServerRows() }
    if isKnown { return try await inStore { store throws(StoreError) in try await store.confirmedCount() } }
    // Before the first download, ask once and add the rows sent since.
    if batches.rowsBeforeDownload == nil { batches.begin(rows: try await head()?.count) }
    return batches.rowsBeforeDownload ?? SyncEngine.readerPage
  }

  /// Records whether the rows of one request share a time.
  func recordTimes(of receipts: [Receipt]) async throws(SyncProblem) {
    batches.sent(receipts.count)
    guard receipts.count > 1 else { return }
    let known = try await rowTimes()
    var times = receipts.compactMap(\.createdAt)
    if times.count < receipts.count, known != .distinct {
      // This service's receipts don't include `created_at`.
      let clientIDs = receipts.prefix(SyncEngine.probe).map(\.clientID)
      times = try await authorized { [service] token throws(ServiceFailure) in
        try await service.find(clientIDs: clientIDs, token: token).compactMap(\.createdAt)
      }
    }
    guard times.count > 1 else { return }
    let found = known.updated(isShared: Set(times).count < times.count, at: clock.now)
    guard found != known else { return }
    try await inStore { store throws(StoreError) in try await store.set(found.text, for: .rowTimes) }
  }
}

/// What is known about the table before the first download.
struct BatchLimit {
  /// The server's row count at the start of an upload plus the rows sent since; `nil` if it isn't known.
  private(set) var rowsBeforeDownload: Int?

  fileprivate mutating func begin(rows: Int?) { rowsBeforeDownload = rows }

  fileprivate mutating func sent(_ count: Int) { rowsBeforeDownload = rowsBeforeDownload.map { $0 + count } }
}
