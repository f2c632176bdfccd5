import GardenStore

/// Holds a live connection while it is wanted, so that what other devices write is here at once.
///
/// It is only a hint: rows that were stored while there was no connection are not repeated. So a sync follows whenever
/// the connection has become live, or was and is no more.
actor LiveLink {
  /// A connection that lasted for so many milliseconds was a good one.
  private static let lastingTime: Int64 = 60_000

  private let engine: SyncEngine
  private let service: any LiveService
  private let clock: any SyncClock
  private let random: @Sendable () -> Double
  private let sync: @Sendable () async -> SyncReport
  private var task: Task<Void, Never>?
  /// Something is wrong that no waiting mends.
  private var isGivenUp = false

  /// - Parameter sync: asks for one.
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

  /// Connects, unless that is known not to work.
  func start() {
    guard task == nil, !isGivenUp else { return }
    task = Task { await run() }
  }

  /// Connects also where that was given up: something has changed.
  func startAnew() {
    isGivenUp = false
    start()
  }

  func stop() {
    task?.cancel()
    task = nil
  }

  /// Replaces the connection: after the computer slept, one may be dead and not know it.
  func restart() {
    guard task != nil || isGivenUp else { return }
    stop()
    startAnew()
  }

  private func run() async {
    var backoff = Backoff()
    var mayRenew = true
    while !Task.isCancelled, await engine.keeper.ended == nil {
      let began = clock.uptime
      let (wasLive, failure) = await listen(mayRenew: mayRenew)
      guard !Task.isCancelled else { return }
      // One that breaks as soon as it is live is no better than none.
      if wasLive, clock.uptime - began >= LiveLink.lastingTime {
        backoff.reset()
        mayRenew = true
      } else if failure?.isUnauthorized ?? false {
        mayRenew = false
      }
      var retryAfter: Int64 = 0
      switch failure {
      case .misconfigured, .refused: isGivenUp = true
      case .unavailable(_, _, let seconds): retryAfter = seconds ?? 0
      default: break
      }
      if wasLive { _ = await sync() }
      guard !isGivenUp else { break }
      // Where nothing answers, syncing tries with its own patience, and this connection waits until it has succeeded.
      if await engine.status.failure != nil { await nextSuccess() }
      let pause = max(backoff.next(random: random()), min(retryAfter, 3600) * 1000)
      do { try await clock.sleep(until: clock.uptime + pause) } catch { return }
    }
    // Another one may have begun if this one was cancelled.
    if !Task.isCancelled { task = nil }
  }

  /// One connection from its beginning to its end.
  /// - Parameter mayRenew: whether a token that the service does not accept is renewed.
  /// - Returns: whether it was live, and why it ended; `nil` where a sync will say that.
  private func listen(mayRenew: Bool) async -> (wasLive: Bool, failure: ServiceFailure?) {
    var wasLive = false
    do {
      let token = try await engine.keeper.token()
      do {
        for try await signal in service.listen(token: token, renewals: await engine.keeper.renewals()) {
          switch signal {
          case .isLive:
            wasLive = true
            ask()
          case .row(let row): await engine.receive(row)
          case .somethingChanged: ask()
          }
        }
      } catch let failure as ServiceFailure {
        // Each renewal uses up a token: a service that accepts none must not make for one with every attempt.
        if failure.isUnauthorized, mayRenew { _ = try await engine.keeper.renewed(insteadOf: token) }
        return (wasLive, failure)
      }
    } catch {
      return (wasLive, nil)
    }
    return (wasLive, nil)
  }

  /// Does not wait: rows go on coming while a sync runs.
  private func ask() {
    Task { [sync] in _ = await sync() }
  }

  private func nextSuccess() async {
    for await status in await engine.statuses() where status.failure == nil { return }
  }
}

extension ServiceFailure {
  fileprivate var isUnauthorized: Bool { if case .unauthorized = self { true } else { false } }
}
