import Garden
import Storage

/// What the tables know of the server's rows. Every method that writes belongs into a transaction of the caller.
struct FullPullTables {
  let database: Database

  /// What becomes of the events here when the collected rows take their place.
  struct Plan {
    /// Confirmed events that the rows could hold.
    var candidates = 0
    /// No row holds them.
    var missing: [Int64] = []
    /// A row holds them with another text.
    var changed: [Int64] = []
    /// The same event is in another row now.
    var moved: [(seq: Int64, serverID: String, createdAt: String)] = []
  }

  // MARK: Rows of the server

  /// Whether the row was taken in, with an event of this identity.
  func knows(_ row: ServerRow) throws -> Bool {
    try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM events WHERE \(EventLog.hasServerID) AND +client_id IS ?2)
        OR EXISTS (SELECT 1 FROM displaced WHERE server_id = ?1)
        OR EXISTS (SELECT 1 FROM merged_rows WHERE server_id = ?1)
      """, .text(row.id), .text(row.event.clientID)) != 0
  }

  /// One of the rows that are only counted may hold an event that has left the log: all of them are looked at again.
  func distrustMerged() throws {
    try database.execute(
      "DELETE FROM meta WHERE key = ? AND value = ? AND EXISTS (SELECT 1 FROM merged_rows)",
      .text(MetaKey.cacheVersion.rawValue), .text(GardenStore.cacheVersion))
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

  // MARK: Values

  func cursor() throws -> Cursor? {
    guard let createdAt = try value(.lastSync) else { return nil }
    return Cursor(createdAt: createdAt, id: try value(.lastSyncID) ?? "")
  }

  func set(_ cursor: Cursor?) throws {
    try set(cursor?.createdAt, for: .lastSync)
    try set(cursor?.id, for: .lastSyncID)
  }

  /// Keeps the latest time of a row. Of equal form and offset, times sort as texts.
  func note(latest createdAt: String?) throws {
    guard let createdAt else { return }
    try database.execute(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)",
      .text(MetaKey.latestConfirmed.rawValue), .text(createdAt))
  }

  func value(_ key: MetaKey) throws -> String? {
    try database.first("SELECT value FROM meta WHERE key = ?", .text(key.rawValue)) { $0.text(0) }
  }

  func set(_ value: String?, for key: MetaKey) throws {
    if let value {
      try database.execute(
        "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", .text(key.rawValue), .text(value))
    } else {
      try database.execute("DELETE FROM meta WHERE key = ?", .text(key.rawValue))
    }
  }

  func number() throws -> Int64 { Int64(try value(.fullPull) ?? "") ?? 0 }

  func nextNumber() throws -> Int64 {
    let number = try number() + 1
    try set(String(number), for: .fullPull)
    return number
  }

  func clearCount() throws -> Int64 { Int64(try value(.clears) ?? "") ?? 0 }

  /// - Throws: `StoreError.cleared` if the log was cleared more often than so.
  func check(clears: Int64?) throws {
    if let clears, try clearCount() != clears { throw StoreError.cleared }
  }

  // MARK: Collecting and replacing

  /// - Returns: `nil` if another download has begun since.
  func ifCurrent<Value>(_ pull: FullPull, _ body: (FullPullTables) throws -> Value?) throws -> Value? {
    try number() == pull.number ? body(self) : nil
  }

  /// The number of the event that is here as this row, and that this row still holds; `nil` if there is none.
  func unchangedEvent(in row: ServerRow) throws -> Int64? {
    let found = try database.first(
      "SELECT seq, raw FROM events WHERE upload = 1 AND \(EventLog.hasServerID)", .text(row.id)
    ) { (seq: $0.integer(0), isSame: try FullPullTables.isSame($0.text(1), row.event.raw)) }
    return found.flatMap { $0.isSame ? $0.seq : nil }
  }

  func stage(_ row: ServerRow) throws {
    try database.execute(
      "INSERT OR REPLACE INTO staged_rows (server_id, created_at, identity, raw) VALUES (?, ?, ?, ?)",
      .text(row.id), .text(row.createdAt), .text(row.event.identity), .text(row.event.raw))
  }

  func stagedCount() throws -> Int { Int(try database.integer("SELECT count(*) FROM staged_rows")) }

  /// - Returns: `nil` if an event has left the log that a row was found to hold: that row was not collected.
  func plan(_ pull: FullPull) throws -> Plan? {
    var plan = Plan()
    var unchanged = 0
    var others: [Int64] = []
    try database.rows("SELECT seq FROM events WHERE upload = 1") { row in
      let seq = row.integer(0)
      let isUnchanged = pull.unchanged.contains(seq)
      if isUnchanged { unchanged += 1 }
      if seq > pull.lastSeq || pull.unsent.contains(seq) { return true }
      plan.candidates += 1
      if !isUnchanged { others.append(seq) }
      return true
    }
    guard unchanged == pull.unchanged.count else { return nil }
    for seq in others { try place(seq, in: &plan) }
    return plan
  }

  /// Takes away what the rows do not hold, and puts down where the rest is now.
  func prepare(_ plan: Plan, keepsMissing: Bool) throws {
    let log = EventLog(database: database)
    // First those that would count again when the event before them goes.
    let isGone = "upload = 1 AND (server_id IS NULL OR server_id NOT IN (SELECT server_id FROM staged_rows))"
    if keepsMissing {
      try database.execute("UPDATE displaced SET upload = 0, server_id = NULL WHERE \(isGone)")
    } else {
      try database.execute("DELETE FROM displaced WHERE \(isGone)")
    }
    try database.execute("DELETE FROM merged_rows")
    for seq in plan.missing {
      if keepsMissing {
        try database.execute(
          """
          UPDATE events SET upload = 0, attempts = 0, last_answer = NULL, server_id = NULL, server_created_at = NULL
          WHERE seq = ?
          """, .integer(seq))
      } else {
        try remove(seq, from: log)
      }
    }
    for seq in plan.changed { try remove(seq, from: log) }
    // Two may have changed places.
    for move in plan.moved {
      try database.execute("UPDATE events SET server_id = NULL WHERE seq = ?", .integer(move.seq))
    }
    for move in plan.moved {
      try database.execute(
        """
        UPDATE events SET server_id = ?1, server_created_at = ?2
        WHERE seq = ?3 AND NOT EXISTS (SELECT 1 FROM events WHERE \(EventLog.hasServerID))
        """, .text(move.serverID), .text(move.createdAt), .integer(move.seq))
    }
  }

  /// - Returns: how many events the log did not have.
  func insertStaged() throws -> Int {
    let log = EventLog(database: database)
    var new = 0
    try database.rows("SELECT server_id, created_at, raw FROM staged_rows ORDER BY place") { row in
      let row = ServerRow(id: row.text(0), createdAt: row.text(1), event: try Event(json: row.text(2)))
      if case .inserted = try log.insert(row) { new += 1 }
      return true
    }
    return new
  }
}

extension FullPullTables {
  private func remove(_ seq: Int64, from log: EventLog) throws {
    if let row = try log.row(seq: seq) { try log.remove(row) }
  }

  /// An event whose row is gone may be in another one: the log may have been written to the server anew.
  private func place(_ seq: Int64, in plan: inout Plan) throws {
    guard let event = try EventLog(database: database).row(seq: seq) else { return }
    let own = try staged(where: "server_id", event.mark.serverID)
    guard let row = try own ?? staged(where: "identity", event.event.identity) else {
      return plan.missing.append(seq)
    }
    if try !FullPullTables.isSame(row.raw, event.event.raw) {
      plan.changed.append(seq)
    } else if own == nil {
      plan.moved.append((seq, row.serverID, row.createdAt))
    }
  }

  private func staged(
    where column: String, _ value: String?
  ) throws -> (serverID: String, createdAt: String, raw: String)? {
    try database.first("SELECT server_id, created_at, raw FROM staged_rows WHERE \(column) = ?", .text(value)) {
      ($0.text(0), $0.text(1), $0.text(2))
    }
  }

  /// Whether two texts are spellings of the same event: databases put members into an order of their own.
  private static func isSame(_ left: String, _ right: String) throws -> Bool {
    try left.hasSameBytes(as: right) || JSON(left).canonicalText.hasSameBytes(as: JSON(right).canonicalText)
  }
}
