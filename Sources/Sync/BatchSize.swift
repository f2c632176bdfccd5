import GardenStore

/// How many events are sent with one request.
///
/// A database that takes `created_at` from its transaction gives the rows of one request one time. Another client of the
/// same table fetches 1,000 rows without paging and goes on after the last time that it saw: where its page ends among
/// rows of one time, it never gets the others. See docs/sync.md.
extension SyncEngine {
  /// What was learnt about the server, as it is stored.
  private enum Times: String {
    /// Each row has a different time.
    case distinct
    /// The rows of one request share one.
    case shared
  }

  private static let mostAtOnce = 1000
  /// The rows that the other client fetches at once.
  private static let readerPage = 1000

  /// How many events may be sent with the next request.
  func batchLimit() async throws(SyncProblem) -> Int {
    switch try await inStore({ store throws(StoreError) in try await store.value(.rowTimes) }).flatMap(Times.init) {
    case .distinct: return SyncEngine.mostAtOnce
    // The smallest number that shows it.
    case nil: return 2
    case .shared:
      // The first rows of an account are in the first page of every reader. All others may be at the end of one.
      return max(1, SyncEngine.readerPage - (try await knownRowCount()))
    }
  }

  /// How many rows the server has of this user, as far as is known.
  private func knownRowCount() async throws(SyncProblem) -> Int {
    let isKnown = try await inStore { store throws(StoreError) in try await store.hasValidCache() }
    if isKnown { return try await inStore { store throws(StoreError) in try await store.confirmedCount() } }
    // Before the first download it is asked for once, and what was sent since is added.
    if rowsBeforeDownload == nil { rowsBeforeDownload = try await head()?.count }
    return rowsBeforeDownload ?? SyncEngine.readerPage
  }

  /// Learns from the rows of one request.
  func noteTimes(of landings: [Landing]) async throws(SyncProblem) {
    rowsBeforeDownload = rowsBeforeDownload.map { $0 + landings.count }
    guard landings.count > 1 else { return }
    let stored = try await inStore { store throws(StoreError) in try await store.value(.rowTimes) }
    var times = landings.compactMap(\.createdAt)
    if times.count < landings.count, stored == nil {
      // This interface doesn't tell when it stored a row.
      let clientIDs = landings.prefix(2).map(\.clientID)
      times = try await authorized { [service] token throws(ServiceFailure) in
        try await service.find(clientIDs: clientIDs, token: token).compactMap(\.createdAt)
      }
    }
    guard times.count > 1 else { return }
    let found: Times = Set(times).count == times.count ? .distinct : .shared
    guard found.rawValue != stored else { return }
    try await inStore { store throws(StoreError) in try await store.set(found.rawValue, for: .rowTimes) }
  }
}
