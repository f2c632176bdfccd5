import EventStore

extension SyncEngine {
  static let pageSize = 1000
  /// The maximum number of rows kept in memory before they are merged.
  private static let mergeSize = 5_000
  /// The maximum number of full downloads in one sync.
  private static let fullPulls = 3
  /// PostgreSQL's error code for a statement timeout: counting took too long.
  static let statementTimeout = "57014"

  func pull(_ report: inout SyncReport) async throws(SyncProblem) {
    let demand = beginPull()
    clears = try await inStore { store throws(StoreError) in try await store.clearCount() }
    let isValid = try await inStore { store throws(StoreError) in try await store.hasValidServerRows() }
    // A missing cache may have been cleared by signing out in another program, and must not come back.
    if !isValid { try await keeper.confirmSignedIn() }
    let loss = try await recordedLoss(demand)
    if demand.isFull || (!isValid && loss == nil) {
      let hasNoServerRows = try await inStore { [clears] store throws(StoreError) in
        try await store.beginInitialPull(unlessClearedSince: clears)
      }
      if !hasNoServerRows { return try await pullAll(demand.loss, &report) }
      report.mode = .full
    }
    let head = try await head()
    try await pullNew(head, &report)
    // A displaced event may be in another row that was only counted. Download everything now, not with the next sync.
    let isStillValid = try await inStore { store throws(StoreError) in try await store.hasValidServerRows() }
    if !isStillValid, loss == nil { return try await pullAll(demand.loss, &report) }
    // Without a count, the end of the list can't be verified.
    guard let head else { return }
    if try await hasLostOrMissed(head, loss, &report) { try await pullAll(demand.loss, &report) }
  }

  /// Returns the recorded remote loss. An unreadable record stops the sync, except for a full download, which replaces
  /// it.
  private func recordedLoss(_ demand: Demand) async throws(SyncProblem) -> RemoteLoss? {
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
    // Rows that were read and not merged yet.
    var waiting: [ServerRow] = []
    do throws(SyncProblem) {
      while let (page, last) = try await page(after: position) {
        position = last
        waiting += page
        if page.count >= SyncEngine.pageSize { setLargeDownload(true) }
        let isLast = head?.isReached(by: last) ?? false
        // The first page is merged at once. Later merges take ever more rows together, which halves the cost.
        if isLast || waiting.count >= min(report.fetched, SyncEngine.mergeSize) {
          try await merge(&waiting, &cursor, &report)
        }
        // Saves the request for an empty page. The newest rows may share a time, so the count must match too.
        if isLast, let head, try await hasAll(of: head) { break }
      }
    } catch {
      try await mergeLast(&waiting, &cursor, &report)
      throw error
    }
    try await mergeLast(&waiting, &cursor, &report)
    if let cursor, let time = head?.serverTime, Overlap.isSettled(cursor, at: time) {
      try await inStore { [clears] store throws(StoreError) in
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
    let result = try await inStore { [clears] store throws(StoreError) in
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
    defer { setLargeDownload(false) }
    try await merge(&rows, &cursor, &report)
  }

  private func setLargeDownload(_ isLargeDownload: Bool) {
    guard status.isLargeDownload != isLargeDownload else { return }
    status.isLargeDownload = isLargeDownload
    publish()
  }

  private func count(_ page: [ServerRow], in report: inout SyncReport) {
    report.fetched += page.count
    status.fetched = report.fetched
    publish()
  }

  /// Fetches everything, and repeats that if events left the log in between, because a later sync doesn't know what
  /// this one was asked to do.
  private func pullAll(_ loss: Demand.Loss, _ report: inout SyncReport) async throws(SyncProblem) {
    for _ in 1..<SyncEngine.fullPulls {
      do throws(SyncProblem) { return try await pullAllOnce(loss, &report) } catch {
        guard error == .outdatedDownload else { throw error }
      }
    }
    try await pullAllOnce(loss, &report)
  }

  /// Fetches everything. The log changes only after the last page has arrived and the list is known to be complete.
  private func pullAllOnce(_ loss: Demand.Loss, _ report: inout SyncReport) async throws(SyncProblem) {
    report.mode = .full
    let hasMoved = try await inStore { store throws(StoreError) in try await store.hasServerMoved() }
    var pull = try await inStore { [clears] store throws(StoreError) in
      try await store.beginFullPull(unlessClearedSince: clears)
    }
    let listed: Int
    do throws(SyncProblem) {
      let before = try await head()
      var position: Cursor?
      var read = 0
      while let (page, last) = try await page(after: position) {
        read += page.count
        if let before { try RowList.checkLength(read: read, before: before.count) }
        try await inFullPull { () throws(FullPullFailure) in try await store.stage(page, &pull) }
        count(page, in: &report)
        position = last
      }
      let preview = try await inFullPull { () throws(FullPullFailure) in try await store.preview(pull) }
      try await confirm(preview, before: before)
      listed = preview.there
      let isRecorded = try await inStore { store throws(StoreError) in try await store.value(.remoteLoss) } != nil
      // Events that the server lacks are removed here too, or the user is asked. Back them up in both cases.
      let backup = preview.missing > 0 ? try await backUpBeforeLoss() : nil
      // After a loss was reported, nothing is removed until the user decides.
      if preview.isAlarming || (isRecorded && preview.missing > 0), loss == .record {
        try await inFullPull { () throws(FullPullFailure) in try await store.abandon(pull) }
        try await record(preview)
        return try await pullNew(nil, &report)
      }
      // A server that has moved gets the events it lacks, unless the user chose to follow it.
      let keepsMissing = loss == .keep || (hasMoved && loss == .record)
      let result = try await inFullPull { [position] () throws(FullPullFailure) in
        try await store.replace(pull, cursor: position, keepsMissing: keepsMissing)
      }
      onMerge()
      report.pulled += result.new
      if let backup, result.removed > 0 {
        report.removal = Removal(count: result.removed, backup: backup)
        status.removal = report.removal
      }
    } catch {
      // If this fails, the next full download discards the staged rows.
      try? await store.abandon(pull)
      throw error
    }
    // Before the push: the list doesn't have its rows.
    try await noteDifference(listed: listed)
    if hasMoved { try await push(&report) }
  }

  /// Makes sure that the downloaded list is complete.
  /// - Parameter before: the state of the table before the list was read.
  /// - Throws: `unintelligible` unless the list is as long as the server counts. `unavailable` if the server can't
  ///   count now and events would be removed.
  private func confirm(_ preview: FullPullPreview, before: TableHead?) async throws(SyncProblem) {
    guard let before, let after = try await head() else {
      if preview.missing == 0 { return }
      throw .service(.unavailable(status: 500, code: SyncEngine.statementTimeout, retryAfter: nil))
    }
    guard RowList.isWhole(listed: preview.there, before: before.count, after: after.count) else {
      throw RowList.incomplete
    }
  }

  /// Records a remote loss for every program that opens this garden.
  private func record(_ preview: FullPullPreview) async throws(SyncProblem) {
    let loss = RemoteLoss(
      local: preview.here, server: preview.there, missing: preview.missing, found: clock.now,
      difference: try await expectedCount() - preview.there)
    try await inStore { [clears] store throws(StoreError) in try await store.set(loss, unlessClearedSince: clears) }
  }

  /// - Returns: `nil` after the last row.
  private func page(after position: Cursor?) async throws(SyncProblem) -> (rows: [ServerRow], last: Cursor)? {
    let rows = try await authorized { [service] token throws(ServiceFailure) in
      try await service.rows(after: position, limit: SyncEngine.pageSize, token: token)
    }
    // In a page out of order the last row may not be the latest: then some rows are read again and none is missed.
    return try RowList.next(rows.last?.position, after: position).map { (rows, $0) }
  }
}

extension TableHead {
  /// Whether no row of this state comes after a position, except rows with exactly the same time.
  fileprivate func isReached(by position: Cursor) -> Bool {
    guard let latest else { return true }
    return !Cursor(createdAt: latest, id: "").isAfter(position)
  }
}

extension FullPullPreview {
  /// Whether the user must be asked before removal: all events would go, or more than a tenth and more than 20.
  var isAlarming: Bool { FullPullPreview.isAlarming(here: here, there: there, missing: missing) }

  static func isAlarming(here: Int, there: Int, missing: Int) -> Bool {
    here > 0 && (there == 0 || (missing > 20 && missing * 10 > here))
  }
}
