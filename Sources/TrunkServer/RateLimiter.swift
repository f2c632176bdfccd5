import Synchronization

/// Counts what each client asks for and refuses what is too much, in buckets that fill up again steadily.
final class RateLimiter: Sendable {
  /// What is counted apart.
  enum Purpose: Sendable, Hashable {
    /// Sign-in codes.
    case codes
    /// Codes that are tried, and changes of the account.
    case attempts
    /// Refresh tokens.
    case renewals
    /// Events, read or written.
    case data
    /// Live connections.
    case connections

    /// Requests in five minutes, and at once.
    var allowance: Double {
      switch self {
      case .codes, .attempts: 30
      case .renewals: 150
      case .data: 6000
      case .connections: 600
      }
    }
  }

  private struct Key: Hashable {
    let purpose: Purpose
    let client: String
  }

  private struct Bucket {
    var level: Double
    var at: Microseconds
  }

  private static let period = 300_000_000.0
  /// Clients that are remembered; more come only with an attack, and then all are treated as new.
  private static let capacity = 50_000

  private let isOn: Bool
  private let now: @Sendable () -> Microseconds
  private let buckets = Mutex<[Key: Bucket]>([:])

  init(isOn: Bool, now: @escaping @Sendable () -> Microseconds) {
    self.isOn = isOn
    self.now = now
  }

  /// - Throws: `AuthError.tooManyRequests`
  func count(_ purpose: Purpose, _ request: Request) throws(AuthError) {
    guard isOn else { return }
    let (key, now) = (Key(purpose: purpose, client: request.peer), now())
    let isAllowed = buckets.withLock { buckets in
      if buckets.count >= RateLimiter.capacity {
        buckets = buckets.filter { Double(now.value - $0.value.at.value) < RateLimiter.period }
        if buckets.count >= RateLimiter.capacity { buckets = [:] }
      }
      var bucket = buckets[key] ?? Bucket(level: 0, at: now)
      let drained = Double(now.value - bucket.at.value) / RateLimiter.period * purpose.allowance
      bucket = Bucket(level: max(0, bucket.level - max(0, drained)), at: now)
      let isAllowed = bucket.level + 1 <= purpose.allowance
      if isAllowed { bucket.level += 1 }
      buckets[key] = bucket
      return isAllowed
    }
    if !isAllowed { throw .tooManyRequests }
  }
}
