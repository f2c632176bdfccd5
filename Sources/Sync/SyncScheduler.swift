import Garden
import GardenStore

/// Decides when to sync: it is told what happens, and knows what waits.
///
/// Nothing is fetched while the window is hidden. What waits to be sent is tried again after ever longer pauses.
public actor SyncScheduler {
  /// The window gains focus more often than there is something new.
  private static let focusInterval: Int64 = 30_000
  /// While the network comes up, it is reported several times.
  private static let networkPatience: Int64 = 2000
  /// So many attempts an hour may come of writing while the server can't be reached; with those of the timer, which are
  /// four an hour by then, they are twelve.
  private static let attemptsWhileWriting = 8
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
  /// The `uptime` at the beginning of each attempt of the last hour, and of the last one.
  private var attempts: [Int64] = []
  /// How many events could be sent when the last attempt had ended.
  private var sendableBefore = 0
  private var hasFailed = false
  /// The `uptime` of the next attempt after a failed one.
  private var retryAt: Int64?
  private var isVisible = false
  private var isStopped = false
  private var timer: Task<Void, Never>?
  private var hiding: Task<Void, Never>?
  private var settling: Task<Void, Never>?
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
    guard !isStopped else { return }
    isVisible = true
    await engine.refreshFigures()
    let changes = try? await engine.store.changes()
    guard !isStopped else { return }
    if let changes { watching = Task { [weak self] in for await _ in changes { await self?.wrote() } } }
    await attempt()
  }

  /// The window is the one that the user works with.
  public func gainedFocus() async {
    let status = await engine.refreshFigures()
    let isUrgent = (status.sendable > 0 || status.hasProfileToSend) && !hasFailed
    guard isUrgent || sinceLastAttempt >= SyncScheduler.focusInterval else { return }
    await attempt()
  }

  /// Something was written, to the log or a draft. Called by itself for other connections than the engine's.
  public func wrote() async {
    let status = await engine.refreshFigures()
    guard !isStopped else { return }
    let isUrgent = hasFailed ? mayTryAgain(status) : status.sendable > 0 || status.hasProfileToSend
    if isUrgent { await attempt() } else { await setTimer() }
  }

  /// While the server can't be reached, writing on must not make for a request with each entry, nor with each letter of
  /// a draft.
  private func mayTryAgain(_ status: SyncStatus) -> Bool {
    let hour = attempts.count { clock.uptime - $0 < 3_600_000 }
    return status.sendable > sendableBefore && sinceLastAttempt >= SyncScheduler.focusInterval
      && hour < SyncScheduler.attemptsWhileWriting
  }

  /// The user asks for it.
  @discardableResult
  public func syncNow() async -> SyncReport { await attempt(isWished: true) }

  /// The user asks for everything anew.
  @discardableResult
  public func redownload() async -> SyncReport {
    let report = await engine.redownload()
    await settle(report)
    return report
  }

  /// Decides about the remote loss in the status of the engine.
  public func answer(_ answer: RemoteLoss.Answer) async {
    if let report = await engine.answer(answer) { await settle(report) }
  }

  /// Deletes everything, on the server and here, and syncs.
  /// - Parameter folder: where the copies of this account are kept.
  @discardableResult
  public func resetEverywhere(
    keepingCopyIn folder: String
  ) async throws(SyncProblem) -> (report: SyncReport, copy: VerifiedCopy) {
    let copy: VerifiedCopy
    do throws(SyncProblem) { copy = try await engine.resetEverywhere(keepingCopyIn: folder) } catch {
      // Attempts that came meanwhile were turned away.
      await setTimer()
      throw error
    }
    return (await attempt(), copy)
  }

  public func networkChanged(isAvailable: Bool) async {
    settling?.cancel()
    settling = nil
    await engine.networkChanged(isAvailable: isAvailable)
    guard isAvailable, !isStopped else { return }
    let end = clock.uptime + SyncScheduler.networkPatience
    settling?.cancel()
    settling = Task { [weak self, clock] in
      do { try await clock.sleep(until: end) } catch { return }
      await self?.begunAnew()
    }
  }

  /// The computer has woken up.
  public func resumed() async { await begunAnew() }

  /// The window was shown, or hidden, or covered, or minimised.
  public func visibilityChanged(isVisible: Bool) async {
    guard isVisible != self.isVisible, !isStopped else { return }
    self.isVisible = isVisible
    hiding?.cancel()
    if isVisible {
      if !hasFailed, !attempts.isEmpty { await link.startAnew() }
    } else {
      let end = clock.uptime + SyncScheduler.hiddenPatience
      hiding = Task { [weak self, clock] in
        do { try await clock.sleep(until: end) } catch { return }
        await self?.stopListening()
      }
    }
    await setTimer()
  }

  /// Ends everything that goes on by itself, for good: when the garden is left and when the program ends. A sync that runs
  /// sends no other request, and a renewal of the session that has begun is waited for.
  public func stop() async {
    isStopped = true
    for task in [timer, hiding, watching, settling] { task?.cancel() }
    await link.stop()
    await engine.keeper.close()
  }
}

extension SyncScheduler {
  private var sinceLastAttempt: Int64 { attempts.last.map { clock.uptime - $0 } ?? .max }

  @discardableResult
  private func attempt(isWished: Bool = false) async -> SyncReport {
    attempts.removeAll { clock.uptime - $0 >= 3_600_000 }
    attempts.append(clock.uptime)
    let report = await engine.sync(isWished: isWished)
    await settle(report)
    return report
  }

  private func begunAnew() async {
    guard !isStopped else { return }
    backoff.reset()
    await link.restart()
    guard !isStopped else { return }
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
