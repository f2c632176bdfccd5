import SQLiteKit

/// The server rows that the log knows, in any table. Call writing methods in a transaction.
struct KnownRows {
  let database: Database

  /// Whether the log knows the row as one that holds an event with this `client_id`.
  ///
  /// A row in `displaced` or `merged_rows` holds the same event as another row. A row in `displaced` has no
  /// `client_id`. A row in `merged_rows` counts as known only while the log has an event with its `client_id`, if it
  /// has one.
  func knows(_ row: ServerRow) throws -> Bool { try knows(row.id, clientID: row.event.clientID) }

  func knows(_ id: String, clientID: String?) throws -> Bool {
    try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM events WHERE \(EventLog.hasServerID) AND +client_id IS ?2)
        OR NOT EXISTS (SELECT 1 FROM events WHERE \(EventLog.hasServerID)) AND (
          ?2 IS NULL AND EXISTS (SELECT 1 FROM displaced WHERE server_id = ?1)
          OR (?2 IS NULL OR EXISTS (SELECT 1 FROM events WHERE client_id = ?2))
            AND EXISTS (SELECT 1 FROM merged_rows WHERE server_id = ?1))
      """, .text(id), .text(clientID)) != 0
  }

  /// Makes the next sync download all rows if there are merged rows, because one of them may hold an event that has
  /// just left the log.
  func invalidateMergedRows() throws {
    try database.execute(
      "DELETE FROM meta WHERE key = ? AND value = ? AND EXISTS (SELECT 1 FROM merged_rows)",
      .text(MetaKey.serverRowsFormat.rawValue), .text(EventStore.serverRowsFormat))
  }

  /// Whether a confirmed event was never compared with its row. The row may hold another text, because another program
  /// may have stored an event under the same ID.
  func hasUnread() throws -> Bool {
    try database.integer(
      "SELECT EXISTS (SELECT 1 FROM events WHERE upload = 1 AND server_id IS NULL AND client_id IS NOT NULL)") == 1
  }

  /// The number of distinct server rows that the log knows.
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
