/// The limits of a connection.
public struct WebSocketLimits: Sendable {
  /// Bytes per frame.
  public var frameBytes: Int
  /// The time from the DNS lookup to the end of the handshake.
  public var connect: Duration
  /// The maximum number of unread messages.
  public var unreadMessages: Int

  public init(frameBytes: Int = 4 << 20, connect: Duration = .seconds(15), unreadMessages: Int = 2_000) {
    self.frameBytes = frameBytes
    self.connect = connect
    self.unreadMessages = unreadMessages
  }
}

/// Why a connection failed or ended.
public enum WebSocketFailure: Error, Sendable, Equatable {
  /// An invalid URL, one with a password, or neither `wss` nor on this computer.
  case insecureAddress
  /// No network, no such host, connection refused, timeout, or a certificate that is not trusted. `detail` is for logs.
  case unreachable(detail: String)
  /// The server answered the handshake with an HTTP status other than 101. `retryAfter` is in seconds.
  case rejected(status: Int, retryAfter: Int64?)
  /// The peer closed the connection with one of the codes of RFC 6455 (section 7.4); 1005 stands
  /// for no code.
  case closed(code: Int)
  case connectionLost
  /// The peer violated RFC 6455, or its text is not UTF-8.
  case violation(detail: String)
  /// A frame exceeds `frameBytes`.
  case tooLarge
  /// There are more unread messages than `unreadMessages` allows.
  case tooMany
  case cancelled
}
