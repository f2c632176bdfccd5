import EventStore

/// Syncs the log of one account with the server's table.
///
/// The engine syncs only on request; see `SyncScheduler`. One sync runs at a time. A request during a sync joins it, or
/// the next one if it comes too late for the running one.
public actor SyncEngine {
  public nonisolated let store: EventStore
  public nonisolated let keeper: SessionKeeper
  nonisolated let service: any EventService
  nonisolated let profiles: (any ProfileService)?
  nonisolated let clock: any SyncClock
  nonisolated let backUp: @Sendable () async throws -> String
  nonisolated let onMerge: @Sendable () -> Void
  nonisolated let clockDifference: @Sendable () -> ClockDifference?
  nonisolated let log: @Sendable (String) -> Void

  // Each of these values says in its file what changes it.
  var shown = ShownStatus()
  var clearGuard = ClearGuard()
  var runs = SyncRuns()
  var order = ExchangeOrder()
  var batches = BatchLimit()
  var oversized = Oversized()
  var profile = ProfileProgress()

  public var status: SyncStatus { shown.value }

  /// - Parameters:
  ///   - store: the store of the account of `keeper`. Pass a separate connection, so that downloads don't block the
  ///     garden.
  ///   - profiles: `nil` to sync no profile.
  ///   - backUp: writes a backup file and returns its path. Called before events are removed.
  ///   - clockDifference: the difference between the clocks at the service's latest response.
  ///   - onMerge: called after rows of the server were merged into the store.
  ///   - log: receives one line for each sync: figures and codes, no journal text.
  public init(
    store: EventStore, service: any EventService, profiles: (any ProfileService)? = nil, keeper: SessionKeeper,
    clock: any SyncClock, backUp: @escaping @Sendable () async throws -> String,
    clockDifference: @escaping @Sendable () -> ClockDifference? = { nil },
    onMerge: @escaping @Sendable () -> Void = {},
    log: @escaping @Sendable (String) -> Void
  ) {
    self.store = store
    self.service = service
    self.profiles = profiles
    self.keeper = keeper
    self.clock = clock
    self.backUp = backUp
    self.clockDifference = clockDifference
    self.onMerge = onMerge
    self.log = log
  }

  // MARK: Requesting a sync

  /// Sends the outbox and fetches rows. A failure is in the report and the status.
  @discardableResult
  public func sync(_ request: SyncRequest = .automatic) async -> SyncReport {
    switch request {
    case .automatic: return await sync(SyncDemand())
    case .newRows: return await sync(SyncDemand(isUserInitiated: true))
    case .allRows: return await sync(SyncDemand(isFull: true, isUserInitiated: true))
    case .decision(let decision): return await carryOut(decision)
    }
  }

  /// Sends the outbox and a changed profile, and fetches nothing. Use it only after the initial sync.
  @discardableResult
  public func send() async -> SyncReport { await sync(SyncDemand(isSendOnly: true, isUserInitiated: true)) }

  /// The recorded remote loss stays until this has succeeded.
  private func carryOut(_ decision: RemoteLoss.Decision) async -> SyncReport {
    // Another program may have carried out a decision.
    guard await refreshFigures().remoteLoss != nil else { return await sync(.newRows) }
    switch decision {
    case .followServer: return await sync(SyncDemand(isFull: true, isUserInitiated: true, loss: .followServer))
    case .uploadAgain:
      let report = await sync(SyncDemand(isFull: true, isUserInitiated: true, loss: .uploadAgain))
      // The events that the server lacks are now in the outbox.
      return report.problem == nil ? report.followed(by: await sync()) : report
    }
  }

  /// The user decides about the remote loss later. It stays recorded and visible.
  public func deferRemoteLoss() async {
    guard await refreshFigures().remoteLoss != nil else { return }
    shown.deferRemoteLoss()
  }

  private func sync(_ demand: SyncDemand) async -> SyncReport {
    guard !clearGuard.isClosed else {
      var report = SyncReport(mode: .incremental)
      report.problem = .service(.cancelled)
      return report
    }
    if demand.isUserInitiated { shown.show() }
    let work = runs.join(demand) { previous in
      Task {
        if let report = await previous?.value, report.isUnanswered { return report }
        return await self.perform()
      }
    }
    return await work.value
  }

  // MARK: Live rows

  /// Merges a row that a live connection reported.
  /// - Returns: whether that succeeded. If not, a sync has to fetch the row.
  public func receive(_ row: ServerRow) async -> Bool {
    guard !clearGuard.isClosed else { return true }
    defer { shown.publish() }
    do throws(StoreError) {
      // The sync that follows reports that the garden has moved to another server.
      if let bound = try await store.value(.server), bound != keeper.account.server { return false }
      // The cursor stays: rows before this one may not have arrived.
      _ = try await store.merge([row], unlessClearedSince: clearGuard.clears)
      onMerge()
      try await readFigures()
      return true
    } catch .cleared {
      // A garden that was just removed needs no error.
      return true
    } catch {
      shown.set(failure: .store(error))
      return false
    }
  }
}

/// Keeps a sync from bringing back a garden that was cleared, by this program or by another one.
struct ClearGuard {
  /// Whether this program is removing the garden: nothing may sync.
  private(set) var isClosed = false
  /// The garden's clear count when rows were last requested; `nil` if it isn't known. Rows are stored only while the
  /// garden still has this count.
  private(set) var clears: Int64?

  mutating func close() { isClosed = true }

  /// The garden stays, or is to be synced again.
  mutating func reopen() { isClosed = false }

  mutating func requestRows(clears: Int64?) { self.clears = clears }
}
