/// Counts costs and drains at a steady rate. It allows bursts, but no lasting rate above the drain.
struct LeakyBucket {
  private(set) var level = 0.0
  private(set) var at: Microseconds

  init(at instant: Microseconds) {
    at = instant
  }

  /// Adds a cost, unless the level would exceed the capacity.
  /// - Parameters:
  ///   - cost: the amount to add.
  ///   - capacity: the largest possible burst.
  ///   - rate: the amount that drains per second.
  mutating func take(_ cost: Double = 1, capacity: Double, rate: Double, now: Microseconds) -> Bool {
    drain(rate, now)
    guard level + cost <= capacity else { return false }
    level += cost
    return true
  }

  /// Adds a cost that has already arisen.
  /// - Parameter longest: the maximum result, in seconds. Costs beyond it are not counted.
  /// - Returns: seconds until the level is back at the capacity.
  mutating func add(_ cost: Double, capacity: Double, rate: Double, longest: Double, now: Microseconds) -> Double {
    drain(rate, now)
    level = min(level + cost, capacity + longest * rate)
    return max(0, level - capacity) / rate
  }

  private mutating func drain(_ rate: Double, _ now: Microseconds) {
    level = max(0, level - max(0, Double(now.value - at.value)) / 1_000_000 * rate)
    at = now
  }
}
