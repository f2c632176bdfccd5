import Synchronization

/// Counts the requests of each client and rejects those beyond its allowance.
final class RateLimiter: Sendable {
  /// What is counted separately.
  enum Purpose: Sendable, Hashable {
    /// Requests for sign-in codes.
    case codes
    /// Attempts with a code, and changes of the account.
    case attempts
    /// New accounts.
    case accounts
    /// Token refreshes.
    case renewals
    /// Reads and writes of events.
    case data
    /// Live connections.
    case connections
    /// Joins on live connections.
    case joins
    /// KiB of messages on live connections, which must be parsed.
    case messages
    /// Messages about new rows to all live connections of an account, which takes the place of the client.
    case deliveries
    /// Bytes of any kind. Those beyond the allowance are not rejected, but read later.
    case bytes

    /// The number of requests in `period`, which may all come at once.
    var allowance: Double {
      switch self {
      case .codes, .attempts: 30
      case .accounts: 20
      case .renewals: 150
      case .data: 6000
      case .connections: 600
      case .joins: 3000
      case .messages: 30_000
      case .deliveries: 20_000
      // Two bodies of maximum size.
      case .bytes: Double(2 * ServerConfiguration.bodyLimit)
      }
    }

    /// How much drains per second. Reading 4 MiB or writing 2,000 messages takes about 40 ms of the thread that serves
    /// all clients.
    fileprivate var rate: Double {
      switch self {
      case .bytes: 4 * 1024 * 1024
      case .deliveries: 2000
      default: allowance / period
      }
    }

    /// Seconds until a full bucket is empty.
    fileprivate var period: Double { self == .accounts ? 86_400 : 300 }
  }

  private struct Key: Hashable {
    let purpose: Purpose
    let client: String
  }

  /// The maximum number of remembered clients. Only an attack exceeds it.
  private static let capacity = 50_000
  /// The maximum delay of a client in seconds.
  static let longestDelay = 8.0

  /// Whether limits apply.
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
  ///   - cost: the number of requests that it counts as.
  ///   - client: its name, see `ClientAddress`.
  /// - Throws: `AuthError.tooManyRequests`
  func count(_ purpose: Purpose, cost: Double = 1, client: String) throws(AuthError) {
    guard isOn else { return }
    let now = now()
    let isAllowed = buckets.withLock { buckets in
      ClientAddress.counted(client).allSatisfy { name, share in
        RateLimiter.with(Key(purpose: purpose, client: name), &buckets, now) {
          $0.take(cost, capacity: purpose.allowance * Double(share), rate: purpose.rate * Double(share), now: now)
        }
      }
    }
    if !isAllowed { throw .tooManyRequests }
  }

  /// Counts bytes of a client.
  /// - Returns: seconds to wait before reading more of them, at most `longestDelay`.
  func delay(_ bytes: Int, client: String) -> Double {
    guard isOn else { return 0 }
    let (purpose, now) = (Purpose.bytes, now())
    return buckets.withLock { buckets in
      ClientAddress.counted(client).map { name, share in
        RateLimiter.with(Key(purpose: purpose, client: name), &buckets, now) {
          $0.add(
            Double(bytes), capacity: purpose.allowance * Double(share), rate: purpose.rate * Double(share),
            longest: RateLimiter.longestDelay, now: now)
        }
      }.max() ?? 0
    }
  }

  private static func with<Result>(
    _ key: Key, _ buckets: inout [Key: LeakyBucket], _ now: Microseconds, _ body: (inout LeakyBucket) -> Result
  ) -> Result {
    if buckets[key] == nil, buckets.count >= capacity { forget(&buckets, now) }
    return body(&buckets[key, default: LeakyBucket(at: now)])
  }

  /// Makes room. Removes clients without a recent request first: their buckets are empty again. If that is not enough,
  /// removes those that have used the smallest share of their allowance, so that many addresses can't make the server
  /// forget which client is over its limit.
  private static func forget(_ buckets: inout [Key: LeakyBucket], _ now: Microseconds) {
    buckets = buckets.filter { now.seconds - $0.value.at.seconds < Int64($0.key.purpose.period) }
    guard buckets.count >= capacity else { return }
    let middle = buckets.map(use).sorted()[capacity / 2]
    buckets = buckets.filter { use($0) > middle }
  }

  /// The share of its allowance that a client has used.
  private static func use(_ bucket: (key: Key, value: LeakyBucket)) -> Double {
    bucket.value.level / bucket.key.purpose.allowance
  }
}
