import Garden
import GardenStore

/// Brings the log of one account and the server's table together.
///
/// Whoever wants a sync asks for one; the engine never begins by itself, see `SyncScheduler`. One runs at a time; who
/// asks while one runs gets that one, or one more if it would have come too late.
public actor SyncEngine {
  public nonisolated let store: GardenStore
  public nonisolated let keeper: SessionKeeper
  nonisolated let service: any EventService
  nonisolated let profiles: (any ProfileService)?
  nonisolated let clock: any SyncClock
  nonisolated let backUp: @Sendable () async throws -> Void
  private nonisolated let log: @Sendable (String) -> Void

  public internal(set) var status = SyncStatus()
  var listeners: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
  var listenerCount = 0
  var isRunning = false
  /// The last sync has failed, and the one that runs has begun by itself: nobody is told of it before the service
  /// answers. Where none does, it would look busy for most of the time.
  var isQuiet = false
  var isFirst = false
  var isSignedOut = false
  var hasNetwork = true
  /// Sending did not work the last time, and fetching may.
  private var fetchesFirst = false
  /// How often the garden had been cleared when rows were last asked for.
  var clears: Int64?
  /// What is here goes away: no sync may bring it back.
  var isClosed = false

  private var current: Run?
  private var next: Run?
  var oversized = Oversized()
  /// How many rows the server had when an upload began before the first download, and what was sent since.
  var rowsBeforeDownload: Int?
  var profile = ProfileProgress()

  /// One sync that runs or will.
  private struct Run {
    var demand: Demand
    /// Somebody asked since the outbox was last looked at.
    var isAskedFor = false
    var hasBegunPull = false
    let task: Task<SyncReport, Never>
  }

  /// What a sync is to do besides what is always done.
  struct Demand: Sendable {
    /// What to do about a remote loss.
    enum Loss: Int, Sendable {
      case record, follow, keep
    }

    var isFull = false
    /// Nothing is fetched: that could remove what is to be compared with the server.
    var isSendOnly = false
    /// Somebody sits there and waits for it.
    var isWished = false
    var loss = Loss.record

    mutating func add(_ other: Demand) {
      isFull = isFull || other.isFull
      isSendOnly = isSendOnly && other.isSendOnly
      isWished = isWished || other.isWished
      if other.loss.rawValue > loss.rawValue { loss = other.loss }
    }
  }

  /// - Parameters:
  ///   - store: of the account of `keeper`. A connection of its own keeps long downloads from holding up the garden.
  ///   - profiles: `nil` where the account's profile is of no concern.
  ///   - backUp: writes a backup file; called before much would be taken away.
  ///   - log: gets one line for each sync: figures and codes, nothing that somebody wrote.
  public init(
    store: GardenStore, service: any EventService, profiles: (any ProfileService)? = nil, keeper: SessionKeeper,
    clock: any SyncClock, backUp: @escaping @Sendable () async throws -> Void, log: @escaping @Sendable (String) -> Void
  ) {
    self.store = store
    self.service = service
    self.profiles = profiles
    self.keeper = keeper
    self.clock = clock
    self.backUp = backUp
    self.log = log
  }

  // MARK: Asking for a sync

  /// Sends what waits and fetches what is new. It always ends, and what went wrong is in the report and the status.
  /// - Parameter isWished: the user asks for it, and is shown that it runs.
  @discardableResult
  public func sync(isWished: Bool = false) async -> SyncReport { await sync(Demand(isWished: isWished)) }

  /// Sends what waits, and fetches nothing.
  @discardableResult
  func send() async -> SyncReport { await sync(Demand(isSendOnly: true, isWished: true)) }

  /// The same, with all rows of the server instead of the new ones.
  @discardableResult
  public func redownload() async -> SyncReport { await sync(Demand(isFull: true, isWished: true)) }

  /// Decides about the remote loss that is recorded. It stays recorded until the decision has been carried out.
  /// - Returns: the report of the sync that carried it out; `nil` if there was nothing to do.
  @discardableResult
  public func answer(_ answer: RemoteLoss.Answer) async -> SyncReport? {
    // Another program may have found it, or decided.
    guard await refreshFigures().remoteLoss != nil else { return nil }
    switch answer {
    case .notNow:
      status.isRemoteLossDeferred = true
      publish()
      return nil
    case .followServer: return await sync(Demand(isFull: true, isWished: true, loss: .follow))
    case .keepMine:
      let report = await sync(Demand(isFull: true, isWished: true, loss: .keep))
      // What the server lacks has become unsent.
      return report.problem == nil ? await sync() : report
    }
  }

  @discardableResult
  func sync(_ demand: Demand) async -> SyncReport {
    guard !isClosed else {
      var report = SyncReport(mode: .incremental)
      report.problem = .service(.cancelled)
      return report
    }
    guard let running = current else {
      let task = Task { await self.perform() }
      current = Run(demand: demand, task: task)
      return await task.value
    }
    if demand.isWished, isQuiet { becomeVisible() }
    if !running.hasBegunPull {
      current?.demand.add(demand)
      current?.isAskedFor = true
      return await running.task.value
    }
    if let waiting = next {
      next?.demand.add(demand)
      return await waiting.task.value
    }
    let task = Task {
      let report = await running.task.value
      return report.isUnanswered ? report : await self.perform()
    }
    next = Run(demand: demand, task: task)
    return await task.value
  }

  // MARK: Live rows

  /// Takes in a row of which a live connection told.
  public func receive(_ row: ServerRow) async {
    guard !isClosed else { return }
    do throws(StoreError) {
      // The place up to which the server was read stays: rows before this one may not have come.
      _ = try await store.merge([row], unlessClearedSince: clears)
      try await readFigures()
    } catch {
      // Of a garden that somebody has just removed, there is nothing to tell.
      if error != .cleared { status.failure = .store(error) }
    }
    publish()
  }
}

// MARK: - One sync

extension SyncEngine {
  private func perform() async -> SyncReport {
    let began = clock.uptime
    var report = SyncReport(mode: .incremental)
    if let code = await keeper.ended {
      // Nothing is tried: only signing in ends this.
      isSignedOut = true
      report.problem = .service(.sessionEnded(code: code))
      status.failure = report.problem
      await refreshFigures()
      advance(after: report)
      return report
    }
    isSignedOut = false
    let start = clock.now
    do throws(SyncProblem) {
      // Before anybody sees that it runs: what is shown depends on it.
      isFirst = try await inStore { store throws(StoreError) in try await SyncEngine.beginsFirst(in: store) }
      isRunning = true
      isQuiet = status.failure != nil && !(current?.demand.isWished ?? false)
      status.lastAttempt = start
      status.fetched = 0
      publish()
      _ = try await keeper.token()
      try await exchange(&report)
      await exchangeProfile()
      if isFirst { try await inStore { store throws(StoreError) in try await store.set(nil, for: .firstSync) } }
      isFirst = false
      try await inStore { [now = clock.now] store throws(StoreError) in try await store.noteCheck(at: now) }
      status.lastSuccess = clock.now
      status.consecutiveFailures = 0
      status.failure = nil
      hasNetwork = true
    } catch {
      report.problem = error
      status.lastAttempt = start
      status.consecutiveFailures += 1
      status.failure = error
    }
    do throws(StoreError) { try await readFigures() } catch { status.failure = .store(error) }
    isSignedOut = await keeper.ended != nil
    log(
      "sync mode=\(report.mode.rawValue) fetched=\(report.fetched) pushed=\(report.pushed) pending=\(status.pending) "
        + "ms=\(clock.uptime - began) error=\(report.problem?.code ?? "none")")
    advance(after: report)
    return report
  }

  /// Whether nothing came from the server yet, or only a part before the first sync broke off.
  private static func beginsFirst(in store: GardenStore) async throws(StoreError) -> Bool {
    if try await store.value(.firstSync) != nil { return true }
    if try await store.hasValidCache() { return false }
    guard try await store.confirmedCount() == 0 else { return false }
    try await store.set("begun", for: .firstSync)
    return true
  }

  /// Ends this sync. Nothing else runs meanwhile: who asks from now on gets one that begins after it. A service that
  /// gave no answer is not asked again for those who came late: they get the same report, and the scheduler tries later.
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

  /// Sends and fetches. What fails first ends it: a server that is down is asked once. The next time begins with the
  /// other, so that each goes on where only one of them works.
  private func exchange(_ report: inout SyncReport) async throws(SyncProblem) {
    if current?.demand.isSendOnly ?? false { return try await push(&report) }
    // Who asks for everything anew wants it also where sending does not work.
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

  /// For tests: whether another sync follows, and whether somebody has joined the one that runs.
  var hasNext: Bool { next != nil }
  var isAskedFor: Bool { current?.isAskedFor ?? false }

  /// Waits until no sync runs or waits.
  func finishRunning() async {
    while let task = (next ?? current)?.task { _ = await task.value }
  }

  /// What this sync is to do; asks that come after this get another one.
  func beginPull() -> Demand {
    current?.hasBegunPull = true
    return current?.demand ?? Demand()
  }

  /// Whether somebody asked since the last call: what he wrote may not be in the batch that was read.
  func takeAsking() -> Bool {
    defer { current?.isAskedFor = false }
    return current?.isAskedFor ?? false
  }
}
