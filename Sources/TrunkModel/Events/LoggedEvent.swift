/// An event with its sequence number in the log.
public struct LoggedEvent: Sendable {
  /// Unique in its log, and independent of the order.
  public let seq: Int64
  public let event: Event

  public init(seq: Int64, event: Event) {
    self.seq = seq
    self.event = event
  }
}
