import Garden
import GardenStore

/// One row of the server's table `events`, with the event that it holds.
public struct ServerRow: Sendable {
  /// The server's id of the row, a UUID.
  public let id: String
  /// When the transaction that wrote the row began, exactly as the server wrote it, to the microsecond.
  public let createdAt: String
  public let event: Event

  public init(id: String, createdAt: String, event: Event) {
    self.id = id
    self.createdAt = createdAt
    self.event = event
  }

  public var place: Cursor { Cursor(createdAt: createdAt, id: id) }

  /// Decodes a row as REST and realtime give it: `id`, `created_at`, `type`, `payload`, `client_id`, `client_timestamp`.
  ///
  /// Some clients store the whole event in `payload`, others only what the columns do not say: what is missing
  /// there comes from the columns.
  /// - Returns: `nil` if a column that every row has is missing or of another type.
  public init?(_ json: JSON) {
    guard let id = json["id"]?.text, let createdAt = json["created_at"]?.text,
      case .object(var members) = json["payload"]
    else { return nil }
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

/// A place in the server's order of rows: `created_at`, then `id`.
public struct Cursor: Sendable, Hashable {
  /// The server's own text, never parsed and printed again: rounding it would fetch or skip rows.
  public let createdAt: String
  public let id: String

  public init(createdAt: String, id: String) {
    self.createdAt = createdAt
    self.id = id
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
    clientID = event.clientID ?? event.derivedClientID
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

/// What became of an outgoing row.
public struct Landing: Sendable, Equatable {
  public let clientID: String
  public let id: String
  public let createdAt: String

  public init(clientID: String, id: String, createdAt: String) {
    self.clientID = clientID
    self.id = id
    self.createdAt = createdAt
  }
}

extension Event {
  /// A `client_id` for an event that has none: of the usual form, and the same on every device that has the same event.
  package var derivedClientID: String {
    let digits = SHA256.digest(of: canonicalText).prefix(4).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return (instant?.description ?? "undated") + "-" + digits.joined()
  }
}
