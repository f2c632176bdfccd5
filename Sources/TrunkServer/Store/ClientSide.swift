import Synchronization

/// The client's side of a connection.
///
/// A client that has closed its side may still wait for the response, but behind a proxy, one that has disconnected
/// looks the same. So its queries may only be short.
final class ClientSide: Sendable {
  private let end = Mutex<ContinuousClock.Instant?>(nil)

  /// When the client closed it; `nil` while it is open.
  var closedAt: ContinuousClock.Instant? { end.withLock { $0 } }

  func close() { end.withLock { $0 = $0 ?? .now } }
}
