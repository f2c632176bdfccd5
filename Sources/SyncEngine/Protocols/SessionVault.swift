/// The part of a sign-in that is stored between runs of the program.
public struct StoredSession: Sendable, Equatable, CustomStringConvertible {
  public var account: Account
  public var email: String
  public var accessToken: String
  public var refreshToken: String
  /// When the access token expires, in seconds since 1970, computed with this computer's clock at receipt.
  public var expiresAt: Int64

  public init(account: Account, email: String, accessToken: String, refreshToken: String, expiresAt: Int64) {
    self.account = account
    self.email = email
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
  }

  /// Never the tokens or the address: descriptions end up in logs.
  public var description: String { "session" }
}

/// One user of one service.
public struct Account: Sendable, Hashable {
  /// The base address of the service, without a trailing slash.
  public let server: String
  public let userID: String

  public init(server: String, userID: String) {
    self.server = server
    self.userID = userID
  }
}

/// Secure storage for sessions: the desktop's keyring. Calls may take long; the vault limits the time.
public protocol SessionVault: Sendable {
  /// Returns the stored session; `nil` only if the vault is open and has no session for the account.
  func session(of account: Account) async throws(VaultFailure) -> StoredSession?
  func store(_ session: StoredSession) async throws(VaultFailure)
  func remove(_ account: Account) async throws(VaultFailure)
  /// Makes sure that the vault can be used; asks the user to unlock it if it is locked.
  func unlock() async throws(VaultFailure)
}

extension SessionVault {
  /// Stores and removes a session without secrets, because a vault may open and still fail to store.
  public func tryOut(for server: String) async throws(VaultFailure) {
    let account = Account(server: server, userID: "nobody")
    try await store(StoredSession(account: account, email: "", accessToken: "", refreshToken: "", expiresAt: 0))
    // Only storing matters here. Some keyrings prompt before a removal; a session that remains holds no secrets.
    try? await remove(account)
  }
}

/// Why the keyring can't be used. Each case has a different remedy.
public enum VaultFailure: Error, Sendable, Equatable {
  case locked
  /// No program offers a keyring on this desktop.
  case noService
  /// There is a keyring service, but no keyring in it.
  case noCollection
  case noAnswer
  case denied
  case other(detail: String)
}
