/// The configuration of a server.
public struct ServerConfiguration: Sendable {
  /// The folder of database, secret and backups. Only its owner can read it.
  public var folder: String
  /// The numeric address of a network interface.
  public var host = "127.0.0.1"
  /// 0 lets the system choose a port.
  public var port: UInt16 = 8787
  /// The keys that the server accepts as `apikey`. Keys distinguish servers; they are not secret.
  public var keys = ["trunk"]
  /// Seconds until access tokens expire. Those of the plain interface last 15 minutes at most.
  public var accessTokenLife: Int64 = 3600
  /// Seconds after its first use during which a refresh token can be used again.
  public var reuseWindow: Int64 = 10
  /// Addresses, or domains with a leading `@`, that may create an account. An empty list allows everyone.
  public var allowed: [String] = []
  /// Whether clients that send too many requests are rejected.
  public var limitsRates = true
  /// The maximum number of open connections.
  public var connectionLimit = 2000
  /// Hours between two backups; 0 disables them.
  public var backupInterval = 24
  /// The maximum number of rows per account.
  public var accountRowLimit = 2_000_000
  /// The maximum size of an account's rows in bytes, as counted by the `usage` table.
  public var accountByteLimit = 1 << 30
  /// The maximum size of the database in bytes, without its unused pages; `nil` for none.
  public var databaseByteLimit: Int?
  /// The port of 127.0.0.1 on which metrics are served; 0 lets the system choose one, `nil` serves none.
  public var metricsPort: UInt16?
  /// Delivers sign-in codes to users.
  public var delivery: any CodeDelivery
  /// Tests replace the clock so that they don't have to wait.
  var now: @Sendable () -> Microseconds = { .now }
  /// Measures the disk of a folder. Tests replace it by a small one.
  var diskSpace: @Sendable (_ folder: String) throws -> DiskSpace = { try DiskSpace(folder: $0) }

  public init(folder: String, delivery: any CodeDelivery) {
    self.folder = folder
    self.delivery = delivery
  }

  /// The maximum size of `data` in a request for a sign-in code, as JSON, in bytes. It is small because anyone can
  /// request a code for any address.
  static let requestMetadataLimit = 4 << 10
  /// The maximum size of the user metadata, as JSON, in bytes.
  static let metadataLimit = 64 << 10
  /// The maximum size of a change of the user metadata, as JSON, in bytes. A change can replace all of it.
  static let metadataChangeLimit = 2 * metadataLimit
  /// Seconds until a sign-in code expires.
  static let codeLife: Int64 = 600
  /// Seconds by which a recorded time may be ahead of the clock, because clocks are corrected in small steps. A later
  /// one was recorded by a clock that was wrong.
  static let clockTolerance: Int64 = 600
  /// Seconds during which a client's wrong codes for an address are counted, and for which the address is locked for
  /// this client after too many of them.
  static let lockTime: Int64 = 900
  static let wrongCodesAllowed = 5
  /// The same for the wrong codes of all clients. At most two codes of an address are valid at once, so guesses from
  /// many clients find one with a probability of 50 × 2 in a million in an hour.
  static let addressLockTime: Int64 = 3600
  static let wrongCodesOfAddress = 50
  /// Seconds until the same client can ask for another code for the same address.
  static let codeInterval: Int64 = 60
  /// The maximum number of mails to an address during `codeLife`, while a code in one of them is valid.
  static let mailsPerAddress = 6
  /// Seconds without use, while the server runs, after which a session ends: 60 days.
  static let sessionIdleLife: Int64 = 60 * 86_400
  /// The largest step of the clock, in seconds, that counts as time without use. The server looks at the clock hourly.
  static let clockStep: Int64 = 86_400
  /// The maximum number of remembered refresh tokens of a session.
  static let tokensPerSession: Int64 = 2000
  /// The maximum number of seconds until access tokens of the plain interface expire.
  static let plainTokenLife: Int64 = 900
  /// The maximum number of rows in one response.
  static let rowLimit = 1000
  /// The maximum number of rows in one request. 2,000 rows occupy the writer for about 25 ms.
  static let batchLimit = 2000
  /// The maximum size of all rows of one request, as text, in bytes. The writer stores them in one transaction: 1 MiB
  /// takes about 3 ms and 7 MiB take 50 ms, which others would wait.
  static let batchByteLimit = 1 << 20
  /// The maximum size of one row's text in bytes. A journal text has at most 2,000 characters, so no client comes near
  /// it.
  static let rowByteLimit = 256 << 10
  /// The maximum size of a `client_id` in bytes: PostgreSQL can't index more. It applies to `type` and
  /// `client_timestamp` too, because escaping makes them up to six times as large in a response.
  static let nameByteLimit = 2704
  /// The time limit of one query.
  static let queryTime = Duration.seconds(3)
  /// The size of the write-ahead log, in bytes, from which long queries are interrupted to empty it. SQLite keeps a log
  /// of up to 64 MiB for reuse.
  static let logLimit: Int64 = 128 << 20
  /// Bytes of rows in one part of a response: what the server keeps in memory for a slow client.
  static let partSize = 256 << 10
  /// The maximum of rows and bytes that a DELETE with `return=representation` returns.
  static let returnedRowLimit = 1000
  static let returnedByteLimit = 8 << 20
  /// Seconds without data from a client after which its connection closes.
  static let inactivityTimeout: Int64 = 60
  /// Seconds within which a request must arrive, from its first byte to its last.
  static let requestTime: Int64 = 30
  /// The maximum size of a request's body in bytes.
  static let bodyLimit = 8 << 20
  /// The maximum size of a body without a valid access token, in bytes. Anonymous clients must not be able to fill the
  /// memory, even with all possible connections.
  static let anonymousBodyLimit = 64 << 10
  /// The maximum size of an account request's body in bytes.
  static let authBodyLimit = 1 << 20
}

/// Delivers sign-in codes to users.
public protocol CodeDelivery: Sendable {
  /// Returns immediately. Later errors are logged without address and code.
  func deliver(code: String, to address: String)
}

/// Prints codes, for trials and tests.
public struct PrintedCodes: CodeDelivery {
  public init() {}

  public func deliver(code: String, to address: String) {
    ServerLog.printLine("code for \(address): \(code)")
  }
}
