import EventStore

/// A live connection that reports rows as they are stored.
public protocol LiveService: Sendable {
  /// Opens one connection and keeps it open until it fails or the stream ends.
  /// - Parameter renewals: newer tokens for the connection while it is open.
  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error>
}

/// A message of a live connection. There is no replay: rows before `isLive` and during gaps are not repeated.
public enum LiveSignal: Sendable {
  /// The connection reports rows from now on; earlier rows must be pulled.
  case isLive
  case row(ServerRow)
  /// A row was stored that the connection could not report.
  case somethingChanged
}
