import EventStore
import TrunkModel

/// Computes where the next pull starts.
///
/// A row carries the time at which its transaction began, so it may appear before rows that were already read.
/// Therefore each pull reads some minutes again, unless the cursor is settled: when it was read, it was already so old
/// that no row can appear before it any more. The settled position is stored with the cursor, so that later runs know
/// it too.
///
/// Only the server's clock proves the age of a cursor. This computer's clock may be changed, and its uptime starts
/// again with each boot.
enum Overlap {
  /// How long a transaction may take, in seconds.
  static let seconds: Int64 = 300
  /// The age at which a position is settled, in seconds. Twice the longest transaction, because the clocks of the
  /// database and the gateway in front of it may differ.
  static let settlingSeconds: Int64 = 600

  /// Returns the position after which the next pull reads.
  /// - Parameter settled: the position before which no row can appear any more.
  static func start(_ cursor: Cursor?, settled: Cursor?) -> Cursor? {
    guard let cursor else { return nil }
    if settled == cursor { return cursor }
    let bound = cursor.lowerBound(seconds: Overlap.seconds)
    if let settled, cursor.isAfter(settled), settled.isAfter(bound) { return settled }
    return bound
  }

  /// Whether no row can appear before a position that was read after the server's clock showed this time.
  static func isSettled(_ cursor: Cursor, at serverTime: Instant) -> Bool {
    guard let time = ServerTime(cursor.createdAt) else { return false }
    return serverTime.milliseconds - time.microseconds / 1000 >= Overlap.settlingSeconds * 1000
  }
}
