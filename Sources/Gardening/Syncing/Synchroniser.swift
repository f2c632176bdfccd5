import GardenStore
import Observation
import Sync
import Transport

/// The account and its sync as the window and the command line see them.
@MainActor
@Observable
public final class Synchroniser {
  /// Where the garden is kept.
  public enum Standing: Sendable, Equatable {
    /// On this computer only.
    case local
    case signedIn
    /// The server has ended the session; the garden stays usable.
    case signedOut
  }

  /// Whose garden this is; `nil` for the one of this computer.
  public let current: SignedInAccount?
  public private(set) var status = SyncStatus()
  /// The address of the user, once the keyring has told it.
  public internal(set) var email: String?
  /// What keeps the keyring from being used.
  public private(set) var vaultProblem: VaultFailure?
  /// Grows with every change of what is above, so that whoever watches it hears of all.
  public private(set) var revision = 0

  /// Called when somebody has signed in, with the session, or out: another garden is to be opened.
  @ObservationIgnored public var onAccountChange: ((SignIn.Outcome?) -> Void)?

  @ObservationIgnored let gardener: Gardener
  @ObservationIgnored let settings: Settings
  @ObservationIgnored let connections: Connections
  /// What was just signed in, and is perhaps in no keyring.
  @ObservationIgnored private let fresh: SignIn.Outcome?
  /// A session that is in no keyring is of no use: the program ends with its command.
  @ObservationIgnored let needsVault: Bool
  @ObservationIgnored private var opening: Task<Parts, any Error>?
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private var listening: Task<Void, Never>?
  @ObservationIgnored private var hasAskedForEmail = false
  /// The garden is about to leave this computer; what the engine says of it needs no answer.
  @ObservationIgnored var isSigningOut = false
  /// What came while `isPartway` is not in the garden yet.
  @ObservationIgnored private var isBehind = false
  /// Has the garden take in what came.
  @ObservationIgnored var takeIn: @MainActor () async throws -> Void
  /// Where that failed: the next try, and the pauses between tries.
  @ObservationIgnored private var again: Task<Void, Never>?
  @ObservationIgnored private var backoff = Backoff()

  /// What does the work for one account.
  struct Parts {
    let engine: SyncEngine
    let scheduler: SyncScheduler
  }

  /// - Parameters:
  ///   - fresh: what was just signed in; `nil` if the keyring is to be asked.
  ///   - needsVault: nobody signs in whose session the keyring does not take, in place of staying so for this run.
  public init(
    _ gardener: Gardener, current: SignedInAccount?, settings: Settings, fresh: SignIn.Outcome? = nil,
    needsVault: Bool = false, connections: Connections = .system
  ) {
    self.gardener = gardener
    self.current = current
    self.settings = settings
    self.fresh = fresh
    self.needsVault = needsVault
    self.connections = connections
    takeIn = { try await gardener.catchUp() }
    // The first sync follows the first frame: until it is done nobody knows whether all is well.
    if current != nil {
      let isNew = fresh != nil && gardener.garden.eventCount == 0
      status.phase = isNew || gardener.isPartial ? .loading : .syncing
    }
    email = fresh?.session.email
    vaultProblem = fresh?.vaultProblem
  }

  public var account: Account? { current?.account }

  /// The session is in no keyring, and ends with the program.
  public var isForThisRunOnly: Bool { fresh?.vaultProblem != nil }

  /// The first download runs: what is here is only a part of the garden.
  public var isLoading: Bool { status.phase == .loading }

  /// Many rows come, the first download or what others wrote for months: the garden is to show them when all are here.
  public var isPartway: Bool { isLoading || status.isPartway }

  public var standing: Standing {
    guard account != nil else { return .local }
    return status.phase == .signedOut ? .signedOut : .signedIn
  }
}

// MARK: - Running

extension Synchroniser {
  /// Begins to sync, and goes on by itself until `stop`. Call it when the first frame is painted.
  public func start() {
    guard account != nil, following == nil else { return }
    following = Task { [weak self] in
      do {
        guard let parts = try await self?.parts() else { return }
        self?.listen(to: parts.scheduler)
        let statuses = await parts.engine.statuses()
        // It returns when the first sync has ended, and that is to be seen too.
        Task { await parts.scheduler.start() }
        for await status in statuses {
          await self?.take(status, parts.engine)
        }
      } catch {
        self?.failed(error)
      }
    }
  }

  /// Ends syncing; what waits is sent by the next run.
  public func stop() async {
    for task in [following, listening, again] { task?.cancel() }
    (following, listening) = (nil, nil)
    if let parts = try? await opening?.value { await parts.scheduler.stop() }
  }

  /// Sends what waits before the program ends, also what could still be taken back. What can't be sent, or not in so
  /// many seconds, waits for the next run. Who cancels the task is not kept waiting.
  public func sendLast(within seconds: Int64) async {
    // Where it could not be opened, it was said already, and there is nothing that could send.
    guard following != nil, standing == .signedIn, status.phase != .offline, !Task.isCancelled, let opening,
      let engine = try? await opening.value.engine
    else { return }
    let clock = connections.clock
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let limit = Task {
      // Cancelled when all is sent: the end has come either way.
      try? await clock.sleep(until: clock.uptime + seconds * 1000)
      end.finish()
    }
    Task {
      await engine.sendAll()
      end.finish()
    }
    for await _ in ends {}
    limit.cancel()
  }

  /// The window has become the one that the user works with.
  public func gainedFocus() { tell { await $0.gainedFocus() } }

  /// Something of the window can be seen, or nothing.
  public func visibilityChanged(isVisible: Bool) { tell { await $0.visibilityChanged(isVisible: isVisible) } }

  /// Tells what happens once syncing has begun: before, nobody has to know.
  private func tell(_ happening: @escaping @Sendable (SyncScheduler) async -> Void) {
    guard following != nil, let opening else { return }
    // Where it could not be opened, it was said already.
    Task { if let parts = try? await opening.value { await happening(parts.scheduler) } }
  }

  /// Syncs now, whatever waits.
  @discardableResult
  public func syncNow() async throws -> SyncReport {
    guard let parts = try await parts() else { throw SyncingError.noAccount }
    return await parts.scheduler.syncNow()
  }

  /// Fetches all rows of the server again.
  @discardableResult
  public func downloadEverything() async throws -> SyncReport {
    guard let parts = try await parts() else { throw SyncingError.noAccount }
    return await parts.scheduler.redownload()
  }

  /// Decides about a remote loss, and syncs accordingly.
  public func answer(_ answer: RemoteLoss.Answer) async throws { _ = try await parts()?.scheduler.answer(answer) }

  /// Passes on what the network and the power do.
  private func listen(to scheduler: SyncScheduler) {
    let wakes = connections.wakes
    listening = Task {
      for await wake in await wakes() {
        switch wake {
        case .network(let isAvailable): await scheduler.networkChanged(isAvailable: isAvailable)
        case .resumed: await scheduler.resumed()
        }
      }
    }
  }

  /// The server of the account; its key may have been changed in the preferences since.
  private func configuration() throws -> ServerConfiguration? {
    let named = try ServerConfiguration.current(settings)
    guard let current else { return named }
    return named?.url == current.configuration.url ? named : current.configuration
  }

  /// The engine with a connection of its own to the garden's file, so that a long download does not hold up the garden.
  func parts() async throws -> Parts? {
    guard let current else { return nil }
    if let opening { return try await opening.value }
    let (gardener, connections, fresh) = (gardener, connections, fresh)
    let configuration = try configuration() ?? current.configuration
    let task = Task {
      let store = try await GardenStore.open(folder: gardener.store.folder)
      try await store.bind(to: current.account.server)
      let service = connections.service(configuration)
      // What no keyring can take lasts as long as the program runs.
      let isHomeless = fresh?.vaultProblem != nil
      let vault: any SessionVault = if let fresh, isHomeless { MemoryVault(fresh.session) } else { connections.vault }
      let keeper = SessionKeeper(
        account: current.account, folder: store.folder, vault: vault, service: service, clock: connections.clock)
      if let fresh { await keeper.resume(fresh.session, profile: fresh.profile) }
      let engine = SyncEngine(
        store: store, service: service, profiles: service, keeper: keeper, clock: connections.clock,
        backUp: { _ = try await gardener.backUp(secondFolder: nil) }, log: connections.log)
      return Parts(
        engine: engine, scheduler: SyncScheduler(engine: engine, live: service, clock: connections.clock))
    }
    opening = task
    return try await task.value
  }

  private func take(_ new: SyncStatus, _ engine: SyncEngine) async {
    var new = new
    if new.lastAttempt == nil, new.phase != .signedOut { new.phase = status.phase }
    if isSigningOut { return }
    if new.phase == .signedOut, isSignedOutElsewhere() {
      isSigningOut = true
      await leave(engine)
      onAccountChange?(nil)
      return
    }
    if isPartway { isBehind = true }
    if isBehind, new.phase != .loading, !new.isPartway {
      // First the garden, then the word that it is here.
      do {
        try await takeIn()
        isBehind = false
        backoff.reset()
      } catch {
        if let error = error as? StoreError {
          (new.phase, new.failure) = (.offline, .store(error))
        } else {
          new.phase = status.phase
        }
        tryAgain(engine)
      }
    }
    var problem = await engine.keeper.vaultProblem
    if case .vault(let failure) = new.failure { problem = failure }
    if let fresh, problem == nil { problem = fresh.vaultProblem }
    if email == nil, new.lastSuccess != nil { askForEmail() }
    guard new != status || problem != vaultProblem else { return }
    status = new
    vaultProblem = problem
    revision += 1
  }

  /// Has the engine say soon once more where it stands: by itself it may have nothing to say for an hour.
  private func tryAgain(_ engine: SyncEngine) {
    let clock = connections.clock
    let due = clock.uptime + backoff.next(random: 0)
    again?.cancel()
    again = Task {
      do { try await clock.sleep(until: due) } catch { return }
      await engine.refreshFigures()
    }
  }

  /// Asks the keyring once who it is; it may take its time.
  private func askForEmail() {
    guard let account, !hasAskedForEmail else { return }
    hasAskedForEmail = true
    Task {
      email = try? await connections.vault.session(of: account)?.email
      revision += 1
    }
  }

  /// The command line has signed out meanwhile: this garden has left the computer.
  private func isSignedOutElsewhere() -> Bool {
    // A file that can't be read says nothing.
    do { return try CurrentAccount().load()?.account != account } catch { return false }
  }

  private func failed(_ error: any Error) {
    status.phase = .offline
    if let error = error as? StoreError { status.failure = .store(error) }
    revision += 1
  }
}
