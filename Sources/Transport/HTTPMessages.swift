/// One request, whose answer is held in memory as a whole.
public struct HTTPRequest: Sendable, CustomStringConvertible {
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  public var method: Method
  /// An absolute address: `https`, or `http` to this computer itself.
  public var url: String
  public var headers: [(name: String, value: String)]
  /// `nil` sends none; a POST or PUT then has an empty one.
  public var body: [UInt8]?
  public var limits: HTTPLimits
  /// False for what must not reach the server twice. Otherwise a request is sent again, once and at once, if it went
  /// out on a kept connection that the server was just closing.
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

  /// Neither address, headers nor body: descriptions end up in logs.
  public var description: String { "\(method.rawValue) request" }
}

/// What a request may take at most.
public struct HTTPLimits: Sendable {
  /// Bytes of the body as it is handed over, after decompression.
  public var bodyBytes: Int
  /// Milliseconds from finding the address to the end of the TLS handshake.
  public var connect: Int
  /// Seconds during which hardly anything (under 100 bytes a second) comes or goes.
  public var stall: Int
  /// Milliseconds for all of it.
  public var total: Int

  public init(bodyBytes: Int = 1 << 20, connect: Int = 15_000, stall: Int = 15, total: Int = 15_000) {
    self.bodyBytes = bodyBytes
    self.connect = connect
    self.stall = stall
    self.total = total
  }

  /// For answers of some megabytes, which slow lines need their time for.
  public static let large = HTTPLimits(bodyBytes: 64 << 20, total: 180_000)

  /// For requests of so many bytes: the time of any other, and that of a line which carries 5 kB a second.
  public static func sending(_ bytes: Int) -> HTTPLimits {
    var limits = HTTPLimits.large
    limits.total = min(limits.total, HTTPLimits().total + bytes / 5)
    return limits
  }
}

/// An answer with any status: 404 is an answer, and so is a redirect, which is never followed.
public struct HTTPResponse: Sendable, CustomStringConvertible {
  public let status: Int
  /// In the order of their arrival, names in lower case.
  public let headers: [(name: String, value: String)]
  public let body: [UInt8]

  public init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Neither headers nor body: descriptions end up in logs.
  public var description: String { "answer \(status)" }

  /// The first header with this name, which is in lower case.
  public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why there is no answer.
public enum HTTPFailure: String, Error, Sendable {
  /// Neither `https` nor an address of this computer, or not an address at all, or one with a password in it.
  case insecureAddress = "insecure_address"
  /// A header that would not be one line.
  case badHeader = "bad_header"
  case noSuchHost = "no_such_host"
  /// Refused, unreachable, no network, or the time was out before there was a connection: the request did not leave.
  case noConnection = "no_connection"
  /// The request, or a part of it, is out, and no answer came.
  case timedOut = "timed_out"
  /// No trusted certificate for this host, or no common way to encrypt.
  case notTrusted = "not_trusted"
  /// The answer is larger than the limit allows.
  case tooLarge = "too_large"
  /// The connection ended before the answer did, or what came is not HTTP.
  case brokenOff = "broken_off"
  /// The task that waited was cancelled.
  case cancelled
}
