import GardenStore

extension SyncEngine {
  static let pageSize = 1000
  /// So many rows at most are kept in memory until they are merged.
  private static let mergeSize = 5_000
  /// So often at most everything is downloaded in one sync.
  private static let fullPulls = 3

  func pull(_ report: inout SyncReport) async throws(SyncProblem) {
    let demand = beginPull()
    clears = try await inStore { store throws(StoreError) in try await store.clearCount() }
    let isValid = try await inStore { store throws(StoreError) in try await store.hasValidCache() }
    // A cache that is gone may have been cleared away by signing out: nothing must bring it back.
    if !isValid { try await keeper.confirmSignedIn() }
    let loss = try await inStore { store throws(StoreError) in try await store.remoteLoss() }
    var isFirst = false
    if demand.isFull || (!isValid && loss == nil) {
      isFirst = try await inStore { [clears] store throws(StoreError) in
        try await store.beginFirstPull(unlessClearedSince: clears)
      }
      if !isFirst { return try await pullAll(demand.loss, &report) }
      report.mode = .full
    }
    let head = try await head()
    try await pullNew(head, &report)
    // An event that left its row may be in another one, which was only counted: it is not to be missed until next time.
    let isStillValid = try await inStore { store throws(StoreError) in try await store.hasValidCache() }
    if !isStillValid, loss == nil { return try await pullAll(demand.loss, &report) }
    if isFirst { return await noteDifference() }
    if let head, try await hasLostOrMissed(head, loss, &report) { try await pullAll(demand.loss, &report) }
  }

  /// Fetches what is new. Rows and the place after them are one transaction.
  /// - Parameter head: the state of the table before; `nil` if the service couldn't tell.
  private func pullNew(_ head: TableHead?, _ report: inout SyncReport) async throws(SyncProblem) {
    var cursor = try await inStore { store throws(StoreError) in try await store.cursor() }
    let settled = try await inStore { store throws(StoreError) in try await store.settled() }
    if let head, settled == cursor, head.latest == cursor?.createdAt, try await hasAll(of: head) { return }
    var place = Overlap.start(cursor, settled: settled)
    // All that was read and not merged yet.
    var waiting: [ServerRow] = []
    do throws(SyncProblem) {
      while let (page, last) = try await page(after: place) {
        place = last
        waiting += page
        if page.count >= SyncEngine.pageSize { setPartway(true) }
        let isLast = head?.isReached(by: last) ?? false
        // The first page is there at once. Of many, ever more are merged together: that costs half as much.
        if isLast || waiting.count >= min(report.fetched, SyncEngine.mergeSize) {
          try await merge(&waiting, &cursor, &report)
        }
        // Saves the request for an empty page. The newest rows may share one time, so the number must be right too.
        if isLast, let head, try await hasAll(of: head) { break }
      }
    } catch {
      try await mergeLast(&waiting, &cursor, &report)
      throw error
    }
    try await mergeLast(&waiting, &cursor, &report)
    if let cursor, let time = head?.serverTime, Overlap.isSettled(cursor, at: time) {
      try await inStore { [clears] store throws(StoreError) in
        try await store.settle(cursor, unlessClearedSince: clears)
      }
    }
  }

  /// Whether this computer knows as many rows as the server has.
  private func hasAll(of head: TableHead) async throws(SyncProblem) -> Bool {
    try await expectedCount() == head.count
  }

  private func merge(
    _ rows: inout [ServerRow], _ cursor: inout Cursor?, _ report: inout SyncReport
  ) async throws(SyncProblem) {
    guard let last = rows.last?.place else { return }
    let (page, before) = (rows, cursor)
    let after = before.map { last.isAfter($0) ? last : $0 } ?? last
    let result = try await inStore { [clears] store throws(StoreError) in
      try await store.merge(page, cursor: after, unlessClearedSince: clears)
    }
    cursor = after
    report.pulled += result.new
    count(page, in: &report)
    rows = []
  }

  private func mergeLast(
    _ rows: inout [ServerRow], _ cursor: inout Cursor?, _ report: inout SyncReport
  ) async throws(SyncProblem) {
    // Also when they can't be merged: no more comes.
    defer { setPartway(false) }
    try await merge(&rows, &cursor, &report)
  }

  private func setPartway(_ isPartway: Bool) {
    guard status.isPartway != isPartway else { return }
    status.isPartway = isPartway
    publish()
  }

  private func count(_ page: [ServerRow], in report: inout SyncReport) {
    report.fetched += page.count
    status.fetched = report.fetched
    publish()
  }

  /// Fetches everything, and once more if what is here has changed under it: no later sync knows what this one was to do.
  private func pullAll(_ loss: Demand.Loss, _ report: inout SyncReport) async throws(SyncProblem) {
    for _ in 1..<SyncEngine.fullPulls {
      do throws(SyncProblem) { return try await pullAllOnce(loss, &report) } catch {
        guard error == .outdatedDownload else { throw error }
      }
    }
    try await pullAllOnce(loss, &report)
  }

  /// Nothing here changes before the last page has come.
  private func pullAllOnce(_ loss: Demand.Loss, _ report: inout SyncReport) async throws(SyncProblem) {
    report.mode = .full
    let hasMoved = try await inStore { store throws(StoreError) in try await store.hasServerMoved() }
    var pull = try await inStore { [clears] store throws(StoreError) in
      try await store.beginFullPull(unlessClearedSince: clears)
    }
    do throws(SyncProblem) {
      var place: Cursor?
      while let (page, last) = try await page(after: place) {
        try await inFullPull { () throws(FullPullFailure) in try await store.stage(page, &pull) }
        count(page, in: &report)
        place = last
      }
      let preview = try await inFullPull { () throws(FullPullFailure) in try await store.preview(pull) }
      let isRecorded = try await inStore { store throws(StoreError) in try await store.remoteLoss() } != nil
      // Once the user was told of a loss, nothing is removed without an answer.
      let isLoss = preview.isAlarming || (isRecorded && preview.missing > 0)
      let counted = isLoss ? try await confirmedByCount(preview) : preview.there
      // What the server lacks leaves this computer too, or is asked about: it is in a backup in any case.
      if preview.missing > 0 { try await backUpBeforeLoss() }
      if isLoss {
        guard loss != .record else {
          try await inFullPull { () throws(FullPullFailure) in try await store.abandon(pull) }
          try await record(preview, count: counted)
          return try await pullNew(nil, &report)
        }
      }
      let result = try await inFullPull { [place] () throws(FullPullFailure) in
        try await store.replace(pull, cursor: place, keepsMissing: hasMoved || loss == .keep)
      }
      report.pulled += result.new
    } catch {
      // What was collected is thrown away with the next download at the latest.
      try? await store.abandon(pull)
      throw error
    }
    // Before the rows are counted: it gets what it lacked.
    if hasMoved { try await push(&report) }
    await noteDifference()
  }

  /// Makes sure that the table itself says that rows are gone: an empty page may come from a proxy.
  /// - Returns: how many rows the server counts.
  /// - Throws: `unintelligible` if it counts many more than came.
  private func confirmedByCount(_ preview: FullPullPreview) async throws(SyncProblem) -> Int {
    guard let count = try await head()?.count else { return preview.there }
    guard !FullPullPreview.isAlarming(here: count, there: preview.there, missing: count - preview.there) else {
      throw .service(.unintelligible(detail: "fewer rows than the table counts"))
    }
    return count
  }

  /// Records that the server lost much, for every program that opens this garden.
  /// - Parameter count: how many rows the server counts.
  private func record(_ preview: FullPullPreview, count: Int) async throws(SyncProblem) {
    let loss = RemoteLoss(
      local: preview.here, server: preview.there, missing: preview.missing, found: clock.now,
      difference: try await expectedCount() - count)
    try await inStore { [clears] store throws(StoreError) in try await store.set(loss, unlessClearedSince: clears) }
  }

  /// - Returns: `nil` after the last row. A short page is not the last: the server may give fewer than it is asked for.
  private func page(after place: Cursor?) async throws(SyncProblem) -> (rows: [ServerRow], last: Cursor)? {
    let rows = try await authorized { [service] token throws(ServiceFailure) in
      try await service.rows(after: place, limit: SyncEngine.pageSize, token: token)
    }
    // In a page out of order the last row may not be the latest: then some are read again, and none is left out.
    guard let last = rows.last?.place else { return nil }
    if let place, !last.isAfter(place) {
      throw .service(.unintelligible(detail: "a page that does not go on"))
    }
    return (rows, last)
  }
}

// MARK: - Counting

extension SyncEngine {
  /// Whether the server has rows that new ones do not bring, or lacks some: they were removed or imported.
  /// - Parameters:
  ///   - head: the state of the table before new rows were fetched.
  ///   - loss: what is recorded. The same loss isn't looked at again, and one whose rows are back is forgotten.
  private func hasLostOrMissed(
    _ head: TableHead, _ loss: RemoteLoss?, _ report: inout SyncReport
  ) async throws(SyncProblem) -> Bool {
    let expected = try await expectedCount()
    if let loss {
      if expected - head.count == loss.difference { return false }
      if expected == head.count {
        try await inStore { [clears] store throws(StoreError) in
          try await store.set(nil, unlessClearedSince: clears)
        }
      }
    }
    if expected == head.count { return false }
    // Rows may have come in between. Then ours lies between what was there before and after they were fetched.
    guard let later = try await self.head() else { return false }
    try await pullNew(later, &report)
    let updated = try await expectedCount() - (loss?.difference ?? 0)
    return !(min(head.count, later.count)...max(head.count, later.count)).contains(updated)
  }

  /// After everything was fetched: rows that are counted and can't be read must not make for another download.
  private func noteDifference() async {
    // If this fails, the next comparison makes for one download more.
    guard let ours = try? await confirmedCount(), let theirs = try? await head()?.count else { return }
    try? await store.set(theirs == ours ? nil : String(theirs - ours), for: .countDifference)
  }

  /// How many rows the server should count.
  private func expectedCount() async throws(SyncProblem) -> Int {
    let difference = try await inStore { store throws(StoreError) in try await store.value(.countDifference) }
    return try await confirmedCount() + (difference.flatMap { Int($0) } ?? 0)
  }

  private func confirmedCount() async throws(SyncProblem) -> Int {
    try await inStore { store throws(StoreError) in try await store.confirmedCount() }
  }

  /// The state of the table.
  /// - Returns: `nil` if the table is there and can't be counted now: rows are fetched all the same.
  func head() async throws(SyncProblem) -> TableHead? {
    do throws(SyncProblem) {
      return try await authorized { [service] token throws(ServiceFailure) in try await service.head(token: token) }
    } catch {
      // The table's own word that a statement took too long. All else would fail for rows as well.
      if case .service(.unavailable(_, "57014", _)) = error { return nil }
      throw error
    }
  }
}

extension TableHead {
  /// Whether no row of this state comes after a place, but for rows of the very same time.
  fileprivate func isReached(by place: Cursor) -> Bool {
    guard let latest else { return true }
    return !Cursor(createdAt: latest, id: "").isAfter(place)
  }
}

extension FullPullPreview {
  /// Whether so much would go that a person should be asked: everything, or more than a tenth and more than 20.
  var isAlarming: Bool { FullPullPreview.isAlarming(here: here, there: there, missing: missing) }

  static func isAlarming(here: Int, there: Int, missing: Int) -> Bool {
    here > 0 && (there == 0 || (missing > 20 && missing * 10 > here))
  }
}
