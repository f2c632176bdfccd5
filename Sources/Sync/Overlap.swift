import Garden
import GardenStore

/// Where the next pull starts.
///
/// A row carries the time at which its transaction began, so it may appear behind rows that were read before. Therefore
/// some minutes are read again, unless the place is settled: it was read when it was so old that nothing can appear
/// behind it any more. That is stored with the cursor, so a new program knows it too.
///
/// Only the server's clock proves the age of a place. This computer's may be set, and its uptime ends with the boot.
enum Overlap {
  /// How long a transaction may take, in seconds.
  static let seconds: Int64 = 300
  /// How old a place is when it is settled, in seconds. Twice as long as a transaction takes, because the clocks of the
  /// database and of the gateway before it may differ.
  static let settlingSeconds: Int64 = 600

  /// - Parameter settled: the place behind which nothing can appear any more.
  static func start(_ cursor: Cursor?, settled: Cursor?) -> Cursor? {
    guard let cursor else { return nil }
    if settled == cursor { return cursor }
    let bound = cursor.lowerBound(seconds: Overlap.seconds)
    if let settled, cursor.isAfter(settled), settled.isAfter(bound) { return settled }
    return bound
  }

  /// Whether nothing can appear behind a place that was read after the server's clock showed this time.
  static func isSettled(_ cursor: Cursor, at serverTime: Instant) -> Bool {
    guard let time = ServerTime(cursor.createdAt) else { return false }
    return serverTime.milliseconds - time.microseconds / 1000 >= Overlap.settlingSeconds * 1000
  }
}
