/// Keeps a live connection open, so that rows from other devices arrive immediately.
///
/// The connection is only a hint: it does not repeat rows that were stored while it was closed. So a sync follows each
/// time it becomes live and each time it ends after being live.
actor LiveLink {
  /// A connection that lasts this many milliseconds resets the backoff.
  private static let lastingTime: Int64 = 60_000

  private let engine: SyncEngine
  private let service: any LiveService
  private let clock: any SyncClock
  private let random: @Sendable () -> Double
  private let sync: @Sendable () async -> SyncReport
  private var task: Task<Void, Never>?
  /// The service rejected the connection, and retrying won't help.
  private var isGivenUp = false

  /// - Parameter sync: requests a sync and waits for it.
  init(
    engine: SyncEngine, service: any LiveService, clock: any SyncClock, random: @escaping @Sendable () -> Double,
    sync: @escaping @Sendable () async -> SyncReport
  ) {
    self.engine = engine
    self.service = service
    self.clock = clock
    self.random = random
    self.sync = sync
  }

  /// Connects, unless the service has rejected it before.
  func start() {
    guard task == nil, !isGivenUp else { return }
    task = Task { await run() }
  }

  /// Connects even if the service rejected it before, because the situation has changed.
  func retry() {
    isGivenUp = false
    start()
  }

  func stop() {
    task?.cancel()
    task = nil
  }

  /// Replaces the connection, which may be dead without notice after the computer slept.
  func restart() {
    guard task != nil || isGivenUp else { return }
    stop()
    retry()
  }

  private func run() async {
    var backoff = Backoff()
    var mayRenew = true
    while !Task.isCancelled, await engine.keeper.ended == nil {
      let began = clock.uptime
      let (wasLive, failure) = await listen(mayRenew: mayRenew)
      guard !Task.isCancelled else { return }
      // A connection that fails soon after becoming live must not reset the backoff.
      if wasLive, clock.uptime - began >= LiveLink.lastingTime {
        backoff.reset()
        mayRenew = true
      } else if failure?.isUnauthorized ?? false {
        mayRenew = false
      }
      var retryAfter: Int64 = 0
      switch failure {
      case .misconfigured, .rejected: isGivenUp = true
      case .unavailable(_, _, let seconds): retryAfter = seconds ?? 0
      default: break
      }
      if wasLive { _ = await sync() }
      guard !isGivenUp else { break }
      // While syncing fails, the scheduler retries at its own pace, and this connection waits for its success.
      if await engine.status.failure != nil { await nextSuccess() }
      let pause = max(backoff.next(random: random()), min(retryAfter, 3600) * 1000)
      do { try await clock.sleep(until: clock.uptime + pause) } catch { return }
    }
    // If this task was cancelled, `task` may already be a new one.
    if !Task.isCancelled { task = nil }
  }

  /// Opens one connection and waits for its end.
  /// - Parameter mayRenew: whether to renew a token that the service does not accept.
  /// - Returns: whether the connection was live and why it ended; `nil` if a sync will report the reason.
  private func listen(mayRenew: Bool) async -> (wasLive: Bool, failure: ServiceFailure?) {
    var wasLive = false
    do {
      let token = try await engine.keeper.token()
      do {
        for try await signal in service.listen(token: token, renewals: await engine.keeper.renewals()) {
          switch signal {
          case .isLive:
            wasLive = true
            requestSync()
          case .row(let row): if await !engine.receive(row) { requestSync() }
          case .somethingChanged: requestSync()
          }
        }
      } catch let failure as ServiceFailure {
        // Each renewal uses up a token, so a service that accepts none must not cause a renewal with every attempt.
        if failure.isUnauthorized, mayRenew { _ = try await engine.keeper.renewed(insteadOf: token) }
        return (wasLive, failure)
      }
    } catch {
      return (wasLive, nil)
    }
    return (wasLive, nil)
  }

  /// Requests a sync without waiting for it, because rows keep arriving while it runs.
  private func requestSync() {
    Task { [sync] in _ = await sync() }
  }

  private func nextSuccess() async {
    for await status in await engine.statuses() where status.failure == nil { return }
  }
}

extension ServiceFailure {
  fileprivate var isUnauthorized: Bool { if case .unauthorized = self { true } else { false } }
}
