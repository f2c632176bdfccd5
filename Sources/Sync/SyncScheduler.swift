import Garden
import GardenStore

/// Decides when to sync: it is told what happens, and knows what waits.
///
/// Nothing is fetched while the window is hidden. What waits to be sent is tried again after ever longer pauses.
public actor SyncScheduler {
  /// The window gains focus more often than there is something new.
  private static let focusInterval: Int64 = 30_000
  /// How long a hidden window keeps its connection.
  private static let hiddenPatience: Int64 = 300_000

  public nonisolated let engine: SyncEngine
  private let clock: any SyncClock
  private let random: @Sendable () -> Double
  private let live: any LiveService
  private lazy var link = LiveLink(
    engine: engine, service: live, clock: clock, random: random,
    sync: { [weak self, engine] in
      guard let self else { return await engine.sync() }
      return await attempt()
    })
  private var backoff = Backoff()
  /// The `uptime` at the beginning of the last attempt.
  private var lastAttempt: Int64?
  private var hasFailed = false
  /// The `uptime` of the next attempt after a failed one.
  private var retryAt: Int64?
  private var isVisible = false
  private var isStopped = false
  private var timer: Task<Void, Never>?
  private var hiding: Task<Void, Never>?
  private var watching: Task<Void, Never>?

  /// - Parameter random: 0 ..< 1, for pauses of different lengths.
  public init(
    engine: SyncEngine, live: any LiveService, clock: any SyncClock,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.engine = engine
    self.live = live
    self.clock = clock
    self.random = random
  }

  // MARK: What happens

  /// The window has drawn the garden. Until `stop`, other programs' writes to the store are noticed too.
  public func start() async {
    isVisible = true
    await engine.refreshFigures()
    if let changes = try? await engine.store.changes() {
      watching = Task { [weak self] in for await _ in changes { await self?.wrote() } }
    }
    await attempt()
  }

  /// The window is the one that the user works with.
  public func gainedFocus() async {
    let status = await engine.refreshFigures()
    let isUrgent = status.sendable > 0 && !hasFailed
    guard isUrgent || sinceLastAttempt >= SyncScheduler.focusInterval else { return }
    await attempt()
  }

  /// Something was written to the log. Called by itself for other connections than the engine's.
  public func wrote() async {
    let status = await engine.refreshFigures()
    // While the server can't be reached, writing on must not make for a request with each entry.
    let isUrgent = !hasFailed || sinceLastAttempt >= SyncScheduler.focusInterval
    if status.sendable > 0, isUrgent, !isStopped { await attempt() } else { await setTimer() }
  }

  /// The user asks for it.
  @discardableResult
  public func syncNow() async -> SyncReport { await attempt() }

  /// The user asks for everything anew.
  @discardableResult
  public func redownload() async -> SyncReport {
    let report = await engine.redownload()
    await settle(report)
    return report
  }

  public func networkChanged(isAvailable: Bool) async {
    await engine.networkChanged(isAvailable: isAvailable)
    if isAvailable { await begunAnew() }
  }

  /// The computer has woken up.
  public func resumed() async { await begunAnew() }

  /// The window was shown, or hidden, or covered, or minimised.
  public func visibilityChanged(isVisible: Bool) async {
    guard isVisible != self.isVisible, !isStopped else { return }
    self.isVisible = isVisible
    hiding?.cancel()
    if isVisible {
      if !hasFailed, lastAttempt != nil { await link.start() }
    } else {
      let end = clock.uptime + SyncScheduler.hiddenPatience
      hiding = Task { [weak self, clock] in
        do { try await clock.sleep(until: end) } catch { return }
        await self?.stopListening()
      }
    }
    await setTimer()
  }

  /// Ends everything that goes on by itself: before signing out and when the program ends.
  public func stop() async {
    isStopped = true
    for task in [timer, hiding, watching] { task?.cancel() }
    await link.stop()
  }
}

extension SyncScheduler {
  private var sinceLastAttempt: Int64 { lastAttempt.map { clock.uptime - $0 } ?? .max }

  @discardableResult
  private func attempt() async -> SyncReport {
    lastAttempt = clock.uptime
    let report = await engine.sync()
    await settle(report)
    return report
  }

  private func begunAnew() async {
    guard !isStopped else { return }
    backoff.reset()
    await link.restart()
    if isVisible { await attempt() } else { await setTimer() }
  }

  private func settle(_ report: SyncReport) async {
    hasFailed = report.problem != nil
    if !hasFailed {
      backoff.reset()
      if isVisible, !isStopped { await link.start() }
    }
    await setTimer(after: report.problem)
  }

  /// Sets the time of the next attempt: after a pause where one has failed, or when what waits may be sent.
  private func setTimer(after problem: SyncProblem? = nil) async {
    let status = await engine.status
    timer?.cancel()
    timer = nil
    guard !isStopped, status.phase != .signedOut else { return }
    var due: Int64?
    if hasFailed, isVisible || status.pending > 0 {
      if let problem {
        if !problem.isTransient { backoff.last() }
        let pause = backoff.next(random: random())
        retryAt = clock.uptime + max(pause, min(problem.retryAfter ?? 0, 3600) * 1000)
      }
      due = retryAt
    } else if status.sendable > 0 {
      due = clock.uptime + backoff.next(random: random())
    } else if let end = status.nextHoldEnd {
      due = clock.uptime + max(end.milliseconds - clock.now.milliseconds, 0)
    }
    guard let due else { return }
    timer = Task { [weak self, clock] in
      do { try await clock.sleep(until: due) } catch { return }
      await self?.attempt()
    }
  }

  private func stopListening() async {
    if !isVisible { await link.stop() }
  }
}
