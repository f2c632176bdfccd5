import TrunkModel

/// An event to upload, as a row of the table.
public struct OutgoingRow: Sendable {
  public let event: Event
  /// The unique `client_id` under which the row is stored.
  public let clientID: String

  /// An old event without a `client_id` gets one derived from its text, so that sending it twice stores it once.
  public init(_ event: Event) {
    self.event = event
    clientID = event.identity
  }

  /// Returns the columns `type`, `payload`, `client_id` and `client_timestamp`, and `user_id` for services that need
  /// it. All rows of a batch must have the same keys, so none is left out. `client_timestamp` is always a text, because
  /// another client can't read any page with a row where it is null.
  public func json(userID: String?) -> JSON {
    let json = event.json
    // The server rejects a row with null, so that a text that isn't an object never becomes an event there.
    let payload = json.members == nil ? .null : json
    let user = userID.map { [JSON.Member("user_id", .string($0))] } ?? []
    return .object(
      user + [
        .init("type", .string(event.type)), .init("payload", payload), .init("client_id", .string(clientID)),
        .init("client_timestamp", .string(payload["timestamp"]?.text ?? "")),
      ])
  }
}
