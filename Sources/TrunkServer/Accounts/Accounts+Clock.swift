import SQLiteKit

/// Keeps a wrong clock from ending sessions.
extension Accounts {
  /// Compares the clock with the last look at it. A large step forward isn't counted as time without use of any
  /// session: a computer may start with a clock that is years behind or ahead, and no client can use a session while
  /// the server is off. Call this first in a transaction that uses `refreshed_at`.
  static func followClock(_ now: Microseconds, _ database: Database) throws {
    let seen = Microseconds(try database.integer("SELECT seen_at FROM clock"))
    // Steps within the hour need no write.
    guard now < seen || seen + 3600 < now else { return }
    if seen + ServerConfiguration.clockStep < now {
      try database.execute(
        "UPDATE sessions SET refreshed_at = min(refreshed_at + ?1, ?2)", .integer(now.value - seen.value),
        .integer(now.value))
    }
    // Otherwise a session that was used while the clock was ahead would not end for years.
    try database.execute(
      "UPDATE sessions SET refreshed_at = ?1 WHERE refreshed_at > ?2", .integer(now.value),
      .integer((now + ServerConfiguration.clockTolerance).value))
    try database.execute("UPDATE clock SET seen_at = ?", .integer(now.value))
  }
}
