import Synchronization

/// Counts what each client does over time, and rejects or delays what is beyond its allowance.
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

    var allowance: Allowance {
      switch self {
      case .codes, .attempts: .every(300, 30)
      case .accounts: .every(86_400, 20)
      case .renewals: .every(300, 150)
      case .data: .every(300, 6000)
      case .connections: .every(300, 600)
      case .joins: .every(300, 3000)
      case .messages: .every(300, 30_000)
      // Reading 4 MiB or writing 2,000 messages takes about 40 ms of the thread that serves all clients.
      case .deliveries: Allowance(burst: 20_000, rate: 2000)
      // Two bodies of maximum size at once.
      case .bytes: Allowance(burst: Double(2 * ServerConfiguration.bodyLimit), rate: 4 * 1024 * 1024)
      }
    }
  }

  private struct Key: Hashable {
    let purpose: Purpose
    let client: String
  }

  /// The maximum delay of a client in seconds.
  static let longestDelay = 8.0

  /// Whether limits apply.
  let isOn: Bool
  private let now: @Sendable () -> Microseconds
  private let buckets = Mutex(Buckets<Key>())

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
    let (now, allowance) = (now(), purpose.allowance)
    let isAllowed = buckets.withLock { buckets in
      ClientAddress.counted(client).allSatisfy { name, share in
        buckets.update(Key(purpose: purpose, client: name), allowance.times(share), now: now) {
          $0.take(cost, now: now)
        }
      }
    }
    if !isAllowed { throw .tooManyRequests }
  }

  /// Counts bytes of a client.
  /// - Returns: seconds to wait before reading more of them, at most `longestDelay`.
  func delay(_ bytes: Int, client: String) -> Double {
    guard isOn else { return 0 }
    let (now, allowance) = (now(), Purpose.bytes.allowance)
    return buckets.withLock { buckets in
      ClientAddress.counted(client).map { name, share in
        buckets.update(Key(purpose: .bytes, client: name), allowance.times(share), now: now) {
          $0.add(Double(bytes), longest: RateLimiter.longestDelay, now: now)
        }
      }.max() ?? 0
    }
  }
}

extension Allowance {
  /// An amount in a period of seconds, which may all happen at once.
  fileprivate static func every(_ period: Double, _ amount: Double) -> Allowance {
    Allowance(burst: amount, rate: amount / period)
  }
}
