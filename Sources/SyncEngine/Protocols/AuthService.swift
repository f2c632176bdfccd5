import TrunkModel

/// Sign-in with a code sent by email, and the renewal of sessions.
public protocol AuthService: Sendable {
  /// Requests a code by email. The response is the same whether the address is known or not.
  /// - Parameter email: trimmed.
  func requestCode(email: String) async throws(SignInFailure)

  /// Exchanges a code for a session.
  /// - Parameter code: digits only. A success uses it up, so the request is never repeated automatically.
  func verify(email: String, code: String) async throws(SignInFailure) -> Grant

  /// Exchanges a refresh token for a new pair; the old one is used up.
  /// - Throws: `sessionEnded` only if the service says so explicitly.
  func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant

  /// Ends this session on the server, but not the user's other sessions.
  func signOut(token: AccessToken) async throws(ServiceFailure)
}

/// The tokens that a service issues at sign-in and at each refresh.
public struct Grant: Sendable, Equatable, CustomStringConvertible {
  public let accessToken: String
  public let refreshToken: String
  public let userID: String
  public let email: String
  /// The remaining lifetime of the access token, in seconds.
  public let expiresIn: Int64
  /// The account's profile; `nil` if the service did not send it.
  public let profile: Profile.Values?

  public init(
    accessToken: String, refreshToken: String, userID: String, email: String, expiresIn: Int64,
    profile: Profile.Values? = nil
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.userID = userID
    self.email = email
    self.expiresIn = expiresIn
    self.profile = profile
  }

  /// Never the tokens or the address: descriptions end up in logs.
  public var description: String { "grant" }
}
