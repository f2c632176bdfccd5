/// Counts what happens and drains steadily, so that a burst is allowed and a higher rate than the drain is not.
struct LeakyBucket {
  private(set) var level = 0.0
  private(set) var at: Microseconds

  init(at instant: Microseconds) {
    at = instant
  }

  /// Counts more, unless that is too much.
  /// - Parameters:
  ///   - cost: how many.
  ///   - capacity: how many may happen at once.
  ///   - rate: how many may happen in a second for ever.
  mutating func take(_ cost: Double = 1, capacity: Double, rate: Double, now: Microseconds) -> Bool {
    level = max(0, level - max(0, Double(now.value - at.value)) / 1_000_000 * rate)
    at = now
    guard level + cost <= capacity else { return false }
    level += cost
    return true
  }
}
