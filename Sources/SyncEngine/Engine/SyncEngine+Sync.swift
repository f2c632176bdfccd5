import EventStore
import TrunkModel

/// One sync, from its first to its last request.
extension SyncEngine {
  func perform() async -> SyncReport {
    let began = clock.uptime
    var report = SyncReport(mode: .incremental)
    if let code = await keeper.ended {
      // Don't try: only signing in helps.
      shown.set(isSignedOut: true)
      let problem = SyncProblem.service(.sessionEnded(code: code))
      report.problem = problem
      shown.set(failure: problem)
      await refreshFigures()
      advance(after: report)
      return report
    }
    shown.set(isSignedOut: false)
    let start = clock.now
    do throws(SyncProblem) { try await attempt(at: start, &report) } catch {
      report.problem = error
      shown.fail(error, at: start)
    }
    report.clockDifference = clockDifference()
    shown.set(clockDifference: report.clockDifference)
    do throws(StoreError) { try await readFigures() } catch {
      // The result of this sync is unknown, so it is not a success.
      shown.set(failure: .store(error))
      report.problem = report.problem ?? .store(error)
    }
    shown.set(isSignedOut: await keeper.ended != nil)
    log(
      "sync mode=\(report.mode.rawValue) fetched=\(report.fetched) pushed=\(report.pushed) pending=\(status.pending) "
        + "ms=\(clock.uptime - began) error=\(report.problem?.code ?? "none")")
    advance(after: report)
    return report
  }

  private func attempt(at start: Instant, _ report: inout SyncReport) async throws(SyncProblem) {
    // Must be known before the status is published, because the phase depends on it.
    let isInitial = try await inStore { store throws(StoreError) in
      try await SyncEngine.beginsInitialSync(in: store)
    }
    shown.begin(isInitial: isInitial, isUserInitiated: runs.demand.isUserInitiated, at: start)
    _ = try await keeper.token()
    try await checkServer()
    try await exchange(&report)
    await exchangeProfile()
    if isInitial { try await inStore { store throws(StoreError) in try await store.set(nil, for: .initialSync) } }
    shown.endInitial()
    if report.isCompared {
      try await inStore { [now = clock.now] store throws(StoreError) in try await store.recordCheck(at: now) }
    }
    shown.succeed(at: clock.now)
  }

  /// Fails if another program has bound the garden to its server's new address: what is sent to the old one is lost.
  private func checkServer() async throws(SyncProblem) {
    let server = keeper.account.server
    try await inStore { store throws(StoreError) in
      if let bound = try await store.value(.server), bound != server { throw StoreError.otherServer(address: bound) }
    }
  }

  /// Whether the initial sync is pending or was interrupted.
  private static func beginsInitialSync(in store: EventStore) async throws(StoreError) -> Bool {
    if try await store.value(.initialSync) != nil { return true }
    if try await store.hasValidServerRows() { return false }
    guard try await store.confirmedCount() == 0 else { return false }
    try await store.set("begun", for: .initialSync)
    return true
  }

  /// Ends this sync. If the service did not answer, the scheduler tries later.
  private func advance(after report: SyncReport) {
    runs.end(isAnswered: !report.isUnanswered)
    shown.end(isFollowed: runs.isRunning)
  }

  /// Sends and fetches. The first failure ends it, so that an unavailable server gets one request. If sending failed,
  /// the next sync fetches first, so that fetching continues where sending doesn't work.
  private func exchange(_ report: inout SyncReport) async throws(SyncProblem) {
    if runs.demand.isSendOnly { return try await push(&report) }
    // A requested full download must work even if sending fails.
    if order.takeFetchesFirst() || runs.demand.isFull {
      try await pull(&report)
      return try await push(&report)
    }
    do throws(SyncProblem) {
      try await push(&report)
    } catch {
      order.sendingFailed(error)
      throw error
    }
    try await pull(&report)
  }

  /// Waits until no sync runs or waits.
  func finishRunning() async {
    while let work = runs.last { _ = await work.value }
  }
}

/// Whether the next sync fetches before it sends, because sending failed the last time.
struct ExchangeOrder {
  private var fetchesFirst = false

  fileprivate mutating func takeFetchesFirst() -> Bool {
    defer { fetchesFirst = false }
    return fetchesFirst
  }

  fileprivate mutating func sendingFailed(_ problem: SyncProblem) {
    switch problem {
    case .service(.unavailable), .service(.unintelligible), .service(.tooLarge): fetchesFirst = true
    default: break
    }
  }
}
