import SQLiteKit
import TrunkModel

/// The rows of the server that were taken in, in whichever table. What writes belongs into a transaction of the caller.
struct KnownRows {
  let database: Database

  /// Whether the row was taken in, with an event of this identity.
  ///
  /// A row that is not an event's own holds the same event as another one: with a `client_id`, one that is in the log.
  /// Those that are set aside have none.
  func knows(_ row: ServerRow) throws -> Bool {
    try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM events WHERE \(EventLog.hasServerID) AND +client_id IS ?2)
        OR NOT EXISTS (SELECT 1 FROM events WHERE \(EventLog.hasServerID)) AND (
          ?2 IS NULL AND EXISTS (SELECT 1 FROM displaced WHERE server_id = ?1)
          OR (?2 IS NULL OR EXISTS (SELECT 1 FROM events WHERE client_id = ?2))
            AND EXISTS (SELECT 1 FROM merged_rows WHERE server_id = ?1))
      """, .text(row.id), .text(row.event.clientID)) != 0
  }

  /// One of the rows that are only counted may hold an event that has left the log: all of them are looked at again.
  func distrustMerged() throws {
    try database.execute(
      "DELETE FROM meta WHERE key = ? AND value = ? AND EXISTS (SELECT 1 FROM merged_rows)",
      .text(MetaKey.cacheVersion.rawValue), .text(EventStore.cacheVersion))
  }

  /// How many rows of the server are known, each once.
  func confirmedCount() throws -> Int {
    let confirmed = try database.integer(
      "SELECT (SELECT count(*) FROM events) - (SELECT count(*) FROM events WHERE upload <> 1)")
    let others = try database.integer(
      """
      SELECT count(*) FROM (
        SELECT server_id FROM displaced WHERE server_id IS NOT NULL UNION SELECT server_id FROM merged_rows
      ) AS other WHERE NOT EXISTS (
        SELECT 1 FROM events WHERE substr(events.server_id, 1, 8) = substr(other.server_id, 1, 8)
          AND events.server_id = other.server_id)
      """)
    return Int(confirmed + others)
  }
}
