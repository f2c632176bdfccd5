import EventStore

/// Fetches the whole table.
extension SyncEngine {
  /// The maximum number of full downloads in one sync.
  private static let fullPulls = 3

  /// Fetches everything. Repeats that if events leave the log during the download, because a later sync wouldn't know
  /// what the user wanted this one to do.
  func pullAll(_ loss: SyncDemand.Loss, _ report: inout SyncReport) async throws(SyncProblem) {
    for _ in 1..<SyncEngine.fullPulls {
      do throws(SyncProblem) { return try await pullAllOnce(loss, &report) } catch {
        guard error == .outdatedDownload else { throw error }
      }
    }
    try await pullAllOnce(loss, &report)
  }

  /// Fetches everything. The log changes only after the last page has arrived and the list is known to be complete.
  private func pullAllOnce(_ loss: SyncDemand.Loss, _ report: inout SyncReport) async throws(SyncProblem) {
    report.mode = .full
    let hasMoved = try await inStore { store throws(StoreError) in try await store.hasServerMoved() }
    var pull = try await inStore { [clears = clearGuard.clears] store throws(StoreError) in
      try await store.beginFullPull(unlessClearedSince: clears)
    }
    let listed: Int?
    do throws(SyncProblem) {
      listed = try await replaceAll(&pull, loss, hasMoved: hasMoved, &report)
    } catch {
      // If this fails, the next full download discards the staged rows.
      try? await store.abandon(pull)
      throw error
    }
    report.isCompared = true
    guard let listed else { return }
    // Before the push: the list doesn't have its rows.
    try await recordDifference(listed: listed)
    if hasMoved { try await push(&report) }
  }

  /// Fetches the whole list and replaces the log's confirmed events with it. If too many are missing in it, records
  /// that and fetches only new rows.
  /// - Returns: the number of rows in the list; `nil` if the log's events were not replaced.
  private func replaceAll(
    _ pull: inout FullPull, _ loss: SyncDemand.Loss, hasMoved: Bool, _ report: inout SyncReport
  ) async throws(SyncProblem) -> Int? {
    let before = try await head()
    let position = try await stageAll(&pull, before: before, &report)
    let preview = try await inFullPull { () throws(FullPullFailure) in try await store.preview(pull) }
    try await confirm(preview, before: before)
    let isRecorded = try await inStore { store throws(StoreError) in try await store.value(.remoteLoss) } != nil
    // Events that the server lacks are removed here too, or the user is asked. Back them up in both cases, and texts
    // that the server's will replace.
    let backup = preview.missing > 0 || preview.replaced > 0 ? try await backUpBeforeLoss() : nil
    // After a loss was reported, nothing is removed until the user decides.
    if preview.isAlarming || (isRecorded && preview.missing > 0), loss == .record {
      try await inFullPull { () throws(FullPullFailure) in try await store.abandon(pull) }
      try await record(preview)
      try await pullNew(nil, &report)
      return nil
    }
    // A server that has moved gets the events it lacks, unless the user chose to follow it.
    let keepsMissing = loss == .uploadAgain || (hasMoved && loss == .record)
    let result = try await inFullPull { () throws(FullPullFailure) in
      try await store.replace(pull, cursor: position, keepsMissing: keepsMissing)
    }
    onMerge()
    report.pulled += result.new
    if let backup, result.removed > 0 || result.replaced > 0 {
      let removal = Removal(count: result.removed, replaced: result.replaced, backup: backup)
      report.removal = removal
      shown.set(removal: removal)
    }
    return preview.server
  }

  /// Fetches every page, and stages its rows.
  /// - Returns: the position of the last row; `nil` if there is none.
  private func stageAll(
    _ pull: inout FullPull, before: TableHead?, _ report: inout SyncReport
  ) async throws(SyncProblem) -> Cursor? {
    var position: Cursor?
    var read = 0
    while let (page, last) = try await page(after: position) {
      read += page.count
      if let before { try RowList.checkLength(read: read, before: before.count) }
      try await inFullPull { () throws(FullPullFailure) in try await store.stage(page, &pull) }
      count(page, in: &report)
      position = last
    }
    return position
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
    guard RowList.isComplete(listed: preview.server, before: before.count, after: after.count) else {
      throw RowList.incomplete
    }
  }

  /// Records a remote loss for every program that opens this garden.
  private func record(_ preview: FullPullPreview) async throws(SyncProblem) {
    let loss = RemoteLoss(
      local: preview.local, server: preview.server, missing: preview.missing, found: clock.now,
      difference: try await expectedCount() - preview.server)
    try await inStore { [clears = clearGuard.clears] store throws(StoreError) in
      try await store.set(loss, unlessClearedSince: clears)
    }
  }
}

extension FullPullPreview {
  /// Whether the user must be asked before removal: the server has no row or none of the local events, or it lacks more
  /// than a tenth of them and more than 20.
  var isAlarming: Bool { FullPullPreview.isAlarming(local: local, server: server, missing: missing) }

  static func isAlarming(local: Int, server: Int, missing: Int) -> Bool {
    local > 0 && (server == 0 || missing >= local || (missing > 20 && missing * 10 > local))
  }
}
