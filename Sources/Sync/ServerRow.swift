import Garden
import GardenStore

extension ServerRow {
  /// Decodes a row as REST and realtime give it: `id`, `created_at`, `type`, `payload`, `client_id`, `client_timestamp`.
  ///
  /// Some clients store the whole event in `payload`, others only what the columns do not say: what is missing
  /// there comes from the columns. A payload that is no event at all is kept like one that nobody understands.
  /// - Returns: `nil` if a column that every row has is missing or of another type.
  public init?(_ json: JSON) {
    guard let id = json["id"]?.text, let createdAt = json["created_at"]?.text, let payload = json["payload"]
    else { return nil }
    var members: [JSON.Member] =
      switch payload {
      case .object(let members): members
      case .null: []
      default: [JSON.Member("payload", payload)]
      }
    func complete(_ name: String, from column: String) {
      guard !members.contains(where: { $0.name.decoded == name }), let value = json[column]?.text else { return }
      members.append(JSON.Member(name, .string(value)))
    }
    complete("type", from: "type")
    complete("timestamp", from: "client_timestamp")
    guard let anonymous = try? Event(json: JSON.object(members).compactText) else { return nil }
    // An event that had no `client_id` when it was sent comes back as it was.
    if anonymous.clientID == nil, json["client_id"]?.text != anonymous.derivedClientID {
      complete("client_id", from: "client_id")
    }
    guard let event = try? Event(json: JSON.object(members).compactText) else { return nil }
    self.init(id: id, createdAt: createdAt, event: event)
  }
}

/// An event on its way to the server, as a row of the table.
public struct OutgoingRow: Sendable {
  public let event: Event
  /// The unique `client_id` under which the row is stored.
  public let clientID: String

  /// An old event without a `client_id` gets one that is made of its text, so that sending it twice stores it once.
  public init(_ event: Event) {
    self.event = event
    clientID = event.identity
  }

  /// The columns `type`, `payload`, `client_id` and `client_timestamp`, and `user_id` for services that want it. All
  /// rows have the same keys, as a batch must.
  public func json(userID: String?) -> JSON {
    let payload = (try? JSON(event.raw)) ?? .object([])  // this text was read before: it parses
    let user = userID.map { [JSON.Member("user_id", .string($0))] } ?? []
    return .object(
      user + [
        .init("type", .string(event.type)), .init("payload", payload), .init("client_id", .string(clientID)),
        .init("client_timestamp", payload["timestamp"]?.text.map { .string($0) } ?? .null),
      ])
  }
}
