/// A request whose response is kept in memory as a whole.
public struct HTTPRequest: Sendable, CustomStringConvertible {
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  public var method: Method
  /// An absolute URL: `https`, or `http` to this computer.
  public var url: String
  public var headers: [(name: String, value: String)]
  /// `nil` sends no body; a POST or PUT then has an empty one.
  public var body: [UInt8]?
  public var limits: HTTPLimits
  /// `false` for requests that must not reach the server twice. Others are repeated once and immediately, if they were
  /// sent on a reused connection that the server was closing.
  public var isRepeatable: Bool

  public init(
    _ method: Method, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
    limits: HTTPLimits = HTTPLimits(), isRepeatable: Bool = true
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
    self.isRepeatable = isRepeatable
  }

  /// Contains neither URL, headers nor body, because descriptions end up in logs.
  public var description: String { "\(method.rawValue) request" }
}

/// The limits of a request.
public struct HTTPLimits: Sendable {
  /// Bytes of the body after decompression.
  public var bodyBytes: Int
  /// Milliseconds from the DNS lookup to the end of the TLS handshake.
  public var connect: Int
  /// Seconds of almost no transfer (under 100 bytes per second).
  public var stall: Int
  /// Milliseconds for the whole request.
  public var total: Int

  public init(bodyBytes: Int = 1 << 20, connect: Int = 15_000, stall: Int = 15, total: Int = 15_000) {
    self.bodyBytes = bodyBytes
    self.connect = connect
    self.stall = stall
    self.total = total
  }

  /// For responses of several megabytes, which take long on slow connections.
  public static let large = HTTPLimits(bodyBytes: 64 << 20, total: 180_000)

  /// For requests of this size in bytes: the default time plus the time at 5 kB per second, but not more than `large`.
  public static func sending(_ bytes: Int) -> HTTPLimits {
    var limits = HTTPLimits.large
    limits.total = min(limits.total, HTTPLimits().total + bytes / 5)
    return limits
  }
}
