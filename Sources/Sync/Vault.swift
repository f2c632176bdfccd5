/// What is kept of a sign-in between runs of the program.
public struct StoredSession: Sendable, Equatable, CustomStringConvertible {
  public var account: Account
  public var email: String
  public var accessToken: String
  public var refreshToken: String
  /// When the access token ends, in seconds since 1970 by this computer's clock at receipt.
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
  /// The base address of the service, without a slash at its end.
  public let server: String
  public let userID: String

  public init(server: String, userID: String) {
    self.server = server
    self.userID = userID
  }
}

/// Where sessions are kept: the desktop's keyring. Every call may take long and is bounded by the vault itself.
public protocol SessionVault: Sendable {
  /// - Returns: `nil` only if the vault is open and has no session for the account.
  func session(of account: Account) async throws(VaultFailure) -> StoredSession?
  func store(_ session: StoredSession) async throws(VaultFailure)
  func remove(_ account: Account) async throws(VaultFailure)
  /// Makes sure that the vault can be used; asks the user to unlock it if it is locked.
  func unlock() async throws(VaultFailure)
}

extension SessionVault {
  /// Stores a session without secrets, and takes it out again: a vault may open and take nothing.
  public func tryOut(for server: String) async throws(VaultFailure) {
    let nobody = Account(server: server, userID: "nobody")
    try await store(StoredSession(account: nobody, email: "", accessToken: "", refreshToken: "", expiresAt: 0))
    // That it takes something is all that is asked here. Some keyrings ask before anything goes; what stays then holds
    // nothing.
    try? await remove(nobody)
  }
}

/// Why the keyring can't be used, each with another way out.
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
