/// The time that the recent queries of accounts, or of clients, took.
struct ReadingTime {
  /// The reading time, in seconds, above which an account or client counts as busy: a few pages with large payloads.
  private static let allowance = 0.1
  /// The seconds of reading that are forgotten per second: twenty busy accounts keep one thread busy with short
  /// queries.
  private static let rate = 0.05
  /// Seconds without queries after which everything is forgotten.
  private static let longest = 200.0
  /// The number of names above which idle ones are removed.
  private static let cleanUpCount = 500

  private var buckets: [String: LeakyBucket] = [:]

  mutating func add(_ seconds: Double, for name: String, now: Microseconds) {
    if buckets.count > ReadingTime.cleanUpCount {
      buckets = buckets.filter { ReadingTime.level($0.value, now) > 0 }
    }
    var bucket = buckets[name] ?? LeakyBucket(at: now)
    ReadingTime.add(seconds, to: &bucket, now)
    buckets[name] = bucket
  }

  /// The seconds of reading that are not forgotten yet.
  func used(by name: String, now: Microseconds) -> Double {
    buckets[name].map { ReadingTime.level($0, now) } ?? 0
  }

  func isOver(_ name: String, now: Microseconds) -> Bool { used(by: name, now: now) > ReadingTime.allowance }

  private static func level(_ bucket: LeakyBucket, _ now: Microseconds) -> Double {
    var bucket = bucket
    add(0, to: &bucket, now)
    return bucket.level
  }

  private static func add(_ seconds: Double, to bucket: inout LeakyBucket, _ now: Microseconds) {
    _ = bucket.add(seconds, capacity: allowance, rate: rate, longest: longest, now: now)
  }
}
