/// Renews the session: one program and one renewal at a time.
extension SessionKeeper {
  func isFresh(_ cached: CachedSession) -> Bool { cached.deadline - clock.uptime > cached.margin }

  func renew(insteadOf rejected: AccessToken?) async -> Result<AccessToken, SyncProblem> {
    defer { renewal = nil }
    do throws(SyncProblem) {
      if let ended { throw .service(.sessionEnded(code: ended)) }
      guard let lock = await SessionLock.take(in: folder) else { throw .store(.busy) }
      defer { withExtendedLifetime(lock) {} }
      do throws(SyncProblem) {
        if let token = try await updateFromVault(rejected) { return .success(token) }
        return .success(try await rotate())
      } catch {
        // The cached token may still be valid within the margin. If the server did not answer at all, it would not
        // help.
        if ended == nil, !error.isUnanswered, let cached, cached.token != rejected, cached.deadline > clock.uptime {
          return .success(cached.token)
        }
        throw error
      }
    } catch {
      return .failure(error)
    }
  }

  /// Synchronises the vault and memory: another program may have renewed the session while this one waited.
  /// - Returns: `nil` if the session still has to be renewed.
  private func updateFromVault(_ rejected: AccessToken?) async throws(SyncProblem) -> AccessToken? {
    do throws(VaultFailure) {
      if let cached, !cached.isStored {
        try await vault.store(cached.session)
        self.cached?.isStored = true
      } else if let stored = try await vault.session(of: account) {
        if stored != cached?.session {
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
    guard let cached else { throw .service(.sessionEnded(code: ended ?? "")) }
    return isFresh(cached) && cached.token != rejected ? cached.token : nil
  }

  /// Removes the tokens of a session that has ended, unless another program has signed in since. If that fails, the
  /// next program gets the same answer from the server.
  private func removeUselessTokens(_ session: StoredSession) async {
    let stored = try? await vault.session(of: account)
    guard stored?.refreshToken == session.refreshToken else { return }
    try? await vault.remove(account)
  }

  private func rotate() async throws(SyncProblem) -> AccessToken {
    guard let old = cached else { throw .service(.sessionEnded(code: "")) }
    let grant: Grant
    do throws(ServiceFailure) {
      grant = try await service.refresh(old.session.refreshToken)
    } catch {
      if case .sessionEnded(let code) = error {
        await removeUselessTokens(old.session)
        end(code)
      }
      // The first two failures would reject an event, and this request sent none.
      switch error {
      case .rejected, .tooLarge: throw .service(.unauthorized(code: error.code))
      default: throw .service(error)
      }
    }
    guard grant.userID == account.userID else { throw .service(.unintelligible(detail: "tokens of another user")) }
    if let profile = grant.profile { self.profile = profile }
    let session = StoredSession(grant, server: account.server, now: clock.now)
    cached = CachedSession(
      session, deadline: clock.uptime + grant.expiresIn * 1000, lifetime: grant.expiresIn, isStored: false)
    do throws(VaultFailure) {
      try await vault.store(session)
      cached?.isStored = true
      vaultProblem = nil
    } catch {
      vaultProblem = error
    }
    announce()
    return AccessToken(grant.accessToken, userID: grant.userID)
  }
}
