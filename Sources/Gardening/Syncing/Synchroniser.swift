import Garden
import GardenStore
import Localization
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
  public private(set) var email: String?
  /// What keeps the keyring from being used.
  public private(set) var vaultProblem: VaultFailure?
  /// Grows with every change of what is above, so that whoever watches it hears of all.
  public private(set) var revision = 0

  /// Called when somebody has signed in, with the session, or out: another garden is to be opened.
  @ObservationIgnored public var onAccountChange: ((SignIn.Outcome?) -> Void)?

  @ObservationIgnored let gardener: Gardener
  @ObservationIgnored let settings: Settings
  @ObservationIgnored private let connections: Connections
  /// What was just signed in, and is perhaps in no keyring.
  @ObservationIgnored private let fresh: SignIn.Outcome?
  /// A session that is in no keyring is of no use: the program ends with its command.
  @ObservationIgnored private let needsVault: Bool
  @ObservationIgnored private var opening: Task<Parts, any Error>?
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private var listening: Task<Void, Never>?
  @ObservationIgnored private var hasAskedForEmail = false

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
    // The first sync follows the first frame: until it is done nobody knows whether all is well.
    if current != nil { status.phase = .syncing }
    email = fresh?.session.email
    vaultProblem = fresh?.vaultProblem
  }

  public var account: Account? { current?.account }

  /// The session is in no keyring, and ends with the program.
  public var isForThisRunOnly: Bool { fresh?.vaultProblem != nil }

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
    for task in [following, listening] { task?.cancel() }
    (following, listening) = (nil, nil)
    if let parts = try? await opening?.value { await parts.scheduler.stop() }
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

  public func answer(_ answer: ShrinkQuestion.Answer) async throws { _ = try await parts()?.scheduler.answer(answer) }

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

  /// The engine with a connection of its own to the garden's file, so that a long download does not hold up the garden.
  private func parts() async throws -> Parts? {
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
    if new.lastAttempt == nil, new.phase != .signedOut { new.phase = .syncing }
    if new.phase == .signedOut, isSignedOutElsewhere() {
      onAccountChange?(nil)
      return
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

// MARK: - What waits

/// An entry that the server does not have yet, as people are told about it.
public struct Waiting: Sendable {
  public let event: Event
  public let item: OutboxItem

  /// What came of the last attempt, in plain words where there are some.
  public var answer: String? {
    guard !item.isQuarantined, let code = item.lastCode, ["413", "414"].contains(code) else { return item.lastAnswer }
    return tr("too large for something before the server; Trunk tries again")
  }
}

extension Synchroniser {
  /// What the server does not have yet: first what waits, then what it has refused, each oldest first.
  /// - Parameter limit: how many of each at most; `nil` for all.
  public func outbox(limit: Int? = nil) async throws -> [Waiting] {
    let store = gardener.store
    let items = try await store.outboxItems(limit: limit)
    let events = try await store.events(seqs: items.map(\.seq))
    let bySeq = Dictionary(events.map { ($0.seq, $0.event) }) { first, _ in first }
    return items.compactMap { item in bySeq[item.seq].map { Waiting(event: $0, item: item) } }
  }

  /// How many entries the server does not have yet.
  public func figures() async throws -> SyncFigures { try await gardener.store.syncFigures(now: gardener.clock.now()) }

  /// Sends what the server has refused once more.
  public func retryRefused() async throws {
    try await gardener.store.requeue()
    _ = try await syncNow()
  }

  /// Figures and codes for whoever helps: no journal text, no address, no tokens.
  public func report(outbox: [Waiting]) -> String {
    var lines = [
      "Trunk \(Program.version)", "state \(status.phase)", "pending \(status.pending)",
      "refused \(status.quarantined)", "latest \(status.latest ?? "none")",
      "last try \(status.lastAttempt?.description ?? "none")",
      "last success \(status.lastSuccess?.description ?? "none")", "failures in a row \(status.consecutiveFailures)",
      "problem \(status.failure?.code ?? "none")", "entries \(gardener.garden.eventCount)",
    ]
    lines += outbox.map { waiting in
      let (event, item) = (waiting.event, waiting.item)
      // An event from elsewhere may have anything for its type and id.
      let id = event.instant?.description ?? "no instant"
      return "\(id) \(event.isUnderstood ? event.type : "unknown") \(item.size) bytes \(item.attempts) tries, "
        + "\(item.lastCode ?? "none")\(item.isQuarantined ? ", refused" : "")"
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

// MARK: - Signing in and out

extension Synchroniser {
  /// The way to sign in: at the server that is named now, else at that of the account.
  /// - Returns: `nil` if there is none.
  /// - Throws: `VaultFailure` if the session has to be kept and can't be; a code would be sent in vain.
  public func signIn() async throws -> SignInFlow? {
    guard let configuration = try signInConfiguration() else { return nil }
    // Asks the user for nothing, unless it is locked.
    if needsVault { try await connections.vault.unlock() }
    return SignInFlow(way(configuration))
  }

  private func signInConfiguration() throws -> ServerConfiguration? {
    try ServerConfiguration.current(settings) ?? current?.configuration
  }

  /// Whether signing in again may mend something: the session has ended, or the account's server is somewhere else now.
  public var maySignInAgain: Bool {
    if standing == .signedOut { return true }
    if case .store(.otherServer) = status.failure { return true }
    // What is wrong with the preferences is said where they are used.
    guard let account, let named = try? ServerConfiguration.current(settings) else { return false }
    return named.url != account.server
  }

  /// The server of the account; its key may have been changed in the preferences since.
  private func configuration() throws -> ServerConfiguration? {
    let named = try ServerConfiguration.current(settings)
    guard let current else { return named }
    return named?.url == current.configuration.url ? named : current.configuration
  }

  private func way(_ configuration: ServerConfiguration) -> SignIn {
    SignIn(
      server: configuration.url, service: connections.service(configuration), vault: connections.vault,
      clock: connections.clock)
  }

  /// Goes on with what was signed in: with the same account at once, with another one in a garden of its own.
  /// - Parameter serverHasMoved: the garden that is here belongs to this server, though it was at another address.
  /// - Throws: `StoreError.otherServer` if the garden that is here belongs to another server; it can be called again.
  public func finish(_ outcome: SignIn.Outcome, serverHasMoved: Bool = false) async throws {
    let session = outcome.session
    guard let configuration = try signInConfiguration(), configuration.url == session.account.server else {
      throw SyncingError.otherServer
    }
    guard Folders.isAccount(session.account.userID) else { throw SyncingError.unusableAccount }
    if let account, account.userID != session.account.userID {
      // Its garden, with what may be unsent in it, must not get out of sight.
      try? await connections.vault.remove(session.account)
      throw SyncingError.otherAccount
    }
    let isAtHome = try await bind(session.account, hasMoved: serverHasMoved)
    var outcome = outcome
    // It was taken out of the keyring when it was not clear yet.
    if !isAtHome { outcome = await way(configuration).keep(outcome.session, profile: outcome.profile) }
    if outcome.vaultProblem == .locked {
      // The user is there, so he may be asked. If he does not unlock it, the session holds as long as the program runs.
      try? await connections.vault.unlock()
      outcome = await way(configuration).keep(outcome.session, profile: outcome.profile)
    }
    if needsVault, let problem = outcome.vaultProblem { throw problem }
    try CurrentAccount().save(SignedInAccount(account: session.account, configuration: configuration))
    if let account, account != session.account { try? await connections.vault.remove(account) }
    // A session without a keyring needs another vault for the whole run.
    if isAtHome, session.account == account, outcome.vaultProblem == nil, fresh?.vaultProblem == nil,
      let parts = try await parts()
    {
      await parts.engine.keeper.resume(session, profile: outcome.profile)
      email = session.email
      _ = try await syncNow()
    } else {
      onAccountChange?(outcome)
    }
  }

  /// Makes sure that the garden of the account that is on this computer, if there is one, belongs to the same server.
  /// - Returns: false if it belonged to it at another address.
  private func bind(_ account: Account, hasMoved: Bool) async throws -> Bool {
    let folder = Folders.garden(account: account.userID)
    // Opening would make one.
    guard Folders.holdsGarden(folder) else { return true }
    let store = try await GardenStore.open(folder: folder)
    // What was synced before logs knew their server is of the one that this computer was signed in to.
    if try await store.value(.server) == nil, let before = self.account, before.userID == account.userID {
      try await store.bind(to: before.server)
    }
    let known = try await store.value(.server)
    do {
      try await store.bind(to: account.server, hasMoved: hasMoved)
    } catch {
      if case .otherServer = error { try? await connections.vault.remove(account) }
      throw error
    }
    return known == nil || known == account.server
  }

  /// Tries to send what waits.
  /// - Returns: how many entries only this computer has.
  public func unsentAfterTrying() async throws -> Int { try await parts()?.engine.sendBeforeSignOut() ?? 0 }

  /// Signs out and clears away what is here of the account.
  /// - Parameters:
  ///   - unsent: how many entries may be lost by it; if there are more, nothing is done.
  ///   - removesBackups: also those in the garden's own folder; not in a second one, which others may share.
  public func signOut(accepting unsent: Int, removesBackups: Bool = false) async throws {
    guard let parts = try await parts() else { return }
    do throws(SyncProblem) {
      try await parts.engine.signOut(accepting: unsent)
    } catch .vault(.locked) {
      // The user is there, so he may be asked.
      try await connections.vault.unlock()
      try await parts.engine.signOut(accepting: unsent)
    } catch {
      throw error
    }
    await parts.scheduler.stop()
    try CurrentAccount().save(nil)
    defer { onAccountChange?(nil) }
    if removesBackups { try GardenStore.removeCopies(in: gardener.store.folder) }
  }

  /// Deletes everything, on the server and here.
  public func deleteEverywhere() async throws {
    guard let parts = try await parts() else { return }
    let report = try await parts.scheduler.resetEverywhere()
    try await gardener.catchUp()
    if let problem = report.problem { throw problem }
  }

  /// Asks for the keyring's password, and goes on.
  public func unlockKeyring() async throws {
    try await connections.vault.unlock()
    _ = try await syncNow()
  }

  /// Asks a server whether it can be used.
  public func test(_ configuration: ServerConfiguration) async throws {
    try await connections.service(configuration).check()
  }
}

/// Why an action about the account is not possible.
public enum SyncingError: Error, Equatable {
  case noAccount
  /// The server gave an id that can't name a garden's folder.
  case unusableAccount
  /// Somebody else is signed in.
  case otherAccount
  /// The preferences were changed between the code and its use.
  case otherServer

  /// What to tell the user.
  public var message: String {
    switch self {
    case .noAccount: tr("This garden is kept on this computer only: there is nothing to sync.")
    case .unusableAccount: tr("The server gave an account that Trunk can’t use.")
    case .otherAccount: tr("Another account is signed in here. Sign out of it first.")
    case .otherServer: tr("The server in the preferences has changed. Have a new code sent.")
    }
  }
}
