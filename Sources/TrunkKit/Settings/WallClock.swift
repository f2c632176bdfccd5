import CGLib
import TrunkModel

/// The time of day and the time zone, which define the days of a garden. Tests replace it.
public struct WallClock: Sendable {
  public let now: @Sendable () -> Instant
  public let zone: @Sendable () -> Zone
  /// Returns after this many seconds.
  /// - Throws: `CancellationError`.
  public let pause: @Sendable (_ seconds: Int64) async throws -> Void

  public init(
    now: @escaping @Sendable () -> Instant, zone: @escaping @Sendable () -> Zone,
    pause: @escaping @Sendable (_ seconds: Int64) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
  ) {
    self.now = now
    self.zone = zone
    self.pause = pause
  }

  public static let system = WallClock(
    now: { Instant(milliseconds: Int64(g_get_real_time() / 1000)) }, zone: { Zone.system() })
}
