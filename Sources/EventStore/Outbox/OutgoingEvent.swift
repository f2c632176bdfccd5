import TrunkModel

/// An event that is about to be sent.
public struct OutgoingEvent: Sendable {
  public let seq: Int64
  public let event: Event

  /// The event's `client_id` on the server.
  public var clientID: String { event.identity }
}
