/// A garden that grows with its log: new events are applied at the end, late ones after a rewind to a checkpoint.
///
/// The projection does not hold the log. If events must be applied again, `rewind(before:)` returns the position after
/// which its owner must read them.
public struct Projection: Sendable {
  public private(set) var garden: Garden
  /// Earlier states, oldest first. They cost little, because gardens share their chunks.
  private var checkpoints: [Garden] = []

  /// A checkpoint is taken after this many events.
  static let spacing = 256
  /// At most this many checkpoints are kept. Beyond that, every second one of the older half is removed.
  static let maximumCheckpoints = 32

  public init(_ garden: Garden) {
    self.garden = garden
  }

  /// Applies events that are in total order and all after `garden.lastKey`, in amortised constant time each.
  public mutating func advance(_ events: some Sequence<LoggedEvent>) {
    for logged in events {
      if garden.eventCount - (checkpoints.last?.eventCount ?? 0) >= Projection.spacing { saveCheckpoint() }
      garden.apply(logged)
    }
  }

  /// Goes back to the newest checkpoint before `key`, or to the start.
  /// - Returns: the position after which the understood events of the log must be applied again; `nil` for all of them.
  public mutating func rewind(before key: OrderKey) -> OrderKey? {
    while let last = checkpoints.last, let lastKey = last.lastKey, lastKey >= key { checkpoints.removeLast() }
    let ignoredCount = garden.ignoredCount
    garden = checkpoints.last ?? Garden(zones: garden.zones)
    garden.ignoredCount = ignoredCount
    return garden.lastKey
  }

  /// Checks whether new events can be applied at the end, or the log must be rewound first.
  /// - Parameter sorted: new events in total order.
  /// - Returns: the first new event's key if it isn't after every applied event; otherwise `nil`.
  public func needsRewind(for sorted: [LoggedEvent]) -> OrderKey? {
    guard let first = sorted.lazy.compactMap(\.event.orderKey).first, let last = garden.lastKey, first <= last
    else { return nil }
    return first
  }

  private mutating func saveCheckpoint() {
    guard garden.lastKey != nil else { return }
    checkpoints.append(garden)
    guard checkpoints.count > Projection.maximumCheckpoints else { return }
    let half = checkpoints.count / 2
    checkpoints =
      checkpoints[..<half].enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      + checkpoints[half...]
  }
}
