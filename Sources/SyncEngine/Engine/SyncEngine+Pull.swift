import EventStore

extension SyncEngine {
  static let pageSize = 1000
  /// The maximum number of rows kept in memory before they are merged.
  private static let mergeSize = 5_000
  /// PostgreSQL's error code for a statement timeout: counting took too long.
  static let statementTimeout = "57014"

  func pull(_ report: inout SyncReport) async throws(SyncProblem) {
    runs.beginPull()
    let demand = runs.demand
    clearGuard.requestRows(clears: try await inStore { store throws(StoreError) in try await store.clearCount() })
    let isValid = try await inStore { store throws(StoreError) in try await store.hasValidServerRows() }
    // Another program may have signed out and removed the rows. They must not come back.
    if !isValid { try await keeper.confirmSignedIn() }
    let loss = try await recordedLoss(demand)
    if demand.isFull || (!isValid && loss == nil) {
      let hasNoServerRows = try await inStore { [clears = clearGuard.clears] store throws(StoreError) in
        try await store.beginInitialPull(unlessClearedSince: clears)
      }
      if !hasNoServerRows { return try await pullAll(demand.loss, &report) }
      report.mode = .full
    }
    let head = try await head()
    try await pullNew(head, &report)
    // If a row changed, its old event may be in another row that was only counted. Download everything now, not with
    // the next sync.
    let isStillValid = try await inStore { store throws(StoreError) in try await store.hasValidServerRows() }
    if !isStillValid, loss == nil { return try await pullAll(demand.loss, &report) }
    // Without a count, the end of the list can't be verified.
    guard let head else { return }
    if try await hasLostOrMissed(head, loss, &report) { try await pullAll(demand.loss, &report) }
  }

  /// Returns the recorded remote loss. An unreadable record stops the sync, except for a full download, which replaces
  /// it.
  private func recordedLoss(_ demand: SyncDemand) async throws(SyncProblem) -> RemoteLoss? {
    do throws(SyncProblem) {
      return try await inStore { store throws(StoreError) in try await store.remoteLoss() }
    } catch {
      guard demand.isFull, error == .store(.unreadableLoss) else { throw error }
      return nil
    }
  }

  /// Fetches new rows. Rows and their cursor are stored in one transaction.
  /// - Parameter head: the state of the table before; `nil` if the service couldn't count.
  func pullNew(_ head: TableHead?, _ report: inout SyncReport) async throws(SyncProblem) {
    var cursor = try await inStore { store throws(StoreError) in try await store.cursor() }
    let settled = try await inStore { store throws(StoreError) in try await store.settledPosition() }
    if let head, settled == cursor, head.latest == cursor?.createdAt, try await hasAll(of: head) { return }
    var position = Overlap.start(cursor, settled: settled)
    var unmerged: [ServerRow] = []
    do throws(SyncProblem) {
      while let (page, last) = try await page(after: position) {
        position = last
        unmerged += page
        if page.count >= SyncEngine.pageSize { shown.set(isLargeDownload: true) }
        let isLast = head?.isReached(by: last) ?? false
        // The first page is merged immediately. Later merges take ever more rows together, which halves the cost.
        if isLast || unmerged.count >= min(report.fetched, SyncEngine.mergeSize) {
          try await merge(&unmerged, &cursor, &report)
        }
        // Saves the request for an empty page. The newest rows may share a time, so the count must match too.
        if isLast, let head, try await hasAll(of: head) { break }
      }
    } catch {
      try await mergeLast(&unmerged, &cursor, &report)
      throw error
    }
    try await mergeLast(&unmerged, &cursor, &report)
    if let cursor, let time = head?.serverTime, Overlap.isSettled(cursor, at: time) {
      try await inStore { [clears = clearGuard.clears] store throws(StoreError) in
        try await store.markSettled(cursor, unlessClearedSince: clears)
      }
    }
  }

  /// Whether this computer knows as many rows as the server counts.
  private func hasAll(of head: TableHead) async throws(SyncProblem) -> Bool {
    try await expectedCount() == head.count
  }

  private func merge(
    _ rows: inout [ServerRow], _ cursor: inout Cursor?, _ report: inout SyncReport
  ) async throws(SyncProblem) {
    guard let last = rows.last?.position else { return }
    let (page, before) = (rows, cursor)
    let after = before.map { last.isAfter($0) ? last : $0 } ?? last
    let result = try await inStore { [clears = clearGuard.clears] store throws(StoreError) in
      try await store.merge(page, cursor: after, unlessClearedSince: clears)
    }
    onMerge()
    cursor = after
    report.pulled += result.new
    count(page, in: &report)
    rows = []
  }

  private func mergeLast(
    _ rows: inout [ServerRow], _ cursor: inout Cursor?, _ report: inout SyncReport
  ) async throws(SyncProblem) {
    // Also if the merge fails, because no more rows follow.
    defer { shown.set(isLargeDownload: false) }
    try await merge(&rows, &cursor, &report)
  }

  func count(_ page: [ServerRow], in report: inout SyncReport) {
    report.fetched += page.count
    shown.set(fetched: report.fetched)
  }

  /// - Returns: `nil` after the last row.
  func page(after position: Cursor?) async throws(SyncProblem) -> (rows: [ServerRow], last: Cursor)? {
    let rows = try await authorized { [service] token throws(ServiceFailure) in
      try await service.rows(after: position, limit: SyncEngine.pageSize, token: token)
    }
    // In a page out of order the last row may not be the latest: then some rows are read again and none is missed.
    return try RowList.next(rows.last?.position, after: position).map { (rows, $0) }
  }
}

extension TableHead {
  /// Whether no row of the table is later than a position.
  fileprivate func isReached(by position: Cursor) -> Bool {
    guard let latest else { return true }
    return !Cursor(createdAt: latest, id: "").isAfter(position)
  }
}
