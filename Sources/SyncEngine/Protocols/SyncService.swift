import EventStore
import TrunkModel

/// A service that stores events for several devices: Supabase or a self-hosted server.
public struct SyncService: Sendable {
  public let events: any EventService
  public let account: any AccountService
  public let live: any LiveService

  public init(events: any EventService, account: any AccountService, live: any LiveService) {
    self.events = events
    self.account = account
    self.live = live
  }
}

/// The user's account at a sync service.
public typealias AccountService = AuthService & ProfileService

/// The table of events, as one user sees it. Every call is one request, limited to the user of the token.
public protocol EventService: Sendable {
  /// Checks, without a user, that the service is at the address, that the key is right and that the table exists.
  func check() async throws(ServiceFailure)

  /// Returns up to `limit` rows after a position, in the server's order. The service may return fewer: only an empty
  /// page is the last.
  /// - Parameter position: `nil` starts with the first row. An empty `id` includes all rows at that exact instant.
  func rows(after position: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [ServerRow]

  /// Returns the same rows without their content.
  func identities(after position: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [RowIdentity]

  /// Returns the number of the user's rows and the newest time, which shows whether anything has changed.
  /// - Throws: `unintelligible` unless the response is certainly from the service.
  func head(token: AccessToken) async throws(ServiceFailure) -> TableHead

  /// Stores all of these rows or none. Rows whose `client_id` already exists are skipped.
  /// - Returns: the rows that were stored; the others existed before.
  /// - Throws: `rejected` if the service will never accept one of them.
  func insert(_ rows: [OutgoingRow], token: AccessToken) async throws(ServiceFailure) -> [Receipt]

  /// Stores a row if its `client_id` is new.
  /// - Returns: `nil` if the service says that the `client_id` exists.
  /// - Throws: `unintelligible` unless the response is certainly from the service; `rejected` as `insert`.
  func insertNew(_ row: OutgoingRow, token: AccessToken) async throws(ServiceFailure) -> Receipt?

  /// Returns the user's rows with these `client_id`s, 100 at most.
  func find(clientIDs: [String], token: AccessToken) async throws(ServiceFailure) -> [Receipt]

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

  /// More rows than any table has: a larger count can't come from the server. JSON numbers are exact up to this value.
  package static let maxRows = 1 << 53
}

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

/// The account's profile. Every call is one request, limited to the user of the token.
public protocol ProfileService: Sendable {
  func profile(token: AccessToken) async throws(ServiceFailure) -> Profile.Values

  /// Changes only the given keys.
  /// - Parameter changes: `null` removes a key.
  /// - Returns: the profile after the change.
  /// - Throws: `rejected` if the service can't store the profile.
  func change(profile changes: Profile.Values, token: AccessToken) async throws(ServiceFailure) -> Profile.Values
}

/// A live connection that reports rows as they are stored.
public protocol LiveService: Sendable {
  /// Opens one connection and keeps it open until it fails or the stream ends.
  /// - Parameter renewals: newer tokens for the connection while it is open.
  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error>
}

/// A message of a live connection. There is no replay: rows before `isLive` and during gaps are not repeated.
public enum LiveSignal: Sendable {
  /// The connection reports rows from now on; earlier rows must be pulled.
  case isLive
  case row(ServerRow)
  /// A row was stored that the connection could not report.
  case somethingChanged
}

/// A bearer token and its user.
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
