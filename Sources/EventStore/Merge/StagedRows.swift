import SQLiteKit
import TrunkModel

/// The rows of a full download that differ from the log, and the changes to the log that they cause. Call writing
/// methods in a transaction.
struct StagedRows {
  let database: Database

  /// What happens to the local events when the staged rows replace them.
  struct Plan {
    /// The number of confirmed events that the rows should hold.
    var candidates = 0
    /// The `seq`s of events that no row holds.
    var missing: [Int64] = []
    /// The `seq`s of events that a row holds with another text or another `client_id`.
    var changed: [Int64] = []
    /// The number of `changed` events with another text.
    var replaced = 0
    /// The events that are unchanged but in another row now.
    var moved: [(seq: Int64, serverID: String, createdAt: String)] = []
  }

  /// - Parameter body: returns `nil` if the download is outdated.
  func ifCurrent<Value>(
    _ pull: FullPull, _ body: (StagedRows) throws -> Value?
  ) throws -> Result<Value, FullPullFailure> {
    guard try MetaTable(database: database).fullPullNumber() == pull.number else { return .failure(.otherDownload) }
    return try body(self).map { .success($0) } ?? .failure(.outdated)
  }

  /// Returns the `seq` of the confirmed event of this row if the row still holds it unchanged, otherwise `nil`.
  func unchangedEvent(in row: ServerRow) throws -> Int64? {
    let found = try database.first(
      "SELECT seq, raw FROM events WHERE upload = 1 AND \(EventLog.hasServerID)", .text(row.id)
    ) { (seq: $0.integer(0), isSame: try StagedRows.isSame($0.text(1), row.event.raw)) }
    return found.flatMap { $0.isSame ? $0.seq : nil }
  }

  func add(_ row: ServerRow) throws {
    try database.execute(
      "INSERT OR REPLACE INTO staged_rows (server_id, created_at, identity, raw) VALUES (?, ?, ?, ?)",
      .text(row.id), .text(row.createdAt), .text(row.event.identity), .text(row.event.raw))
  }

  func removeAll() throws { try database.execute("DELETE FROM staged_rows") }

  func count() throws -> Int { Int(try database.integer("SELECT count(*) FROM staged_rows")) }

  /// - Returns: `nil` if an event was removed after its row was skipped as unchanged. Download again to get it back.
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
    for seq in others { try add(seq, to: &plan) }
    return plan
  }

  /// Prepares the log for `insert`: removes the events that no row holds or that have changed, and updates the row IDs
  /// of those that moved.
  func prepare(_ plan: Plan, keepsMissing: Bool) throws {
    let log = EventLog(database: database)
    // Displaced events first: removing an event below would restore them.
    let isGone = "upload = 1 AND (server_id IS NULL OR server_id NOT IN (SELECT server_id FROM staged_rows))"
    if keepsMissing {
      try database.execute("UPDATE displaced SET upload = 0, server_id = NULL WHERE \(isGone)")
    } else {
      for raw in try database.all("SELECT raw FROM displaced WHERE \(isGone)", map: { $0.text(0) }) {
        try log.supersede(try Event(json: raw))
      }
      try database.execute("DELETE FROM displaced WHERE \(isGone)")
    }
    try database.execute("DELETE FROM merged_rows")
    for seq in plan.missing {
      if keepsMissing {
        try database.execute("UPDATE events SET \(Outbox.requeue) WHERE seq = ?", .integer(seq))
      } else {
        try remove(seq, from: log)
      }
    }
    for seq in plan.changed { try remove(seq, from: log) }
    // Two events may have swapped their rows, so clear all IDs before setting any.
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

  /// - Returns: the number of events that the log did not have.
  func insert() throws -> Int {
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

extension StagedRows {
  /// Removes an event and keeps its text as superseded, because the server may have lost the row by mistake.
  private func remove(_ seq: Int64, from log: EventLog) throws {
    guard let row = try log.row(seq: seq) else { return }
    try log.supersede(row.event)
    try log.remove(row)
  }

  private struct Staged {
    let serverID: String
    let createdAt: String
    let identity: String
    let raw: String
  }

  /// Adds an event to the plan. If its row is gone or holds another event, looks for it in other rows, because the
  /// whole log may have been uploaded again.
  private func add(_ seq: Int64, to plan: inout Plan) throws {
    guard let stored = try EventLog(database: database).row(seq: seq) else { return }
    let (event, own) = (stored.event, try staged(where: "server_id", stored.record.serverID))
    let row: Staged?
    if let own, own.identity.hasSameBytes(as: event.identity) {
      row = own
    } else {
      row =
        try staged(where: "identity", event.identity)
        ?? own.flatMap { try StagedRows.isVersion($0.raw, of: event) ? $0 : nil }
    }
    guard let row else { return plan.missing.append(seq) }
    // Almost all rows are the same, and parsing each one would take long.
    if try !StagedRows.isSame(row.raw, event.raw), case let staged = try Event(json: row.raw),
      staged.mayReplace(event)
    {
      plan.changed.append(seq)
      if !staged.hasSameContent(as: event) { plan.replaced += 1 }
    } else if row.serverID != own?.serverID {
      plan.moved.append((seq, row.serverID, row.createdAt))
    }
  }

  private func staged(where column: String, _ value: String?) throws -> Staged? {
    try database.first(
      "SELECT server_id, created_at, identity, raw FROM staged_rows WHERE \(column) = ?", .text(value)
    ) { Staged(serverID: $0.text(0), createdAt: $0.text(1), identity: $0.text(2), raw: $0.text(3)) }
  }

  /// Whether a text with another identity is a version of this event: the same content with another `client_id`, or, if
  /// the event has no `client_id`, any text with the same natural key.
  private static func isVersion(_ text: String, of event: Event) throws -> Bool {
    let other = try Event(json: text)
    return other.hasSameContent(as: event) || event.clientID == nil && other.naturalKey == event.naturalKey
  }

  /// Whether two texts are the same event. Databases may reorder members.
  private static func isSame(_ left: String, _ right: String) throws -> Bool {
    try left.hasSameBytes(as: right) || JSON(left).canonicalText.hasSameBytes(as: JSON(right).canonicalText)
  }
}
