import GardenStore

/// How a sync reaches the service and the store: every failure is one of syncing.
extension SyncEngine {
  func backUpBeforeLoss() async throws(SyncProblem) {
    do { try await backUp() } catch {
      throw .store(error as? StoreError ?? .backupNotVerified(path: ""))
    }
  }

  /// One request with a token that lasts; with a new one if the service does not accept it.
  func authorized<Value: Sendable>(
    _ request: (AccessToken) async throws(ServiceFailure) -> Value
  ) async throws(SyncProblem) -> Value {
    let token = try await keeper.token()
    // Somebody else's table looks like an empty one.
    let subject = TokenClaims(token.text)?.subject ?? token.userID
    guard token.userID == keeper.account.userID, subject == token.userID else {
      throw .service(.unintelligible(detail: "token of another user"))
    }
    do throws(ServiceFailure) {
      let value = try await request(token)
      if isQuiet { becomeVisible() }
      return value
    } catch {
      guard case .unauthorized = error else { throw .service(error) }
      // An answer too.
      if isQuiet { becomeVisible() }
    }
    let renewed = try await keeper.renewed(insteadOf: token)
    do throws(ServiceFailure) { return try await request(renewed) } catch { throw .service(error) }
  }

  func inStore<Value>(
    _ body: (GardenStore) async throws(StoreError) -> Value
  ) async throws(SyncProblem) -> Value {
    do throws(StoreError) { return try await body(store) } catch { throw .store(error) }
  }

  func inFullPull<Value>(_ body: () async throws(FullPullFailure) -> Value) async throws(SyncProblem) -> Value {
    do throws(FullPullFailure) { return try await body() } catch {
      switch error {
      case .store(let error): throw .store(error)
      case .superseded: throw .otherDownload
      case .outdated: throw .outdatedDownload
      }
    }
  }
}
