import EventStore

extension SyncEngine {
  /// Whether the server lacks rows or has rows that fetching new ones does not return, because rows were removed or
  /// imported.
  /// - Parameters:
  ///   - head: the state of the table before new rows were fetched.
  ///   - loss: the recorded remote loss. The same loss isn't examined again, and one whose rows are back is deleted.
  func hasLostOrMissed(
    _ head: TableHead, _ loss: RemoteLoss?, _ report: inout SyncReport
  ) async throws(SyncProblem) -> Bool {
    let expected = try await expectedCount()
    report.isCompared = true
    if let loss {
      if expected &- head.count == loss.difference { return false }
      if expected == head.count {
        try await inStore { [clears = clearGuard.clears] store throws(StoreError) in
          try await store.set(nil, unlessClearedSince: clears)
        }
      }
    }
    if expected == head.count { return false }
    // Rows may have been added in between. Then the local count lies between the server's counts before and after.
    guard let later = try await self.head() else {
      // The numbers differ, so that this sync must not look like a success until they can be compared.
      report.isCompared = false
      throw .service(.unavailable(status: 500, code: SyncEngine.statementTimeout, retryAfter: nil))
    }
    try await pullNew(later, &report)
    let known = try await expectedCount() &- (loss?.difference ?? 0)
    return !RowList.isComplete(listed: known, before: head.count, after: later.count)
  }

  /// Records the difference between the server's complete list and the confirmed rows, so that it doesn't cause a full
  /// download with each sync. A new difference may come from another program that is writing now, so it counts only
  /// after the next download finds it again.
  /// - Parameter listed: the number of rows in the list.
  func recordDifference(listed: Int) async throws(SyncProblem) {
    let difference = listed - (try await confirmedCount())
    try await inStore { store throws(StoreError) in
      try await store.change(.countDifference) { CountDifference($0).seen(difference).text }
    }
  }

  /// Returns the number of rows that the server should count.
  func expectedCount() async throws(SyncProblem) -> Int {
    let difference = try await inStore { store throws(StoreError) in try await store.value(.countDifference) }
    return try await confirmedCount() + CountDifference(difference).rows
  }

  func confirmedCount() async throws(SyncProblem) -> Int {
    try await inStore { store throws(StoreError) in try await store.confirmedCount() }
  }

  /// Fetches the state of the table.
  /// - Returns: `nil` if the table exists but can't be counted now; rows can still be fetched.
  func head() async throws(SyncProblem) -> TableHead? {
    do throws(SyncProblem) {
      return try await authorized { [service] token throws(ServiceFailure) in try await service.head(token: token) }
    } catch {
      // The database reports a statement timeout. Any other error would affect rows too.
      if case .service(.unavailable(_, SyncEngine.statementTimeout, _)) = error { return nil }
      throw error
    }
  }
}
