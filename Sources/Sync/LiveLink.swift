import GardenStore

/// Holds a live connection while it is wanted, so that what other devices write is here at once.
///
/// It is only a hint: rows that were stored while there was no connection are not repeated. So a sync follows whenever
/// the connection has become live.
actor LiveLink {
  /// A connection that lasted for so many milliseconds was a good one.
  private static let lastingTime: Int64 = 60_000

  private let engine: SyncEngine
  private let service: any LiveService
  private let clock: any SyncClock
  private let random: @Sendable () -> Double
  private let sync: @Sendable () async -> SyncReport
  private var task: Task<Void, Never>?

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

  func start() {
    guard task == nil else { return }
    task = Task { await run() }
  }

  func stop() {
    task?.cancel()
    task = nil
  }

  /// Connects anew: after the computer slept, a connection may be dead and not know it.
  func restart() {
    guard task != nil else { return }
    stop()
    start()
  }

  private func run() async {
    var backoff = Backoff()
    while !Task.isCancelled, await engine.keeper.ended == nil {
      let began = clock.uptime
      // One that breaks as soon as it is live is no better than none.
      if await listen(), clock.uptime - began >= LiveLink.lastingTime { backoff.reset() }
      guard !Task.isCancelled else { return }
      // Where nothing answers, syncing tries with its own patience, and this connection waits until it has succeeded.
      if await sync().problem != nil { await nextSuccess() }
      let pause = backoff.next(random: random())
      do { try await clock.sleep(until: clock.uptime + pause) } catch { return }
    }
    // Another one may have begun if this one was cancelled.
    if !Task.isCancelled { task = nil }
  }

  /// One connection from its beginning to its end.
  /// - Returns: whether it was live.
  private func listen() async -> Bool {
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
      } catch ServiceFailure.unauthorized {
        _ = try await engine.keeper.renewed(insteadOf: token)
      }
    } catch {
      // Whatever it was, the next attempt comes after a pause, and a sync that fails says why.
    }
    return wasLive
  }

  /// Does not wait: rows go on coming while a sync runs.
  private func ask() {
    Task { [sync] in _ = await sync() }
  }

  private func nextSuccess() async {
    for await status in await engine.statuses() where status.failure == nil { return }
  }
}
