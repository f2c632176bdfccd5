import EventStore

/// The position and `client_id` of a server row, for comparisons.
public struct RowIdentity: Sendable, Equatable {
  public let position: Cursor
  /// `nil` for rows of old clients that have none.
  public let clientID: String?

  public init(position: Cursor, clientID: String?) {
    self.position = position
    self.clientID = clientID
  }
}
