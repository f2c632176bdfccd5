import TrunkModel

/// Keeps the session of one account alive: it provides valid access tokens and renews them, one program and one renewal
/// at a time.
///
/// A refresh token can be used only once. So a new pair is stored in the vault before it is used, and while the vault
/// does not accept it, no other pair is requested: the server tolerates one lost response, but not two.
public actor SessionKeeper {
  /// The time before its expiry, in milliseconds, when an access token is no longer used. At most a quarter of the
  /// token's lifetime: otherwise each use of a one-minute token would renew it.
  static let margin: Int64 = 90_000

  public nonisolated let account: Account
  /// Why the newest tokens are in memory only; `nil` if they are in the vault.
  public internal(set) var vaultProblem: VaultFailure?
  /// The code with which the session ended; `nil` if it has not ended.
  public private(set) var ended: String?

  let folder: String
  let vault: any SessionVault
  let service: any AuthService
  let clock: any SyncClock
  var cached: CachedSession?
  var profile: Profile.Values?
  var renewal: Task<Result<AccessToken, SyncProblem>, Never>?
  private var isClosed = false
  private var listeners: [Int: AsyncStream<AccessToken>.Continuation] = [:]
  private var listenerCount = 0

  struct CachedSession {
    var session: StoredSession
    /// The `uptime` at which the access token expires.
    var deadline: Int64
    /// See `SessionKeeper.margin`.
    let margin: Int64
    var isStored: Bool

    /// - Parameter lifetime: the access token's lifetime in seconds; `nil` if unknown.
    init(_ session: StoredSession, deadline: Int64, lifetime: Int64?, isStored: Bool) {
      self.session = session
      self.deadline = deadline
      margin = min(SessionKeeper.margin, min(lifetime ?? 3600, 3600) * 250)
      self.isStored = isStored
    }

    var token: AccessToken { AccessToken(session.accessToken, userID: session.account.userID) }
  }

  /// Reads the session from the vault when needed, unless `resume` provides it after signing in.
  /// - Parameter folder: the account's folder, which all programs share.
  public init(
    account: Account, folder: String, vault: any SessionVault, service: any AuthService, clock: any SyncClock
  ) {
    self.account = account
    self.folder = folder
    self.vault = vault
    self.service = service
    self.clock = clock
  }

  /// Returns an access token that is not about to expire.
  /// - Throws: `service(.cancelled)` after `close`.
  public func token() async throws(SyncProblem) -> AccessToken {
    guard !isClosed else { throw .service(.cancelled) }
    if let cached, isFresh(cached) { return cached.token }
    return try await renewed(insteadOf: nil)
  }

  /// Returns a newer access token, after the server did not accept the given one.
  /// - Throws: `service(.cancelled)` after `close`.
  public func renewed(insteadOf rejected: AccessToken?) async throws(SyncProblem) -> AccessToken {
    guard !isClosed else { throw .service(.cancelled) }
    if let rejected, let cached, cached.token != rejected, isFresh(cached) { return cached.token }
    let task: Task<Result<AccessToken, SyncProblem>, Never>
    if let renewal {
      task = renewal
    } else {
      // Not a child of the caller's task: a renewal must not be cancelled once it has started.
      task = Task { await self.renew(insteadOf: rejected) }
      renewal = task
    }
    return try await task.value.get()
  }

  /// Returns the profile that arrived with the newest tokens, once.
  func takeProfile() -> Profile.Values? {
    defer { profile = nil }
    return profile
  }

  /// Stops providing tokens, so that no running task sends another request and no renewal starts. Waits for a running
  /// renewal, because its response must not be lost when the program ends.
  func close() async {
    isClosed = true
    _ = await renewal?.value
  }

  /// Checks whether another program has signed out: access tokens can outlive their session.
  /// - Throws: `sessionEnded` if so.
  func confirmSignedIn() async throws(SyncProblem) {
    if let cached, !cached.isStored { return }
    do throws(VaultFailure) {
      if try await vault.session(of: account) == nil { end("session_removed") }
    } catch {
      throw .vault(error)
    }
    if let ended { throw .service(.sessionEnded(code: ended)) }
  }

  /// Yields new tokens, for long-lived connections.
  public func renewals() -> AsyncStream<AccessToken> {
    let (stream, continuation) = AsyncStream.makeStream(of: AccessToken.self, bufferingPolicy: .bufferingNewest(1))
    listenerCount += 1
    let number = listenerCount
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in Task { await self?.removeListener(number) } }
    return stream
  }

  /// Continues with a session from a new sign-in.
  /// - Parameters:
  ///   - problem: why it is not in the vault; `nil` if it is.
  ///   - profile: the profile that came with the session.
  public func resume(_ session: StoredSession, problem: VaultFailure? = nil, profile: Profile.Values? = nil) {
    ended = nil
    if let profile { self.profile = profile }
    adopt(session, isStored: problem == nil)
    vaultProblem = problem
    announce()
  }

  /// Ends the session here, and on the server if it can be reached.
  /// - Parameter tellsServer: false if the server is known to be unreachable, where the session will expire.
  /// - Returns: why the session is still open on the server; `nil` if it isn't.
  /// - Throws: `vault` if the tokens could not be removed. Then the session continues.
  public func signOut(tellsServer: Bool = true) async throws(SyncProblem) -> SyncProblem? {
    var problem: SyncProblem?
    var last: AccessToken?
    // The server needs a valid token to end the session. Get it before the vault's tokens are removed.
    if tellsServer {
      do throws(SyncProblem) { last = try await token() } catch { problem = error }
    }
    // A program that renews the session would store its new tokens after they were removed here.
    guard let lock = await SessionLock.take(in: folder) else { throw .store(.busy) }
    do throws(VaultFailure) { try await vault.remove(account) } catch {
      // Without a keyring, there is nothing to remove.
      guard [.noService, .noCollection].contains(error) else { throw .vault(error) }
    }
    withExtendedLifetime(lock) {}
    if let last {
      do throws(ServiceFailure) { try await service.signOut(token: last) } catch { problem = .service(error) }
    }
    // A session that had already ended is no problem.
    if ended != nil { problem = nil }
    end("signed_out")
    return problem
  }
}

extension SessionKeeper {
  func adopt(_ session: StoredSession, isStored: Bool) {
    // A wrong clock causes at most one extra renewal or one token that the server rejects.
    let rest = min(max(max(session.expiresAt, 0) - clock.now.seconds, 0), 86_400)
    cached = CachedSession(
      session, deadline: clock.uptime + rest * 1000, lifetime: TokenClaims(session.accessToken)?.lifetime,
      isStored: isStored)
  }

  func end(_ code: String) {
    cached = nil
    ended = code
    vaultProblem = nil
    for listener in listeners.values { listener.finish() }
    listeners = [:]
  }

  func announce() {
    guard let cached else { return }
    for listener in listeners.values { listener.yield(cached.token) }
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
