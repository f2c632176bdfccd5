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
