import Glibc
import TrunkModel

/// The clock of syncing. Tests replace it.
public protocol SyncClock: Sendable {
  /// The time of day, which users and networks can change. Only for display and for comparisons with displayed times.
  var now: Instant { get }
  /// Milliseconds since boot, including sleep. It never decreases and can't be set.
  var uptime: Int64 { get }
  /// Returns when `uptime` reaches the given value.
  /// - Throws: `CancellationError`.
  func sleep(until uptime: Int64) async throws
}

/// The computer's clocks.
public struct SystemSyncClock: SyncClock {
  public init() {}

  public var now: Instant { Instant(milliseconds: SystemSyncClock.milliseconds(CLOCK_REALTIME)) }

  public var uptime: Int64 { SystemSyncClock.milliseconds(CLOCK_BOOTTIME) }

  public func sleep(until uptime: Int64) async throws {
    // The timer below may stop while the computer sleeps and may fire a little early.
    while true {
      let rest = uptime - self.uptime
      guard rest > 0 else { return }
      try await Task.sleep(nanoseconds: UInt64(rest) * 1_000_000)
    }
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
