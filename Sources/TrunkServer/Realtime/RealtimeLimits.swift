/// How much live connections may ask for. Together the limits bound the memory and the work of one account.
enum RealtimeLimits {
  /// Topics of one connection: Supabase's default.
  static let channels = 100
  /// `postgres_changes` of one join.
  static let subscriptionsPerJoin = 10
  /// `postgres_changes` of one connection.
  static let subscriptions = 100
  /// Bytes of all filters of one connection.
  static let filterBytes = 8 << 10
  /// Topics and `postgres_changes` of a connection that has not shown an access token.
  static let anonymousChannels = 10
  /// Bytes of a topic.
  static let topicBytes = 256
  /// Bytes of a reference.
  static let referenceBytes = 64
  /// Joins of one connection at once, as when a client comes back, and in a second.
  static let joins = (burst: 100.0, rate: 10.0)
  /// Messages of one connection at once, and in a second; each KiB counts as one.
  static let messages = (burst: 500.0, rate: 50.0)
  /// Connections that listen to one account.
  static let connectionsPerAccount = 50
  /// `postgres_changes` of one account on all its connections: every new row is compared with each.
  static let subscriptionsPerAccount = 200
  /// Bytes that wait for one connection, and for all of one account, because the clients don't read.
  static let backlog = 2 << 20
  static let backlogPerAccount = 8 << 20
  /// Bytes that a message counts as, at least: 2,048 may wait.
  static let leastCost = 1 << 10
  /// Bytes of new rows of one account that wait to be told.
  static let pendingBytes = 8 << 20
}

/// Why a join is refused, in the form that Supabase uses: a code and a sentence.
struct RealtimeRefusal: Error {
  let reason: String

  init(_ code: String, _ sentence: String) {
    reason = "\(code): \(sentence)"
  }

  static let tooManyConnections = RealtimeRefusal("ConnectionRateLimitReached", "Too many connected users")
  static let tooManyJoins = RealtimeRefusal("ClientJoinRateLimitReached", "Too many joins per second")
  static let tooManyChannels = RealtimeRefusal("ChannelRateLimitReached", "Too many channels")
  static let tooManySubscriptions = RealtimeRefusal(
    "ChannelRateLimitReached", "Too many postgres_changes subscriptions")

  static func unsupported(_ feature: String) -> RealtimeRefusal {
    RealtimeRefusal("RealtimeDisabledForConfiguration", "This server does not support \(feature)")
  }
}
