import CGLib
import Garden

/// Where the program takes the time and the zone from; tests bring their own.
public struct Clock: Sendable {
  public let now: @Sendable () -> Instant
  public let zone: @Sendable () -> Zone

  public init(now: @escaping @Sendable () -> Instant, zone: @escaping @Sendable () -> Zone) {
    self.now = now
    self.zone = zone
  }

  public static let system = Clock(
    now: { Instant(milliseconds: Int64(g_get_real_time() / 1000)) }, zone: { Zone.system() })
}
