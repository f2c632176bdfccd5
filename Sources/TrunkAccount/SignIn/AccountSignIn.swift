import EventStore
import MailKit
import SyncEngine
import TrunkKit

/// Signing in, for the first time or again.
@MainActor
public struct AccountSignIn {
  let accountModel: AccountModel

  private var account: Account? { accountModel.account }
  private var settings: Settings { accountModel.settings }
  private var dependencies: Dependencies { accountModel.dependencies }

  /// Starts a sign-in at the configured server, or else at the account's.
  /// - Returns: `nil` if no server is known.
  /// - Throws: `VaultFailure` if `needsVault` is set and the keyring can't store a session: a code would be wasted.
  public func begin() async throws -> SignInFlow? {
    guard let serverSettings = try signInServerSettings() else { return nil }
    if accountModel.needsVault {
      // Prompts the user only if the keyring is locked.
      try await dependencies.vault.unlock()
      try await dependencies.vault.tryOut(for: serverSettings.url)
    }
    return SignInFlow(makeSignIn(serverSettings))
  }

  private func signInServerSettings() throws -> ServerSettings? {
    try ServerSettings.current(settings) ?? accountModel.current?.serverSettings
  }

  /// Whether signing in again may help: the session has ended, or the configured server is not the account's.
  public var mayHelp: Bool {
    if accountModel.signInState == .signedOut { return true }
    if case .store(.otherServer) = accountModel.status.failure { return true }
    // Invalid preferences are reported where they are used.
    guard let account, let named = try? ServerSettings.current(settings) else { return false }
    return named.url != account.server
  }

  private func makeSignIn(_ serverSettings: ServerSettings) -> SignIn {
    SignIn(
      server: serverSettings.url, service: dependencies.service(serverSettings).account, vault: dependencies.vault,
      clock: dependencies.clock)
  }

  /// Completes a sign-in. The same account continues syncing; a new account opens its garden.
  /// - Parameter serverHasMoved: whether the local garden belongs to this server under an earlier address.
  /// - Throws: `StoreError.otherServer` if the local garden belongs to another server; then it can be called again.
  public func finish(_ outcome: SignIn.Outcome, serverHasMoved: Bool = false) async throws {
    let session = outcome.session
    guard let serverSettings = try signInServerSettings(), serverSettings.url == session.account.server else {
      throw AccountError.otherServer
    }
    guard Folders.isAccount(session.account.userID) else { throw AccountError.unusableAccount }
    // Another program may have signed in since this one began.
    let present = try AccountFile().load()?.account
    guard [account, present].allSatisfy({ $0 == nil || $0?.userID == session.account.userID }) else {
      throw await otherAccount(than: session.account)
    }
    let isAtHome = try await bind(session.account, hasMoved: serverHasMoved)
    let outcome = await stored(outcome, makeSignIn(serverSettings), again: !isAtHome)
    if accountModel.needsVault, let problem = outcome.vaultProblem { throw problem }
    // The engine of the old address notices the change too, and must not open the garden without this session.
    accountModel.isLeaving = account != nil && account != session.account
    do {
      guard try AccountFile().signIn(SignedInAccount(account: session.account, serverSettings: serverSettings)) else {
        throw await otherAccount(than: session.account)
      }
    } catch {
      accountModel.isLeaving = false
      throw error
    }
    if let account, account != session.account { await dropSession(of: account) }
    await rememberOwner(session)
    // A session that is in no keyring needs another vault for the whole run.
    if isAtHome, session.account == account, outcome.vaultProblem == nil, !accountModel.isForThisRunOnly,
      let parts = try await accountModel.parts()
    {
      await parts.engine.keeper.resume(session, profile: outcome.profile)
      accountModel.email = session.email
      _ = try await accountModel.sync()
    } else {
      accountModel.onAccountChange?(outcome)
    }
  }

  /// - Parameter again: whether an attempt that threw `otherServer` has removed the session from the keyring.
  /// - Returns: the outcome with the session in the keyring, if that is possible.
  private func stored(_ outcome: SignIn.Outcome, _ signIn: SignIn, again: Bool) async -> SignIn.Outcome {
    let outcome = again ? await signIn.store(outcome.session, profile: outcome.profile) : outcome
    guard outcome.vaultProblem == .locked else { return outcome }
    // The user is present, so a prompt is fine. If they don't unlock the keyring, the session ends with the program.
    try? await dependencies.vault.unlock()
    return await signIn.store(outcome.session, profile: outcome.profile)
  }

  /// Records the owner now: if the server ends the session, the email address is no longer known. The account is
  /// already signed in, so a failure doesn't fail the sign-in: signing out records the owner too.
  private func rememberOwner(_ session: StoredSession) async {
    do {
      try await EventStore.open(folder: Folders.garden(account: session.account.userID))
        .set(EventStore.owner(EmailAddress.comparable(session.email), at: session.account.server), for: .owner)
    } catch {
      dependencies.log("owner error=state")
    }
  }

  /// Drops a session because another account is signed in. Replacing that account would hide its garden and any unsent
  /// events in it.
  private func otherAccount(than account: Account) async -> AccountError {
    await dropSession(of: account)
    return .otherAccount
  }

  /// Removes an unused session from the keyring. A failure is ignored, because the caller reports a more important
  /// error: the tokens remain in the keyring, where they are safe and unused.
  private func dropSession(of account: Account) async { try? await dependencies.vault.remove(account) }

  /// Makes sure that the account's local garden, if it exists, belongs to this server.
  /// - Returns: false if it was bound to another address of the server.
  private func bind(_ account: Account, hasMoved: Bool) async throws -> Bool {
    let folder = Folders.garden(account: account.userID)
    do throws(StoreError) {
      // Opening would create one.
      guard try EventStore.holdsGarden(in: folder) else { return true }
    } catch {
      // The program that opens the garden after the sign-in reports it and offers the backups.
      if case .missing = error { return true }
      throw error
    }
    let store = try await EventStore.open(folder: folder)
    // Logs of earlier versions don't record their server: it is the one that this computer was signed in to.
    if try await store.value(.server) == nil, let before = self.account, before.userID == account.userID {
      try await store.bind(to: before.server)
    }
    let known = try await store.value(.server)
    do {
      try await store.bind(to: account.server, account: account.userID, hasMoved: hasMoved)
    } catch {
      switch error {
      case .otherServer, .otherAccount: await dropSession(of: account)
      default: break
      }
      throw error
    }
    return known == nil || known == account.server
  }

  /// Checks whether a server can be used.
  /// - Throws: `ServerSettings.Invalid.unreachable` if no server answers; otherwise a `ServiceFailure`.
  public func test(_ serverSettings: ServerSettings) async throws {
    do {
      try await dependencies.service(serverSettings).events.check()
    } catch ServiceFailure.unreachable {
      // The usual message says that texts are saved on this computer. Here, the address may be wrong.
      throw ServerSettings.Invalid.unreachable
    }
  }

  /// How this computer's clock differs from the server's.
  public enum ClockComparison: Sendable, Equatable {
    case agrees
    case differs(ClockDifference)

    /// How far this computer's clock is ahead, in seconds; negative if it is behind.
    public var secondsAhead: Int64 { if case .differs(let difference) = self { difference.seconds } else { 0 } }
  }

  /// Compares this computer's clock with the server's.
  /// - Returns: `nil` if no server is known or none answers within the given seconds.
  public func compareClocks(within seconds: Int64) async -> ClockComparison? {
    // Invalid preferences are reported where they are used.
    guard let serverSettings = try? signInServerSettings() else { return nil }
    let service = dependencies.service(serverSettings)
    var comparison: ClockComparison?
    await accountModel.wait(within: seconds) {
      do throws(ServiceFailure) { try await service.events.check() } catch {
        if error.isUnanswered { return }
      }
      comparison = service.clockDifference().map { .differs($0) } ?? .agrees
    }
    return comparison
  }
}

extension AccountModel {
  public var signIn: AccountSignIn { AccountSignIn(accountModel: self) }
}
