import Garden
import GardenStore

/// A service that keeps events for several devices: Supabase, or a server of one's own.
public typealias SyncService = EventService & AccountService & LiveService

/// The user's account at such a service.
public typealias AccountService = AuthService & ProfileService

/// The table of events, seen by one user. Every call is one request, bound to the user of the token.
public protocol EventService: Sendable {
  /// Asks without a user whether there is such a service at the address, whether its key is right, and whether it has the
  /// table.
  func check() async throws(ServiceFailure)

  /// The rows after a place, in the order of the server, `limit` at most. The service may give fewer than there are:
  /// only an empty page is the last.
  /// - Parameter place: `nil` begins with the first row. An empty `id` includes all rows at that very instant.
  func rows(after place: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [ServerRow]

  /// The same rows without their content.
  func identities(after place: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [RowIdentity]

  /// How many rows the user has, and the newest: enough to know whether anything has changed.
  /// - Throws: `unintelligible` unless the answer is certainly the service's own.
  func head(token: AccessToken) async throws(ServiceFailure) -> TableHead

  /// Stores all of these rows or none; rows whose `client_id` is there already are skipped.
  /// - Returns: those that were stored; the others were there before.
  /// - Throws: `refused` if the service will never take one of them.
  func insert(_ rows: [OutgoingRow], token: AccessToken) async throws(ServiceFailure) -> [Landing]

  /// The user's rows with these `client_id`s, 100 at most.
  func find(clientIDs: [String], token: AccessToken) async throws(ServiceFailure) -> [Landing]

  /// Removes all rows of the user.
  func removeAll(token: AccessToken) async throws(ServiceFailure)
}

/// The state of the user's rows in one answer.
public struct TableHead: Sendable, Equatable {
  public let count: Int
  /// `created_at` of the newest row, as the server wrote it; `nil` if there are no rows.
  public let latest: String?
  /// The server's clock when it answered, from the `Date` header; `nil` if there is none.
  public let serverTime: Instant?

  public init(count: Int, latest: String?, serverTime: Instant?) {
    (self.count, self.latest, self.serverTime) = (count, latest, serverTime)
  }
}

/// Signing in by a code that is sent by e-mail, and staying so.
public protocol AuthService: Sendable {
  /// Has a code sent. The answer is the same whether the address is known or not.
  /// - Parameter email: trimmed.
  func requestCode(email: String) async throws(SignInFailure)

  /// - Parameter code: digits only. It is used up by a success: never repeated by itself.
  func verify(email: String, code: String) async throws(SignInFailure) -> Grant

  /// Exchanges a refresh token for a new pair; the old one is used up.
  /// - Throws: `sessionEnded` only if the service has said so in as many words.
  func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant

  /// Ends this session on the server, and no other of the user's.
  func signOut(token: AccessToken) async throws(ServiceFailure)
}

/// What the account says of its user. Every call is one request, bound to the user of the token.
public protocol ProfileService: Sendable {
  func profile(token: AccessToken) async throws(ServiceFailure) -> Profile.Values

  /// Changes these keys and no others.
  /// - Parameter changes: `null` removes a key.
  /// - Returns: what the account says then.
  /// - Throws: `refused` if the service has no place for it.
  func change(profile changes: Profile.Values, token: AccessToken) async throws(ServiceFailure) -> Profile.Values
}

/// Hearing of other devices' rows as they are stored.
public protocol LiveService: Sendable {
  /// Opens one connection and keeps it open until it fails or the stream is ended.
  /// - Parameter renewals: newer tokens for the connection while it is open.
  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error>
}

/// What a live connection reports. It is a hint without replay: rows before `isLive` and during gaps are not repeated.
public enum LiveSignal: Sendable {
  /// From here on rows are reported; what was stored before has to be pulled.
  case isLive
  case row(ServerRow)
  /// Something was stored that the connection could not carry.
  case somethingChanged
}

/// A bearer token and the user whom it speaks for.
public struct AccessToken: Sendable, Equatable, CustomStringConvertible {
  public let text: String
  public let userID: String

  public init(_ text: String, userID: String) {
    self.text = text
    self.userID = userID
  }

  /// Never the token itself: descriptions end up in logs.
  public var description: String { "access token" }
}

/// What a service hands out at sign-in and at each refresh.
public struct Grant: Sendable, Equatable, CustomStringConvertible {
  public let accessToken: String
  public let refreshToken: String
  public let userID: String
  public let email: String
  /// Seconds for which the access token lasts from now.
  public let expiresIn: Int64
  /// What the account says of its user; `nil` if the service did not tell.
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
