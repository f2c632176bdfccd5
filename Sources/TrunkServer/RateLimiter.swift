import Synchronization

/// Counts the requests of each client and refuses those above the allowance.
final class RateLimiter: Sendable {
  /// What is counted separately.
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
    /// Joins on live connections.
    case joins
    /// KiB of messages on live connections, which have to be parsed.
    case messages

    /// Requests in five minutes, and at once.
    var allowance: Double {
      switch self {
      case .codes, .attempts: 30
      case .renewals: 150
      case .data: 6000
      case .connections: 600
      case .joins: 3000
      case .messages: 30_000
      }
    }
  }

  private struct Key: Hashable {
    let purpose: Purpose
    let client: String
  }

  /// Seconds in which a full bucket drains.
  private static let period = 300.0
  /// Clients that are remembered; there are more only in an attack.
  private static let capacity = 50_000

  /// Whether anything is refused.
  let isOn: Bool
  private let now: @Sendable () -> Microseconds
  private let buckets = Mutex<[Key: LeakyBucket]>([:])

  init(isOn: Bool, now: @escaping @Sendable () -> Microseconds) {
    self.isOn = isOn
    self.now = now
  }

  /// - Throws: `AuthError.tooManyRequests`
  func count(_ purpose: Purpose, _ request: Request) throws(AuthError) {
    try count(purpose, client: request.peer)
  }

  /// - Parameters:
  ///   - cost: how many requests it counts as.
  ///   - client: as `ClientAddress` names it.
  /// - Throws: `AuthError.tooManyRequests`
  func count(_ purpose: Purpose, cost: Double = 1, client: String) throws(AuthError) {
    guard isOn else { return }
    let (key, now) = (Key(purpose: purpose, client: client), now())
    let isAllowed = buckets.withLock { buckets in
      if buckets[key] == nil, buckets.count >= RateLimiter.capacity { RateLimiter.forget(&buckets, now) }
      return buckets[key, default: LeakyBucket(at: now)].take(
        cost, capacity: purpose.allowance, rate: purpose.allowance / RateLimiter.period, now: now)
    }
    if !isAllowed { throw .tooManyRequests }
  }

  /// Makes room: clients that have asked for nothing for a while are as good as new. If that is not enough, those that
  /// have asked for the least go, so that a crowd of addresses doesn't make the server forget who is over the limit.
  private static func forget(_ buckets: inout [Key: LeakyBucket], _ now: Microseconds) {
    buckets = buckets.filter { now.seconds - $0.value.at.seconds < Int64(period) }
    guard buckets.count >= capacity else { return }
    let middle = buckets.values.map(\.level).sorted()[capacity / 2]
    buckets = buckets.filter { $0.value.level > middle }
  }
}
