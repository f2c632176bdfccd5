import EventStore
import TrunkModel

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
