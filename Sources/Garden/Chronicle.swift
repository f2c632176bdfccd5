/// A garden that grows with its log: new events are applied at the end, late ones from the nearest checkpoint.
///
/// The chronicle does not hold the log. Where it needs events again it says after which place (`rewind(before:)`),
/// and its owner reads them from there.
public struct Chronicle: Sendable {
  public private(set) var garden: Garden
  /// Earlier states, oldest first. Gardens share their chunks, so that one costs little.
  private var checkpoints: [Garden] = []

  /// A checkpoint is taken after this many events…
  static let spacing = 256
  /// …and at most this many are kept: the newer half as they are, of the older half every second one.
  static let maximumCheckpoints = 32

  public init(_ garden: Garden) {
    self.garden = garden
  }

  /// Applies events that are in total order and all after `garden.lastKey`: constant time each, amortised.
  public mutating func advance(_ events: some Sequence<LoggedEvent>) {
    for logged in events {
      if garden.eventCount - (checkpoints.last?.eventCount ?? 0) >= Chronicle.spacing { keepCheckpoint() }
      garden.apply(logged)
    }
  }

  /// Goes back to the newest checkpoint before `key`, or to the start.
  /// - Returns: the place after which the understood events of the log must be applied again; `nil` for all of them.
  public mutating func rewind(before key: OrderKey) -> OrderKey? {
    while let last = checkpoints.last, let lastKey = last.lastKey, lastKey >= key { checkpoints.removeLast() }
    let ignoredCount = garden.ignoredCount
    garden = checkpoints.last ?? Garden(zone: garden.zone)
    garden.ignoredCount = ignoredCount
    return garden.lastKey
  }

  /// Whether new events can simply be applied, or the log has to be applied again from before them.
  /// - Parameter sorted: new events in total order.
  /// - Returns: the first of them if it is not after everything that was applied.
  public func needsRewind(for sorted: [LoggedEvent]) -> OrderKey? {
    guard let first = sorted.lazy.compactMap(\.event.orderKey).first, let last = garden.lastKey, first <= last
    else { return nil }
    return first
  }

  private mutating func keepCheckpoint() {
    guard garden.lastKey != nil else { return }
    checkpoints.append(garden)
    guard checkpoints.count > Chronicle.maximumCheckpoints else { return }
    let half = checkpoints.count / 2
    checkpoints =
      checkpoints[..<half].enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      + checkpoints[half...]
  }
}
