/// What a connection may take at most.
public struct WebSocketLimits: Sendable {
  /// Bytes of one frame.
  public var frameBytes: Int
  /// From finding the address to the end of the handshake.
  public var connect: Duration
  /// How many messages may wait for their reader.
  public var waitingMessages: Int

  public init(frameBytes: Int = 4 << 20, connect: Duration = .seconds(15), waitingMessages: Int = 2_000) {
    self.frameBytes = frameBytes
    self.connect = connect
    self.waitingMessages = waitingMessages
  }
}

/// Why there is no connection, or no longer one.
public enum WebSocketFailure: Error, Sendable, Equatable {
  /// Neither `wss` nor an address of this computer, or not an address at all, or one with a password in it.
  case insecureAddress
  /// No network, no such host, refused, timed out, or a certificate that is not trusted. `detail` is for logs.
  case unreachable(detail: String)
  /// The server answered the handshake with another HTTP status than 101. `retryAfter` is in seconds.
  case refused(status: Int, retryAfter: Int64?)
  /// The peer ended the connection in due form, with one of the codes of RFC 6455 §7.4; 1005 stands for none.
  case closed(code: Int)
  /// The connection went away in the middle.
  case brokenOff
  /// The peer does not keep to RFC 6455, or its text is not UTF-8.
  case violation(detail: String)
  /// A frame exceeds `frameBytes`.
  case tooLarge
  /// More messages wait than `waitingMessages`.
  case tooMany
  case cancelled
}
