import EventStore
import Observation
import SyncBackends
import SyncEngine
import TrunkKit

/// The account and its sync as the window and the command line see them.
@MainActor
@Observable
public final class AccountModel {
  /// Where the garden is stored.
  public enum SignInState: Sendable, Equatable {
    /// On this computer only.
    case local
    case signedIn
    /// The server has ended the session; the garden remains usable.
    case signedOut
  }

  /// The garden's account; `nil` for this computer's garden.
  public let current: SignedInAccount?
  public internal(set) var status = SyncStatus()
  /// The user's email address, once it was read from the keyring.
  public internal(set) var email: String?
  /// Why the keyring can't be used.
  public internal(set) var vaultProblem: VaultFailure?
  /// Increases with every change of the properties above, so that observing it is enough.
  public internal(set) var revision = 0

  /// Called after a sign-in, with the session, or after a sign-out, so that the caller opens the other garden.
  @ObservationIgnored public var onAccountChange: ((SignIn.Outcome?) -> Void)?

  /// Called before the garden is copied and removed, to save typed text that isn't on the disk yet. With `closesForms`,
  /// another program has removed the garden, so the forms must be closed.
  @ObservationIgnored public var saveDrafts: @MainActor (_ closesForms: Bool) async throws -> Void = { _ in }

  @ObservationIgnored public let model: GardenModel
  @ObservationIgnored let settings: Settings
  @ObservationIgnored let dependencies: Dependencies
  /// The session that was just signed in. It may be in no keyring.
  @ObservationIgnored let fresh: SignIn.Outcome?
  /// Holds the session as long as no keyring stores it.
  @ObservationIgnored private var waitingVault: WaitingVault?
  /// Where the session is stored.
  @ObservationIgnored let vault: any SessionVault
  /// Whether a session must be stored in the keyring. A command-line program needs that, because it ends with its
  /// command.
  @ObservationIgnored let needsVault: Bool
  @ObservationIgnored var opening: Task<Parts, any Error>?
  @ObservationIgnored var following: Task<Void, Never>?
  @ObservationIgnored private var listening: Task<Void, Never>?
  @ObservationIgnored var hasAskedForEmail = false
  /// Whether the garden is being removed from this computer, or opened with another server. The engine's statuses are
  /// then ignored.
  @ObservationIgnored var isLeaving = false
  /// Whether some rows that arrived during `isGardenIncomplete` are not in the garden yet.
  @ObservationIgnored var needsRefresh = false
  /// Updates the garden with the new rows.
  @ObservationIgnored var refreshGarden: @MainActor () async throws -> Void
  /// The next attempt after `refreshGarden` failed.
  @ObservationIgnored var retry: Task<Void, Never>?
  @ObservationIgnored var backoff = Backoff()

  /// The engine and scheduler of one account.
  struct Parts {
    let engine: SyncEngine
    let scheduler: SyncScheduler
  }

  /// - Parameters:
  ///   - fresh: the session that was just signed in; `nil` to read it from the keyring.
  ///   - needsVault: whether signing in fails if the keyring can't store the session. Otherwise it lasts for this run.
  public init(
    _ model: GardenModel, current: SignedInAccount?, settings: Settings, fresh: SignIn.Outcome? = nil,
    needsVault: Bool = false, dependencies: Dependencies = .system
  ) {
    self.model = model
    self.current = current
    self.settings = settings
    self.fresh = fresh
    self.needsVault = needsVault
    self.dependencies = dependencies
    let waitingVault = fresh.flatMap {
      $0.vaultProblem == nil ? nil : WaitingVault($0.session, for: dependencies.vault)
    }
    self.waitingVault = waitingVault
    vault = waitingVault ?? dependencies.vault
    refreshGarden = { try await model.refresh() }
    // The first sync starts after the first frame. Until it ends, the status isn't known.
    if current != nil {
      let isNew = fresh != nil && model.garden.eventCount == 0
      status.phase = isNew || model.initialSync == .running ? .initialSync : .syncing
    }
    email = fresh?.session.email
    vaultProblem = fresh?.vaultProblem
    model.hasAccount = current != nil
    if current != nil { model.mayRefresh = { [weak self] in await self?.mayRefresh() ?? false } }
  }

  public var account: Account? { current?.account }

  /// Whether the session isn't stored in a keyring, so that it ends with the program.
  public var isForThisRunOnly: Bool { waitingVault != nil }

  /// Whether many rows are arriving, in the initial sync or after months. The garden shows them when all have arrived.
  public var isGardenIncomplete: Bool { status.phase == .initialSync || status.isLargeDownload }

  public var signInState: SignInState {
    guard account != nil else { return .local }
    return status.phase == .signedOut ? .signedOut : .signedIn
  }
}

// MARK: - Running

extension AccountModel {
  /// Starts syncing, until `stop`. Call it after the first frame is painted.
  public func start() {
    guard account != nil, following == nil else { return }
    following = Task { [weak self] in
      guard let parts = await self?.openedParts() else { return }
      self?.listen(to: parts.scheduler)
      let statuses = await parts.engine.statuses()
      // Not awaited: it returns after the first sync, whose statuses must be shown too.
      Task { await parts.scheduler.start() }
      for await status in statuses {
        await self?.handle(status, parts.engine)
      }
    }
  }

  /// Stops syncing. The next run sends what is left in the outbox.
  public func stop() async {
    for task in [following, listening, retry] { task?.cancel() }
    (following, listening) = (nil, nil)
    // An engine that could not be opened needs no stop, and its error was already reported.
    if let parts = try? await opening?.value { await parts.scheduler.stop() }
  }

  /// Sends the outbox before the program ends, including events in their undo window. The next run sends what can't be
  /// sent within the given seconds. Returns immediately if the task is cancelled.
  public func sendLast(within seconds: Int64) async {
    // If the engine could not be opened, that was already reported, and nothing can be sent.
    guard following != nil, signInState == .signedIn, status.phase != .offline, !Task.isCancelled, let opening,
      let engine = try? await opening.value.engine
    else { return }
    await wait(within: seconds) { await engine.sendAll() }
  }

  /// Sends what was just written, for a program that ends with its command, without `start`. What can't be sent within
  /// the given seconds stays in the outbox.
  /// - Throws: why it was not sent.
  public func sendNow(within seconds: Int64) async throws {
    let result = await wait(within: seconds) { [self] in
      do { return Result<Void, any Error>.success(try await sendOnce()) } catch { return .failure(error) }
    }
    guard let result else { throw AccountError.noAnswer(seconds: Int(seconds)) }
    try result.get()
  }

  private func sendOnce() async throws {
    guard let engine = try await parts()?.engine else { throw AccountError.noAccount }
    let before = try await outbox.figures().rejected
    // Before the initial sync is done, sending alone would seem to complete it.
    let report = model.awaitsInitialSync ? await engine.sync() : await engine.send()
    if let problem = report.problem { throw problem }
    // A profile that can't be sent isn't reported with every entry.
    if report.pushed == 0, let problem = await engine.status.profileFailure { throw problem }
    if try await outbox.figures().rejected > before { throw AccountError.rejected }
  }

  /// Fetches what other devices have written, and updates the garden, without `start`. If that isn't complete within
  /// the given seconds, the garden stays as it is.
  public func catchUp(within seconds: Int64) async {
    guard account != nil else { return }
    await wait(within: seconds) { [weak self, model] in
      do {
        if try await self?.sync(.automatic).problem == nil { try await model.refresh() }
      } catch {
        // The garden on this computer is enough, and the next window reports the problem.
        self?.dependencies.log("catch-up error=state")
      }
    }
  }

  /// Waits for work to end, but no longer than the given seconds; then the work continues by itself.
  /// - Returns: the result of the work; `nil` if it takes longer.
  @discardableResult
  func wait<Value: Sendable>(
    within seconds: Int64, for work: @escaping @MainActor () async -> Value
  ) async -> Value? {
    let clock = dependencies.clock
    let (results, result) = AsyncStream.makeStream(of: Value.self)
    let limit = Task {
      // Throws if cancelled because the work has ended; finishing twice is harmless.
      try? await clock.sleep(until: clock.uptime + seconds * 1000)
      result.finish()
    }
    Task {
      result.yield(await work())
      result.finish()
    }
    defer { limit.cancel() }
    for await value in results { return value }
    return nil
  }

  /// Tells the scheduler that the window gained focus.
  public func gainedFocus() { notifyScheduler { await $0.gainedFocus() } }

  /// Tells the scheduler whether any part of the window is visible.
  public func visibilityChanged(isVisible: Bool) {
    notifyScheduler { await $0.visibilityChanged(isVisible: isVisible) }
  }

  /// Passes a trigger to the scheduler; ignored before syncing has started.
  private func notifyScheduler(_ trigger: @escaping @Sendable (SyncScheduler) async -> Void) {
    guard following != nil, let opening else { return }
    // If the engine could not be opened, that was already reported.
    Task { if let parts = try? await opening.value { await trigger(parts.scheduler) } }
  }

  /// Syncs without waiting for the scheduler's timer.
  /// - Throws: an error only if syncing can't begin. A failure of the sync itself is in the report.
  @discardableResult
  public func sync(_ request: SyncRequest = .newRows) async throws -> SyncReport {
    guard let parts = try await parts() else { throw AccountError.noAccount }
    let report = await parts.scheduler.sync(request)
    // Entries that the user has given up are not offered again from a copy.
    if request == .decision(.followServer), try await outbox.figures().remoteLoss == nil {
      try await copyRestore.markAllDecided()
    }
    return report
  }

  /// The user decides about the remote loss later.
  public func deferRemoteLoss() async throws { try await parts()?.engine.deferRemoteLoss() }

  /// Prompts for the keyring's password, or for that of a new keyring if there is none, then syncs.
  public func unlockKeyring() async throws {
    if vaultProblem == .noCollection {
      try await dependencies.vault.create()
    } else {
      try await dependencies.vault.unlock()
    }
    try await storeWaitingSession()
    try await sync()
  }

  private func storeWaitingSession() async throws(VaultFailure) {
    guard let waitingVault else { return }
    try await waitingVault.moveIn()
    self.waitingVault = nil
    vaultProblem = nil
    revision += 1
  }

  /// Passes network changes and wake-ups to the scheduler.
  private func listen(to scheduler: SyncScheduler) {
    let wakes = dependencies.wakes
    listening = Task { [weak self] in
      for await wake in await wakes() {
        switch wake {
        case .network(let isAvailable): await scheduler.networkChanged(isAvailable: isAvailable)
        case .resumed: await scheduler.resumed()
        // If it can't store the session either, the session stays in memory, and the user knows why.
        case .keyring: try? await self?.storeWaitingSession()
        }
      }
    }
  }
}
