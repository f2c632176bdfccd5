import Synchronization

@testable import TrunkServer

/// A clock for the server, which the test sets.
final class ServerClock: Sendable {
  private let instant = Mutex(Microseconds(1_770_000_000_000_000))

  var now: Microseconds { instant.withLock { $0 } }

  func advance(_ seconds: Int64) { instant.withLock { $0 = $0 + seconds } }
}
