import GardenStore
import Localization
import Sync

/// Signing in.
extension Synchroniser {
  /// The way to sign in: at the server that is named now, else at that of the account.
  /// - Returns: `nil` if there is none.
  /// - Throws: `VaultFailure` if the session has to be kept and can't be; a code would be sent in vain.
  public func signIn() async throws -> SignInFlow? {
    guard let configuration = try signInConfiguration() else { return nil }
    if needsVault {
      // Asks the user for nothing, unless it is locked.
      try await connections.vault.unlock()
      try await connections.vault.tryOut(for: configuration.url)
    }
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
      await dropSession(of: session.account)
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
    if let account, account != session.account { await dropSession(of: account) }
    // A server that forgets the session would leave no other time to learn the address.
    try await GardenStore.open(folder: Folders.garden(account: session.account.userID))
      .set(GardenStore.owner(session.email, at: session.account.server), for: .owner)
    // A session without a keyring needs another vault for the whole run.
    if isAtHome, session.account == account, outcome.vaultProblem == nil, !isForThisRunOnly,
      let parts = try await parts()
    {
      await parts.engine.keeper.resume(session, profile: outcome.profile)
      email = session.email
      _ = try await syncNow()
    } else {
      onAccountChange?(outcome)
    }
  }

  /// Takes a session that nothing here will use out of the keyring. What keeps the keyring from it is not said, because
  /// there is something else to say: the session stays where tokens are safe, and nobody looks there for it.
  private func dropSession(of account: Account) async { try? await connections.vault.remove(account) }

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
      if case .otherServer = error { await dropSession(of: account) }
      throw error
    }
    return known == nil || known == account.server
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
