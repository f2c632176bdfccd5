import EventStore
import TrunkModel

/// One sync, from its first to its last request.
extension SyncEngine {
  func perform() async -> SyncReport {
    let began = clock.uptime
    var report = SyncReport(mode: .incremental)
    if let code = await keeper.ended {
      // Don't try: only signing in helps.
      isSignedOut = true
      report.problem = .service(.sessionEnded(code: code))
      status.failure = report.problem
      await refreshFigures()
      advance(after: report)
      return report
    }
    isSignedOut = false
    let start = clock.now
    do throws(SyncProblem) { try await attempt(at: start, &report) } catch {
      report.problem = error
      status.lastAttempt = start
      status.consecutiveFailures += 1
      status.failure = error
    }
    report.clockDifference = clockDifference()
    status.clockDifference = report.clockDifference
    do throws(StoreError) { try await readFigures() } catch {
      // The result of this sync is unknown, so it is not a success.
      status.failure = .store(error)
      report.problem = report.problem ?? .store(error)
    }
    isSignedOut = await keeper.ended != nil
    log(
      "sync mode=\(report.mode.rawValue) fetched=\(report.fetched) pushed=\(report.pushed) pending=\(status.pending) "
        + "ms=\(clock.uptime - began) error=\(report.problem?.code ?? "none")")
    advance(after: report)
    return report
  }

  private func attempt(at start: Instant, _ report: inout SyncReport) async throws(SyncProblem) {
    // Must be known before the status is published, because the phase depends on it.
    isInitialSync = try await inStore { store throws(StoreError) in
      try await SyncEngine.beginsInitialSync(in: store)
    }
    isRunning = true
    isQuiet = status.failure != nil && !(current?.demand.isUserInitiated ?? false)
    status.lastAttempt = start
    status.fetched = 0
    publish()
    _ = try await keeper.token()
    try await checkServer()
    try await exchange(&report)
    await exchangeProfile()
    if isInitialSync { try await inStore { store throws(StoreError) in try await store.set(nil, for: .initialSync) } }
    isInitialSync = false
    if report.isCompared {
      try await inStore { [now = clock.now] store throws(StoreError) in try await store.recordCheck(at: now) }
    }
    status.lastSuccess = clock.now
    status.consecutiveFailures = 0
    status.failure = nil
    status.hasNetwork = true
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

  /// Ends this sync: later requests start a new one. If the service did not answer, waiting requests get the same
  /// report instead of another sync, and the scheduler tries later.
  private func advance(after report: SyncReport) {
    current = report.isUnanswered ? nil : next
    next = nil
    isRunning = current != nil
    publish()
  }

  /// Shows that a sync runs.
  func becomeVisible() {
    isQuiet = false
    publish()
  }

  /// Sends and fetches. The first failure ends it, so that an unavailable server gets one request. If sending failed,
  /// the next sync fetches first, so that fetching continues where sending doesn't work.
  private func exchange(_ report: inout SyncReport) async throws(SyncProblem) {
    if current?.demand.isSendOnly ?? false { return try await push(&report) }
    // A requested full download must work even if sending fails.
    if fetchesFirst || current?.demand.isFull ?? false {
      fetchesFirst = false
      try await pull(&report)
      return try await push(&report)
    }
    do throws(SyncProblem) {
      try await push(&report)
    } catch {
      switch error {
      case .service(.unavailable), .service(.unintelligible), .service(.tooLarge): fetchesFirst = true
      default: break
      }
      throw error
    }
    try await pull(&report)
  }

  /// For tests: whether another sync follows, and whether a request has joined the running one.
  var hasNext: Bool { next != nil }
  var isRequested: Bool { current?.isRequested ?? false }

  /// Waits until no sync runs or waits.
  func finishRunning() async {
    while let task = (next ?? current)?.task { _ = await task.value }
  }

  /// Returns the demand of this sync. Later requests get another sync.
  func beginPull() -> Demand {
    current?.hasBegunPull = true
    return current?.demand ?? Demand()
  }

  /// Whether a sync was requested since the last call: its events may be missing from the batch that was read.
  func takeRequestFlag() -> Bool {
    defer { current?.isRequested = false }
    return current?.isRequested ?? false
  }
}
