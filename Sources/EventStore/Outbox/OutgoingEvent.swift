import TrunkModel

/// An event that is about to be sent.
public struct OutgoingEvent: Sendable {
  public let seq: Int64
  /// The event as it is in the log.
  public let content: Event

  /// The event's text.
  public var raw: String { content.raw }
  /// The event's `client_id` on the server.
  public var clientID: String { content.identity }
}
