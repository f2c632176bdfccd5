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

extension Sequence where Element == LoggedEvent {
  /// The events by their numbers.
  public var bySeq: [Int64: Event] { Dictionary(map { ($0.seq, $0.event) }) { first, _ in first } }
}
