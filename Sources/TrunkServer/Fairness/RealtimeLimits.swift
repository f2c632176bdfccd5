/// The limits of live connections. Together they bound the memory and the work of one account.
enum RealtimeLimits {
  /// Topics per connection: Supabase's default.
  static let channels = 100
  /// `postgres_changes` per join.
  static let subscriptionsPerJoin = 10
  /// `postgres_changes` per connection.
  static let subscriptions = 100
  /// Bytes of all filters of one connection.
  static let filterBytes = 8 << 10
  /// Topics and `postgres_changes` of a connection with a topic that was joined without an access token.
  static let anonymousChannels = 10
  /// Bytes per topic.
  static let topicBytes = 256
  /// Bytes per reference.
  static let referenceBytes = 64
  /// Joins per connection: at once, as after a reconnect, and per second.
  static let joins = Allowance(burst: 100, rate: 10)
  /// Messages per connection: at once and per second. Each KiB counts as one message.
  static let messages = Allowance(burst: 500, rate: 50)
  /// Connections that listen to one account.
  static let connectionsPerAccount = 50
  /// `postgres_changes` per account on all its connections: each new row is compared with every one.
  static let subscriptionsPerAccount = 200
  /// Unread bytes that wait for one connection, for all connections of one account, and for all of one client.
  static let unread = (ofConnection: 2 << 20, ofAccount: 8 << 20, ofClient: 16 << 20)
  /// The minimum number of bytes that a message counts as, so that at most 2,048 can wait.
  static let leastCost = 1 << 10
  /// Bytes of an account's new rows that wait for delivery.
  static let pendingBytes = 8 << 20
}

/// Why a join is rejected, in Supabase's form: a code and a sentence.
struct RealtimeRejection: Error {
  let reason: String

  init(_ code: String, _ sentence: String) {
    reason = "\(code): \(sentence)"
  }

  static let tooManyConnections = RealtimeRejection("ConnectionRateLimitReached", "Too many connected users")
  static let tooManyJoins = RealtimeRejection("ClientJoinRateLimitReached", "Too many joins per second")
  static let tooManyChannels = RealtimeRejection("ChannelRateLimitReached", "Too many channels")
  static let tooManySubscriptions = RealtimeRejection(
    "ChannelRateLimitReached", "Too many postgres_changes subscriptions")

  static func unsupported(_ feature: String) -> RealtimeRejection {
    RealtimeRejection("RealtimeDisabledForConfiguration", "This server does not support \(feature)")
  }
}
