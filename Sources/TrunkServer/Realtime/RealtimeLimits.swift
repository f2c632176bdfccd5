/// What one live connection and one account may listen to. It bounds the memory and the work of each new row.
enum RealtimeLimits {
  /// Topics per connection: Supabase's default.
  static let channels = 100
  /// `postgres_changes` per join.
  static let subscriptionsPerJoin = 10
  /// `postgres_changes` per connection.
  static let subscriptions = 100
  /// Bytes of all filters of one connection.
  static let filterBytes = 8 << 10
  /// Bytes per topic.
  static let topicBytes = 256
  /// Bytes per reference.
  static let referenceBytes = 64
  /// Connections that listen to one account.
  static let connectionsPerAccount = 50
  /// `postgres_changes` per account on all its connections: each new row is compared with every one.
  static let subscriptionsPerAccount = 200
  /// The minimum number of bytes that a message counts as, so that at most 2,048 can wait.
  static let leastCost = 1 << 10
  /// Bytes of an account's new rows that wait for delivery.
  static let pendingBytes = 8 << 20
}
