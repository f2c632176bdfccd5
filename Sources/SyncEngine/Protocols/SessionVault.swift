/// Secure storage for sessions: the desktop's keyring. Calls may take long; the vault limits the time.
public protocol SessionVault: Sendable {
  /// Returns the stored session; `nil` only if the vault is open and has no session for the account.
  func session(of account: Account) async throws(VaultFailure) -> StoredSession?
  func store(_ session: StoredSession) async throws(VaultFailure)
  func remove(_ account: Account) async throws(VaultFailure)
  /// Makes sure that the vault can be used; asks the user to unlock it if it is locked.
  func unlock() async throws(VaultFailure)
  /// Asks the user to create what is missing: see `VaultFailure.noCollection`.
  func create() async throws(VaultFailure)
}

extension SessionVault {
  public func create() async throws(VaultFailure) { try await unlock() }

  /// Stores and removes a session without secrets, because a vault may open and still fail to store.
  public func tryOut(for server: String) async throws(VaultFailure) {
    let account = Account(server: server, userID: "nobody")
    try await store(StoredSession(account: account, email: "", accessToken: "", refreshToken: "", expiresAt: 0))
    // Only storing matters here. Some keyrings prompt before a removal; a session that remains holds no secrets.
    try? await remove(account)
  }
}
