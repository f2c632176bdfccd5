/// How much may happen over time.
struct Allowance: Sendable {
  /// The amount that may happen at once.
  let burst: Double
  /// The amount per second that may go on forever.
  let rate: Double

  /// A share of the allowance for more than one client.
  func times(_ count: Int) -> Allowance { Allowance(burst: burst * Double(count), rate: rate * Double(count)) }
}

/// Counts costs and drains at a steady rate. It allows bursts, but no lasting rate above the drain.
struct LeakyBucket: Sendable {
  let allowance: Allowance
  private var level = 0.0
  private var at: Microseconds

  init(_ allowance: Allowance, at instant: Microseconds) {
    self.allowance = allowance
    at = instant
  }

  /// Adds a cost, unless the level would exceed the burst.
  mutating func take(_ cost: Double = 1, now: Microseconds) -> Bool {
    drain(now)
    guard level + cost <= allowance.burst else { return false }
    level += cost
    return true
  }

  /// Adds a cost that has already arisen.
  /// - Parameter longest: the maximum result, in seconds. Costs beyond it are not counted.
  /// - Returns: seconds until the level is back at the burst.
  mutating func add(_ cost: Double, longest: Double, now: Microseconds) -> Double {
    drain(now)
    level = min(level + cost, allowance.burst + longest * allowance.rate)
    return max(0, level - allowance.burst) / allowance.rate
  }

  /// The costs that have not drained yet.
  func level(_ now: Microseconds) -> Double {
    max(0, level - max(0, Double(now.value - at.value)) / 1_000_000 * allowance.rate)
  }

  /// After the clock was set back, costs drain from the new time on.
  private mutating func drain(_ now: Microseconds) { (level, at) = (level(now), now) }
}

/// A bucket for each name.
struct Buckets<Name: Hashable & Sendable>: Sendable {
  /// The maximum number of names. Only an attack exceeds it.
  private static var capacity: Int { 50_000 }

  private var buckets: [Name: LeakyBucket] = [:]

  /// Changes the bucket of a name, which is empty at first.
  mutating func update<Result>(
    _ name: Name, _ allowance: Allowance, now: Microseconds, _ body: (inout LeakyBucket) -> Result
  ) -> Result {
    if buckets[name] == nil, buckets.count >= Self.capacity { makeRoom(now) }
    return body(&buckets[name, default: LeakyBucket(allowance, at: now)])
  }

  /// The costs of a name that have not drained yet.
  func level(_ name: Name, now: Microseconds) -> Double { buckets[name]?.level(now) ?? 0 }

  /// Removes empty buckets. If that is not enough, removes those that have used the smallest share of their allowance,
  /// so that many addresses can't make the server forget which client is over its limit.
  private mutating func makeRoom(_ now: Microseconds) {
    buckets = buckets.filter { $0.value.level(now) > 0 }
    guard buckets.count >= Self.capacity else { return }
    func use(_ bucket: LeakyBucket) -> Double { bucket.level(now) / bucket.allowance.burst }
    let middle = buckets.values.map(use).sorted()[Self.capacity / 2]
    buckets = buckets.filter { use($0.value) > middle }
  }
}
