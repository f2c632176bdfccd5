extension Budget {
  /// What is counted separately.
  enum Resource: Hashable, Sendable {
    /// Requests of any kind but those below, and joins on live connections.
    case requests
    /// Requests for sign-in codes.
    case codes
    /// Attempts with a code, and changes of the account.
    case attempts
    /// Token refreshes.
    case renewals
    /// New accounts.
    case accounts
    /// Bytes of any kind. Those beyond the allowance are not rejected, but read later: see `Pace`.
    case bytes
    /// Messages about new rows on all live connections of an account.
    case deliveries
    /// Seconds of reading. Beyond the allowance, queries count as long: see `ReaderPool`.
    case reading
    /// Short queries that run.
    case shortQueries
    /// Queries that wait or run.
    case queries
    case connections
    /// Bytes of large request bodies in memory.
    case bodies
    /// Bytes of deleted rows that clients want returned. They are counted separately, so that clients that read slowly
    /// can't keep others from uploading.
    case returnedRows
    /// Bytes of messages that wait for a client to read them.
    case unread

    /// How much a holder may use; `nil` if it isn't limited.
    func allowance(of holder: Holder) -> Allowance? {
      switch (self, holder) {
      case (.requests, .client): .every(300, 6000)
      case (.codes, .client), (.attempts, .client): .every(300, 30)
      case (.renewals, .client): .every(300, 150)
      case (.accounts, .client): .every(86_400, 20)
      // Two bodies of maximum size at once. Reading 4 MiB or writing 2,000 messages takes about 40 ms of the thread
      // that serves all clients.
      case (.bytes, .client): Allowance(burst: 16 * Budget.mebibyte, rate: 4 * Budget.mebibyte)
      case (.deliveries, .account): Allowance(burst: 20_000, rate: 2000)
      // A few pages with large payloads. Twenty busy accounts keep one thread busy with short queries.
      case (.reading, .account), (.reading, .client): Allowance(burst: 0.1, rate: 0.05)
      case (.shortQueries, .account), (.shortQueries, .client): .held(1)
      case (.queries, .account): .held(64)
      case (.connections, .client): .held(100)
      case (.bodies, .everyone), (.returnedRows, .everyone): .held(48 * Budget.mebibyte)
      case (.bodies, .account), (.bodies, .client), (.returnedRows, .account), (.returnedRows, .client):
        .held(16 * Budget.mebibyte)
      case (.unread, .connection): .held(2 * Budget.mebibyte)
      case (.unread, .account): .held(8 * Budget.mebibyte)
      case (.unread, .client): .held(16 * Budget.mebibyte)
      default: nil
      }
    }
  }

  private static let mebibyte = Double(1 << 20)
}

extension Budget.Allowance {
  /// An amount in a period of seconds, which may all be used at once.
  fileprivate static func every(_ period: Double, _ amount: Double) -> Budget.Allowance {
    Budget.Allowance(burst: amount, rate: amount / period)
  }

  /// An amount that is held until it is given back.
  fileprivate static func held(_ amount: Double) -> Budget.Allowance { Budget.Allowance(burst: amount, rate: 0) }
}
