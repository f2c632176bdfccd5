import TrunkModel

/// One row of the server's table `events`, with the event that it holds.
public struct ServerRow: Sendable {
  /// The server's ID of the row, a UUID.
  public let id: String
  /// When the transaction that wrote the row began, exactly as the server wrote it, to the microsecond.
  public let createdAt: String
  public let event: Event

  public init(id: String, createdAt: String, event: Event) {
    self.id = id
    self.createdAt = createdAt
    self.event = event
  }

  public var position: Cursor { Cursor(createdAt: createdAt, id: id) }
}

/// A position in the server's order of rows: `created_at`, then `id`.
public struct Cursor: Sendable, Hashable {
  /// The server's own text. It is never parsed and formatted again: rounding would repeat or skip rows.
  public let createdAt: String
  public let id: String

  public init(createdAt: String, id: String) {
    self.createdAt = createdAt
    self.id = id
  }
}

/// The server's receipt for an outgoing row.
public struct Receipt: Sendable, Equatable {
  public let clientID: String
  /// The server's ID of the row and the time when it was stored; `nil` if the service doesn't report them.
  public let id: String?
  public let createdAt: String?

  public init(clientID: String, id: String?, createdAt: String?) {
    self.clientID = clientID
    self.id = id
    self.createdAt = createdAt
  }
}

extension Event {
  /// A `client_id` in the usual format for an event that has none. It is the same on every device.
  package var derivedClientID: String {
    Event.newClientID(at: instant, for: canonicalText)
  }

  /// Returns a `client_id` in the usual format: the instant, a hyphen, and eight hexadecimal digits of the text's
  /// digest.
  static func newClientID(at instant: Instant?, for text: String) -> String {
    derivationPrefix(instant) + derivationDigits(text)
  }

  /// Whether the event with this content and instant would get this `client_id`.
  package static func isDerived(_ clientID: String, from json: JSON, at instant: Instant?) -> Bool {
    let prefix = derivationPrefix(instant)
    return clientID.utf8.count == prefix.utf8.count + 8 && clientID.hasPrefix(prefix)
      && clientID.hasSuffix(derivationDigits(json.canonicalText))
  }

  private static func derivationPrefix(_ instant: Instant?) -> String { (instant?.description ?? "undated") + "-" }

  private static func derivationDigits(_ canonicalText: String) -> String {
    SHA256().digest(of: canonicalText).prefix(4).hexadecimal
  }

  /// The `client_id` under which the server stores the event.
  package var identity: String { clientID ?? derivedClientID }
}
