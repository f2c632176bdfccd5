/// Counts what happens and drains steadily, so that a burst is allowed and a higher rate than the drain is not.
struct LeakyBucket {
  private(set) var level = 0.0
  private(set) var at: Microseconds

  init(at instant: Microseconds) {
    at = instant
  }

  /// Counts one more, unless that is too much.
  /// - Parameters:
  ///   - capacity: how many may happen at once.
  ///   - rate: how many may happen in a second for ever.
  mutating func take(capacity: Double, rate: Double, now: Microseconds) -> Bool {
    level = max(0, level - max(0, Double(now.value - at.value)) / 1_000_000 * rate)
    at = now
    guard level + 1 <= capacity else { return false }
    level += 1
    return true
  }
}
