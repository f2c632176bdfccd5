import Garden

/// Keeps the session of one account alive: hands out access tokens that last, and renews them, one program and one
/// renewal at a time.
///
/// A refresh token is used up by its use. So a new pair is put into the vault before it is used, and while the vault
/// does not take it no other is asked for: the server forgives one lost answer, never two.
public actor SessionKeeper {
  /// An access token is not handed out for its last milliseconds, nor for the last quarter of a short life: of one that
  /// lasts for a minute each use would be a renewal.
  static let margin: Int64 = 90_000

  public nonisolated let account: Account
  /// Why the newest tokens are in memory only; `nil` if they are in the vault.
  public private(set) var vaultProblem: VaultFailure?
  /// The code with which the session ended; `nil` while it may last.
  public private(set) var ended: String?

  private let folder: String
  private let vault: any SessionVault
  private let service: any AuthService
  private let clock: any SyncClock
  private var held: Held?
  private var profile: Profile.Values?
  private var renewal: Task<Result<AccessToken, SyncProblem>, Never>?
  private var isClosed = false
  private var listeners: [Int: AsyncStream<AccessToken>.Continuation] = [:]
  private var listenerCount = 0

  private struct Held {
    var session: StoredSession
    /// The `uptime` at which the access token ends.
    var deadline: Int64
    /// See `SessionKeeper.margin`.
    let margin: Int64
    var isStored: Bool

    /// - Parameter lifetime: of the access token, in seconds; `nil` if it is not known.
    init(_ session: StoredSession, deadline: Int64, lifetime: Int64?, isStored: Bool) {
      self.session = session
      self.deadline = deadline
      margin = min(SessionKeeper.margin, min(lifetime ?? 3600, 3600) * 250)
      self.isStored = isStored
    }

    var token: AccessToken { AccessToken(session.accessToken, userID: session.account.userID) }
  }

  /// The session comes from the vault, or from `resume` right after signing in.
  /// - Parameter folder: the account's, which all programs share.
  public init(
    account: Account, folder: String, vault: any SessionVault, service: any AuthService, clock: any SyncClock
  ) {
    self.account = account
    self.folder = folder
    self.vault = vault
    self.service = service
    self.clock = clock
  }

  /// An access token that lasts for another while.
  /// - Throws: `service(.cancelled)` after `close`.
  public func token() async throws(SyncProblem) -> AccessToken {
    guard !isClosed else { throw .service(.cancelled) }
    if let held, isFresh(held) { return held.token }
    return try await renewed(insteadOf: nil)
  }

  /// A newer access token, after the server did not accept this one.
  /// - Throws: `service(.cancelled)` after `close`.
  public func renewed(insteadOf refused: AccessToken?) async throws(SyncProblem) -> AccessToken {
    guard !isClosed else { throw .service(.cancelled) }
    if let refused, let held, held.token != refused, isFresh(held) { return held.token }
    let task: Task<Result<AccessToken, SyncProblem>, Never>
    if let renewal {
      task = renewal
    } else {
      // Not part of the caller's task: once begun it must not be broken off.
      task = Task { await self.renew(insteadOf: refused) }
      renewal = task
    }
    return try await task.value.get()
  }

  /// What the account says of its user, as it came with the newest tokens; each answer is given once.
  func takeProfile() -> Profile.Values? {
    defer { profile = nil }
    return profile
  }

  /// Ends it: no token is handed out any more, so that whatever still runs sends no other request, and no renewal begins.
  /// One that has begun is waited for: its answer must not be lost with the end of the program.
  func close() async {
    isClosed = true
    _ = await renewal?.value
  }

  /// Looks whether another program has signed out: access tokens last longer than sessions.
  /// - Throws: `sessionEnded` if so.
  func confirmSignedIn() async throws(SyncProblem) {
    if let held, !held.isStored { return }
    do throws(VaultFailure) {
      if try await vault.session(of: account) == nil { end("session_removed") }
    } catch {
      throw .vault(error)
    }
    if let ended { throw .service(.sessionEnded(code: ended)) }
  }

  /// New tokens as they come, for connections that last.
  public func renewals() -> AsyncStream<AccessToken> {
    let (stream, continuation) = AsyncStream.makeStream(of: AccessToken.self, bufferingPolicy: .bufferingNewest(1))
    listenerCount += 1
    let number = listenerCount
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in Task { await self?.removeListener(number) } }
    return stream
  }

  /// Goes on with a session that was signed in anew.
  /// - Parameters:
  ///   - problem: why it is not in the vault; `nil` if it is.
  ///   - profile: what came with it.
  public func resume(_ session: StoredSession, problem: VaultFailure? = nil, profile: Profile.Values? = nil) {
    ended = nil
    if let profile { self.profile = profile }
    adopt(session, isStored: problem == nil)
    vaultProblem = problem
    announce()
  }

  /// Ends the session here, and on the server if that can be reached.
  /// - Parameter tellsServer: false if the server is known to be unreachable; its session ends by itself.
  /// - Returns: why the server still knows the session; `nil` if it does not.
  /// - Throws: why the vault still has the tokens. Then the session goes on.
  public func signOut(tellsServer: Bool = true) async throws(SyncProblem) -> SyncProblem? {
    var problem: SyncProblem?
    var last: AccessToken?
    // The server wants a token that lasts, and the old one is in the vault.
    if tellsServer {
      do throws(SyncProblem) { last = try await token() } catch { problem = error }
    }
    let lock = await SessionLock.take(in: folder)
    do throws(VaultFailure) { try await vault.remove(account) } catch {
      // Where there is no keyring, there is nothing in it.
      guard [.noService, .noCollection].contains(error) else { throw .vault(error) }
    }
    withExtendedLifetime(lock) {}
    if let last {
      do throws(ServiceFailure) { try await service.signOut(token: last) } catch { problem = .service(error) }
    }
    // One that has ended needs no end.
    if ended != nil { problem = nil }
    end("signed_out")
    return problem
  }
}

extension SessionKeeper {
  private func isFresh(_ held: Held) -> Bool { held.deadline - clock.uptime > held.margin }

  private func renew(insteadOf refused: AccessToken?) async -> Result<AccessToken, SyncProblem> {
    defer { renewal = nil }
    do throws(SyncProblem) {
      if let ended { throw .service(.sessionEnded(code: ended)) }
      guard let lock = await SessionLock.take(in: folder) else {
        throw .service(.unavailable(status: 0, code: "session_lock", retryAfter: nil))
      }
      defer { withExtendedLifetime(lock) {} }
      do throws(SyncProblem) {
        if let token = try await lookIntoVault(refused) { return .success(token) }
        return .success(try await rotate())
      } catch {
        // What is here may last a little longer than the margin; without any answer it would be of no use.
        if ended == nil, !error.isUnanswered, let held, held.token != refused, held.deadline > clock.uptime {
          return .success(held.token)
        }
        throw error
      }
    } catch {
      return .failure(error)
    }
  }

  /// Brings vault and memory together: another program may have renewed the session while this one waited.
  /// - Returns: `nil` if the session still has to be renewed.
  private func lookIntoVault(_ refused: AccessToken?) async throws(SyncProblem) -> AccessToken? {
    do throws(VaultFailure) {
      if let held, !held.isStored {
        try await vault.store(held.session)
        self.held?.isStored = true
      } else if let stored = try await vault.session(of: account) {
        if stored != held?.session {
          adopt(stored, isStored: true)
          announce()
        }
      } else {
        end("session_removed")
      }
      vaultProblem = nil
    } catch {
      vaultProblem = error
      throw .vault(error)
    }
    guard let held else { throw .service(.sessionEnded(code: ended ?? "")) }
    return isFresh(held) && held.token != refused ? held.token : nil
  }

  private func rotate() async throws(SyncProblem) -> AccessToken {
    guard let old = held else { throw .service(.sessionEnded(code: "")) }
    let grant: Grant
    do throws(ServiceFailure) {
      grant = try await service.refresh(old.session.refreshToken)
    } catch {
      if case .sessionEnded(let code) = error {
        // Tokens that nobody accepts are of no use; if they stay, the next program finds the same.
        try? await vault.remove(account)
        end(code)
      }
      throw .service(error)
    }
    guard grant.userID == account.userID else { throw .service(.unintelligible(detail: "tokens of another user")) }
    if let profile = grant.profile { self.profile = profile }
    let session = StoredSession(grant, server: account.server, now: clock.now)
    held = Held(
      session, deadline: clock.uptime + grant.expiresIn * 1000, lifetime: grant.expiresIn, isStored: false)
    do throws(VaultFailure) {
      try await vault.store(session)
      held?.isStored = true
      vaultProblem = nil
    } catch {
      vaultProblem = error
    }
    announce()
    return AccessToken(grant.accessToken, userID: grant.userID)
  }

  private func adopt(_ session: StoredSession, isStored: Bool) {
    // A clock that was set wrong makes for one renewal too many, or for a token that the server refuses; no more.
    let rest = min(max(session.expiresAt - clock.now.seconds, 0), 86_400)
    held = Held(
      session, deadline: clock.uptime + rest * 1000, lifetime: TokenClaims(session.accessToken)?.lifetime,
      isStored: isStored)
  }

  private func end(_ code: String) {
    held = nil
    ended = code
    vaultProblem = nil
    for listener in listeners.values { listener.finish() }
    listeners = [:]
  }

  private func announce() {
    guard let held else { return }
    for listener in listeners.values { listener.yield(held.token) }
  }

  private func removeListener(_ number: Int) { listeners[number] = nil }
}

extension StoredSession {
  public init(_ grant: Grant, server: String, now: Instant) {
    self.init(
      account: Account(server: server, userID: grant.userID), email: grant.email, accessToken: grant.accessToken,
      refreshToken: grant.refreshToken, expiresAt: now.seconds + grant.expiresIn)
  }
}
