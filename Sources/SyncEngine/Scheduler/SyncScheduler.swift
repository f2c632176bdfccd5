import EventStore
import TrunkModel

/// Decides when to sync, from what happens in the program, the desktop and the outbox.
///
/// Nothing is fetched while the window is hidden. Unsent events are retried after increasing pauses.
public actor SyncScheduler {
  /// The shortest time in milliseconds between syncs caused by focus, which changes more often than the server's rows.
  private static let focusInterval: Int64 = 30_000
  /// How long to wait, in milliseconds, after a network change: a starting network is reported several times.
  private static let networkDelay: Int64 = 2000
  /// The maximum number of attempts per hour caused by writing while the server can't be reached. With the timer's four
  /// attempts this makes twelve.
  private static let attemptsWhileWriting = 8
  /// How long a hidden window keeps its live connection, in milliseconds.
  private static let hiddenTimeout: Int64 = 300_000

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
  /// The `uptime` at the start of each attempt in the last hour, and of the last attempt.
  private var attempts: [Int64] = []
  /// The number of sendable events after the last failed attempt.
  private var sendableBefore = 0
  private var hasFailed = false
  /// The `uptime` of the next attempt after a failed one.
  private var retryAt: Int64?
  private var isVisible = false
  private var isStopped = false
  private var timer: Task<Void, Never>?
  private var hideTimer: Task<Void, Never>?
  private var networkTimer: Task<Void, Never>?
  private var storeWatch: Task<Void, Never>?

  /// - Parameter random: 0 ..< 1, to vary the pauses.
  public init(
    engine: SyncEngine, live: any LiveService, clock: any SyncClock,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.engine = engine
    self.live = live
    self.clock = clock
    self.random = random
  }

  // MARK: Triggers

  /// Call it after the window has drawn the garden. Until `stop`, other programs' writes to the store cause syncs too.
  public func start() async {
    guard !isStopped else { return }
    isVisible = true
    await engine.refreshFigures()
    // If this fails, the next attempt sends what other programs wrote.
    let changes = try? await engine.store.changes()
    guard !isStopped else { return }
    if let changes { storeWatch = Task { [weak self] in for await _ in changes { await self?.wrote() } } }
    await attempt()
  }

  /// Call it when the window gains focus.
  public func gainedFocus() async {
    let status = await engine.refreshFigures()
    let isUrgent = (status.sendable > 0 || status.hasProfileToSend) && !hasFailed
    guard isUrgent || sinceLastAttempt >= SyncScheduler.focusInterval else { return }
    await attempt()
  }

  /// Called after every write through another connection, including the garden's own.
  public func wrote() async {
    let status = await engine.refreshFigures()
    guard !isStopped else { return }
    let isUrgent = hasFailed ? mayTryAgain(status) : status.sendable > 0 || status.hasProfileToSend
    if isUrgent { await attempt() } else { await setTimer() }
  }

  /// Whether a write may cause an attempt while the server can't be reached: only a new event, not too soon after the
  /// last attempt, and a few times an hour.
  private func mayTryAgain(_ status: SyncStatus) -> Bool {
    let hour = attempts.count { clock.uptime - $0 < 3_600_000 }
    return status.sendable > sendableBefore && sinceLastAttempt >= SyncScheduler.focusInterval
      && hour < SyncScheduler.attemptsWhileWriting
  }

  /// Syncs because the user asked for it.
  @discardableResult
  public func sync(_ request: SyncRequest) async -> SyncReport { await attempt(request) }

  /// Deletes everything, on the server and here, then syncs.
  /// - Parameter folder: the folder of this account's copies.
  @discardableResult
  public func deleteEverywhere(
    keepingCopyIn folder: String
  ) async throws(SyncProblem) -> (report: SyncReport, copy: VerifiedCopy) {
    let copy: VerifiedCopy
    do throws(SyncProblem) { copy = try await engine.deleteEverywhere(keepingCopyIn: folder) } catch {
      // Attempts during the deletion failed, because the engine was closed.
      await setTimer()
      throw error
    }
    return (await attempt(), copy)
  }

  public func networkChanged(isAvailable: Bool) async {
    networkTimer?.cancel()
    networkTimer = nil
    await engine.networkChanged(isAvailable: isAvailable)
    guard isAvailable, !isStopped else { return }
    let end = clock.uptime + SyncScheduler.networkDelay
    networkTimer?.cancel()
    networkTimer = Task { [weak self, clock] in
      do { try await clock.sleep(until: end) } catch { return }
      await self?.conditionsChanged()
    }
  }

  /// Call it when the computer has woken up.
  public func resumed() async { await conditionsChanged() }

  /// Call it when the window was shown, hidden, covered or minimised.
  public func visibilityChanged(isVisible: Bool) async {
    guard isVisible != self.isVisible, !isStopped else { return }
    self.isVisible = isVisible
    hideTimer?.cancel()
    if isVisible {
      if !hasFailed, !attempts.isEmpty { await link.retry() }
    } else {
      let end = clock.uptime + SyncScheduler.hiddenTimeout
      hideTimer = Task { [weak self, clock] in
        do { try await clock.sleep(until: end) } catch { return }
        await self?.stopListening()
      }
    }
    await setTimer()
  }

  /// Ends all automatic work permanently. Call it before the garden is closed or the program ends. A running sync sends
  /// no further request, and a running renewal of the session is awaited.
  public func stop() async {
    isStopped = true
    for task in [timer, hideTimer, storeWatch, networkTimer] { task?.cancel() }
    await link.stop()
    await engine.keeper.close()
  }
}

extension SyncScheduler {
  private var sinceLastAttempt: Int64 { attempts.last.map { clock.uptime - $0 } ?? .max }

  @discardableResult
  private func attempt(_ request: SyncRequest = .automatic) async -> SyncReport {
    attempts.removeAll { clock.uptime - $0 >= 3_600_000 }
    attempts.append(clock.uptime)
    let report = await engine.sync(request)
    await scheduleNext(after: report)
    return report
  }

  private func conditionsChanged() async {
    guard !isStopped else { return }
    backoff.reset()
    await link.restart()
    guard !isStopped else { return }
    if isVisible { await attempt() } else { await setTimer() }
  }

  private func scheduleNext(after report: SyncReport) async {
    hasFailed = report.problem != nil
    if !hasFailed {
      backoff.reset()
      if isVisible, !isStopped { await link.start() }
    }
    await setTimer(after: report.problem)
  }

  /// Sets the time of the next attempt: after a pause if the last one failed, or when unsent events may be sent.
  private func setTimer(after problem: SyncProblem? = nil) async {
    let status = await engine.status
    if problem != nil { sendableBefore = status.sendable }
    timer?.cancel()
    timer = nil
    guard !isStopped, status.phase != .signedOut else { return }
    var due: Int64?
    if hasFailed, isVisible || status.pending > 0 || status.hasProfileToSend {
      if let problem {
        if !problem.isTransient { backoff.last() }
        let pause = backoff.next(random: random())
        retryAt = clock.uptime + max(pause, min(problem.retryAfter ?? 0, 3600) * 1000)
      }
      due = retryAt
    } else if status.sendable > 0 {
      due = clock.uptime + backoff.next(random: random())
    } else if let end = status.nextUndoWindowEnd {
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
