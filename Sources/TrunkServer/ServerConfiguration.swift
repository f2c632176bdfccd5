/// How a server runs.
public struct ServerConfiguration: Sendable {
  /// The folder of database, secret and backups: made with rights for its owner alone.
  public var folder: String
  /// The address of one interface, in digits.
  public var host = "127.0.0.1"
  /// 0 lets the system choose.
  public var port: UInt16 = 8787
  /// What clients send as `apikey`. It tells servers apart; it is no secret.
  public var keys = ["trunk"]
  /// Seconds for which access tokens are good; those of our own interface never last longer than a quarter of an hour.
  public var accessTokenLife: Int64 = 3600
  /// Seconds in which a refresh token may be used again after its first use.
  public var reuseWindow: Int64 = 10
  /// Addresses, or domains with an `@` before them, that may sign in; empty lets everybody.
  public var allowed: [String] = []
  /// Whether requests are counted and refused when they are too many.
  public var limitsRates = true
  /// Open connections.
  public var connectionLimit = 2000
  /// Hours between two backups; 0 makes none.
  public var backupInterval = 24
  /// Rows that one account may have.
  public var accountRowLimit = 2_000_000
  /// Bytes that the rows of one account may have, as `usage` counts them.
  public var accountByteLimit = 1 << 30
  /// How sign-in codes reach people.
  public var delivery: any CodeDelivery
  /// Replaced by tests of what takes long.
  var now: @Sendable () -> Microseconds = { .now }

  public init(folder: String, delivery: any CodeDelivery) {
    self.folder = folder
    self.delivery = delivery
  }

  /// Open connections of one client, so that no client takes all of them.
  static let connectionsPerClient = 100
  /// Bytes of `data` with a request for a sign-in code, as JSON: anybody may ask for a code to anybody's address.
  static let requestMetadataLimit = 4 << 10
  /// Bytes of what clients keep at an account, as JSON.
  static let metadataLimit = 64 << 10
  /// Seconds for which a sign-in code is good.
  static let codeLife: Int64 = 600
  /// Seconds for which an address is refused after too many wrong codes, and in which they are counted.
  static let lockTime: Int64 = 900
  static let wrongCodesAllowed = 5
  /// Seconds until another code is sent to the same address.
  static let codeInterval: Int64 = 60
  /// Seconds without use after which a session ends: 60 days.
  static let sessionIdleLife: Int64 = 60 * 86_400
  /// Seconds for which access tokens of our own interface are good, at most.
  static let ownTokenLife: Int64 = 900
  /// Rows in one answer, at most.
  static let rowLimit = 1000
  /// Rows in one request, at most: 2,000 keep the writer for some ten milliseconds.
  static let batchLimit = 2000
  /// Bytes of one row's texts, at most. A journal text has 2,000 characters, so no client comes near it.
  static let rowByteLimit = 256 << 10
  /// Bytes of a `client_id`, at most: PostgreSQL can't index more.
  static let clientIDByteLimit = 2704
  /// How long one query may run.
  static let queryTime = Duration.seconds(3)
  /// Bytes of rows in one part of an answer: what the server keeps in memory for a client that reads slowly.
  static let partSize = 256 << 10
  /// Rows and bytes that a DELETE with `return=representation` may return.
  static let returnedRowLimit = 1000
  static let returnedByteLimit = 8 << 20
  /// Seconds without anything from a client after which its connection ends.
  static let patience: Int64 = 60
  /// Seconds in which a request has to arrive, from its first byte to its last.
  static let requestTime: Int64 = 30
  /// Bytes of one request's body, at most.
  static let bodyLimit = 8 << 20
  /// Bytes of the body of a request without a good access token: those who have no account must not be able to fill the
  /// memory, with as many connections as there may be.
  static let strangerBodyLimit = 64 << 10
  /// Bytes of a request's body about accounts, at most.
  static let authBodyLimit = 1 << 20
}

/// Brings sign-in codes to the people they are for.
public protocol CodeDelivery: Sendable {
  /// Returns at once; what goes wrong later is logged without address and code.
  func deliver(code: String, to address: String)
}

/// Prints codes, for trying things out and for tests.
public struct PrintedCodes: CodeDelivery {
  public init() {}

  public func deliver(code: String, to address: String) {
    Log.printLine("code for \(address): \(code)")
  }
}
