import Synchronization
import Testing
import TrunkKit
import TrunkModel

/// A clock whose time and zone the test sets.
public final class FixedClock: Sendable {
  private let state: Mutex<(now: Instant, zone: Zone)>

  public init(_ now: String, _ zone: Zone) throws {
    state = Mutex((try instant(now), zone))
  }

  public var now: Instant {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  public var zone: Zone {
    get { state.withLock { $0.zone } }
    set { state.withLock { $0.zone = newValue } }
  }

  public func pass(seconds: Int64 = 0, days: Int64 = 0) { now = now.adding(seconds: days * 86_400 + seconds) }

  public var clock: WallClock { WallClock(now: { self.now }, zone: { self.zone }) }
}
