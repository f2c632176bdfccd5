import Garden
import Glibc

/// Where syncing takes the time from; tests bring their own.
public protocol SyncClock: Sendable {
  /// The time of day, which people and networks set: only to be shown and to be compared with what was shown.
  var now: Instant { get }
  /// Milliseconds since the computer was started, those included in which it slept. Only ever grows, at its own pace.
  var uptime: Int64 { get }
  /// Returns when `uptime` has come to this.
  /// - Throws: `CancellationError`.
  func sleep(until uptime: Int64) async throws
}

/// The clocks of the computer.
public struct SystemSyncClock: SyncClock {
  public init() {}

  public var now: Instant { Instant(milliseconds: SystemSyncClock.milliseconds(CLOCK_REALTIME)) }

  public var uptime: Int64 { SystemSyncClock.milliseconds(CLOCK_BOOTTIME) }

  public func sleep(until uptime: Int64) async throws {
    // The timer below may stand still while the computer sleeps, and may end a little early.
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
