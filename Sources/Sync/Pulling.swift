import GardenStore

/// From where the next rows are read.
///
/// A row carries the time at which its transaction began, so it may appear behind rows that were read. Therefore some
/// minutes are read again; not after a place that was read again when it was old enough already.
struct Overlap {
  /// How long a transaction may take, in seconds.
  static let seconds: Int64 = 300

  /// Behind this place nothing can appear any more.
  private var settled: Cursor?
  /// The last place, and the `uptime` at which it was first seen.
  private var seen: (cursor: Cursor, uptime: Int64)?

  func start(_ cursor: Cursor?) -> Cursor? {
    guard let cursor else { return nil }
    if settled == cursor { return cursor }
    let bound = cursor.lowerBound(seconds: Overlap.seconds)
    if let settled, cursor.isAfter(settled), settled.isAfter(bound) { return settled }
    return bound
  }

  /// - Parameters:
  ///   - cursor: the place up to which all was read.
  ///   - began: the `uptime` before the first request.
  mutating func hasRead(upTo cursor: Cursor?, began: Int64, ended: Int64) {
    guard let cursor else { return }
    if let seen, seen.cursor == cursor {
      // Twice as long as a transaction takes: both clocks may be a little off.
      if began - seen.uptime >= 2 * Overlap.seconds * 1000 { settled = cursor }
    } else {
      seen = (cursor, ended)
    }
  }
}

extension SyncEngine {
  static let pageSize = 1000
  /// So many rows at most are kept in memory until they are merged.
  private static let mergeSize = 5_000
  /// So often at most everything is downloaded in one sync.
  private static let fullPulls = 3
  /// How often the numbers of rows are compared, in milliseconds.
  private static let countInterval: Int64 = 3_600_000

  func pull(_ report: inout SyncReport) async throws(SyncProblem) {
    let demand = beginPull()
    clears = try await inStore { store throws(StoreError) in try await store.clearCount() }
    let isValid = try await inStore { store throws(StoreError) in try await store.hasValidCache() }
    // A cache that is gone may have been cleared away by signing out: nothing must bring it back.
    if !isValid { try await keeper.confirmSignedIn() }
    let mayAsk = try await inStore { store throws(StoreError) in try await store.remoteLoss() } == nil
    var isFirst = false
    if demand.isFull || (!isValid && mayAsk) {
      isFirst = try await inStore { [clears] store throws(StoreError) in
        try await store.beginFirstPull(unlessClearedSince: clears)
      }
      if !isFirst { return try await pullAll(demand.loss, &report) }
      report.mode = .full
      overlap = Overlap()
    }
    try await pullNew(&report)
    // An event that left its row may be in another one, which was only counted: it is not to be missed until next time.
    let isStillValid = try await inStore { store throws(StoreError) in try await store.hasValidCache() }
    if !isStillValid, mayAsk { return try await pullAll(demand.loss, &report) }
    if isFirst { return await noteDifference() }
    let isDue = lastCount.map { clock.uptime - $0 >= SyncEngine.countInterval } ?? true
    if isDue, mayAsk, try await countsDiffer(&report) { try await pullAll(demand.loss, &report) }
  }

  /// Fetches what is new. Rows and the place after them are one transaction.
  private func pullNew(_ report: inout SyncReport) async throws(SyncProblem) {
    let began = clock.uptime
    var cursor = try await inStore { store throws(StoreError) in try await store.cursor() }
    var place = overlap.start(cursor)
    // All that was read and not merged yet.
    var waiting: [ServerRow] = []
    do throws(SyncProblem) {
      while let (page, last) = try await page(after: place) {
        place = last
        waiting += page
        if page.count >= SyncEngine.pageSize { setPartway(true) }
        // The first page is there at once. Of many, ever more are merged together: that costs half as much.
        if waiting.count >= min(report.fetched, SyncEngine.mergeSize) { try await merge(&waiting, &cursor, &report) }
      }
    } catch {
      try await mergeLast(&waiting, &cursor, &report)
      throw error
    }
    try await mergeLast(&waiting, &cursor, &report)
    overlap.hasRead(upTo: cursor, began: began, ended: clock.uptime)
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
      // What the server lacks leaves this computer too, or is asked about: it is in a backup in any case.
      if preview.missing > 0 { try await backUpBeforeLoss() }
      if preview.isAlarming {
        guard loss != .record else {
          try await inFullPull { () throws(FullPullFailure) in try await store.abandon(pull) }
          try await record(preview)
          return try await pullNew(&report)
        }
      }
      let result = try await inFullPull { [place] () throws(FullPullFailure) in
        try await store.replace(pull, cursor: place, keepsMissing: hasMoved || loss == .keep)
      }
      report.pulled += result.new
      overlap = Overlap()
    } catch {
      // What was collected is thrown away with the next download at the latest.
      try? await store.abandon(pull)
      throw error
    }
    // Before the rows are counted: it gets what it lacked.
    if hasMoved { try await push(&report) }
    await noteDifference()
  }

  /// Records that the server lost much, for every program that opens this garden.
  private func record(_ preview: FullPullPreview) async throws(SyncProblem) {
    let expected = try await confirmedCount() + knownDifference()
    let loss = RemoteLoss(
      local: preview.here, server: preview.there, missing: preview.missing, found: clock.now,
      difference: expected - preview.there)
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
  private func countsDiffer(_ report: inout SyncReport) async throws(SyncProblem) -> Bool {
    let known = try await knownDifference()
    let ours = try await confirmedCount()
    guard let first = try await count() else { return false }
    lastCount = clock.uptime
    if first - ours == known { return false }
    // Rows may have come in between. Then ours lies between what was there before and after they were fetched.
    try await pullNew(&report)
    let updated = try await confirmedCount()
    guard let second = try await count() else { return false }
    return !(min(first, second)...max(first, second)).contains(updated + known)
  }

  /// After everything was fetched: rows that are counted and can't be read must not make for another download.
  private func noteDifference() async {
    // If this fails, the next comparison makes for one download more.
    guard let ours = try? await confirmedCount(), let theirs = try? await count() else { return }
    lastCount = clock.uptime
    try? await store.set(theirs == ours ? nil : String(theirs - ours), for: .countDifference)
  }

  private func knownDifference() async throws(SyncProblem) -> Int {
    try await inStore { store throws(StoreError) in try await store.value(.countDifference).flatMap { Int($0) } ?? 0 }
  }

  private func confirmedCount() async throws(SyncProblem) -> Int {
    try await inStore { store throws(StoreError) in try await store.confirmedCount() }
  }

  /// - Returns: `nil` if the service says that it does not count just now: rows are fetched all the same.
  private func count() async throws(SyncProblem) -> Int? {
    do throws(SyncProblem) {
      return try await authorized { [service] token throws(ServiceFailure) in try await service.count(token: token) }
    } catch {
      if case .service(let failure) = error, failure.isTransient, !error.isUnanswered { return nil }
      throw error
    }
  }
}

extension FullPullPreview {
  /// Whether so much would go that a person should be asked: everything, or more than a tenth and more than 20.
  var isAlarming: Bool { here > 0 && (there == 0 || (missing > 20 && missing * 10 > here)) }
}
