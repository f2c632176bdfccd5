import Synchronization
import Testing
import TrunkKit
import TrunkModel

/// A clock whose time and zone the test sets.
public final class FixedClock: Sendable {
  private let state: Mutex<(now: Instant, zone: Zone)>

  /// - Parameter now: the first instant, in ISO 8601.
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

  /// Moves the clock forward.
  public func advance(seconds: Int64 = 0, days: Int64 = 0) { now = now.adding(seconds: days * 86_400 + seconds) }

  /// This clock for a model, which sees later changes.
  public var clock: WallClock { WallClock(now: { self.now }, zone: { self.zone }) }
}
