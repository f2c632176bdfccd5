import EventStore

/// Access to the service and the store that turns every failure into a `SyncProblem`.
extension SyncEngine {
  /// - Returns: the path of the backup.
  @discardableResult
  func backUpBeforeLoss() async throws(SyncProblem) -> String {
    do { return try await backUp() } catch {
      throw .store(error as? StoreError ?? .backupNotVerified(path: ""))
    }
  }

  /// Sends a request with a valid token, and again with a new one if the service does not accept it.
  func authorized<Value: Sendable>(
    _ request: (AccessToken) async throws(ServiceFailure) -> Value
  ) async throws(SyncProblem) -> Value {
    let token = try checked(await keeper.token())
    do throws(ServiceFailure) {
      let value = try await request(token)
      shown.show()
      return value
    } catch {
      guard case .unauthorized = error else { throw .service(error) }
      // A rejected token is an answer from the service, too.
      shown.show()
    }
    let renewed = try checked(await keeper.renewed(insteadOf: token))
    do throws(ServiceFailure) { return try await request(renewed) } catch { throw .service(error) }
  }

  /// With another user's token, the table would look empty.
  private func checked(_ token: AccessToken) throws(SyncProblem) -> AccessToken {
    let subject = TokenClaims(token.text)?.subject ?? token.userID
    guard token.userID == keeper.account.userID, subject == token.userID else {
      throw .service(.unintelligible(detail: "token of another user"))
    }
    return token
  }

  func inStore<Value>(
    _ body: (EventStore) async throws(StoreError) -> Value
  ) async throws(SyncProblem) -> Value {
    do throws(StoreError) { return try await body(store) } catch { throw .store(error) }
  }

  func inFullPull<Value>(_ body: () async throws(FullPullFailure) -> Value) async throws(SyncProblem) -> Value {
    do throws(FullPullFailure) { return try await body() } catch {
      switch error {
      case .store(let error): throw .store(error)
      case .otherDownload: throw .otherDownload
      case .outdated: throw .outdatedDownload
      }
    }
  }
}
