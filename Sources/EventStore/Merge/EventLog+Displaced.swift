import SQLiteKit
import TrunkModel

// Old events have no `client_id` (anonymous). If an equal event with a `client_id` is in the log, the anonymous one is
// kept in the table `displaced` until the other is removed.
extension EventLog {
  /// Displaces the anonymous event that equals the event just inserted, if any.
  func displaceAnonymous(_ event: Event, _ outcome: AppendOutcome) throws -> AppendOutcome {
    let likeness = event.likeness
    guard let anonymous = try anonymousRow(like: likeness) else { return outcome }
    try delete(anonymous)
    try displace(anonymous.event, likeness, anonymous.record)
    if case .inserted(let seq) = outcome { return .replaced(seq: seq) }
    return outcome
  }

  /// Returns the `seq` of the event that has this likeness and a `client_id`; `nil` if there is none.
  func namedSeq(like likeness: Event.Likeness) throws -> Int64? {
    // Without an instant, the likeness is the whole text, which no event with a `client_id` shares.
    guard let instant = likeness.instant else { return nil }
    return try database.first(
      "SELECT min(seq) FROM events WHERE instant = ? AND type = ? AND entity = ? AND client_id IS NOT NULL",
      .integer(instant.milliseconds), .text(likeness.type), .text(likeness.entity)
    ) { $0.optionalInteger(0) } ?? nil
  }

  func anonymousRow(like likeness: Event.Likeness) throws -> StoredRow? {
    if mayHaveAnonymous == nil {
      mayHaveAnonymous = try database.integer("SELECT EXISTS (SELECT 1 FROM events WHERE client_id IS NULL)") != 0
    }
    guard mayHaveAnonymous != false else { return nil }
    let columns = StoredRow.columns
    if let instant = likeness.instant {
      return try database.first(
        """
        SELECT \(columns) FROM events INDEXED BY events_anonymous
        WHERE entity = ? AND type = ? AND instant = ? AND client_id IS NULL
        """, .text(likeness.entity), .text(likeness.type), .integer(instant.milliseconds)
      ) { try StoredRow($0) }
    }
    var found: StoredRow?
    try database.rows(
      "SELECT \(columns) FROM events WHERE rank IS NULL AND type = ? AND client_id IS NULL", .text(likeness.type)
    ) { row in
      let row = try StoredRow(row)
      if row.event.likeness == likeness { found = row }
      return found == nil
    }
    return found
  }

  /// Moves an event to `displaced` because an event with a `client_id` equals it. The table keeps one event per
  /// likeness: the one whose canonical text sorts first. The others become superseded.
  func displace(_ event: Event, _ likeness: Event.Likeness, _ record: UploadRecord) throws {
    guard let instant = likeness.instant else { return }
    let identity: [SQLValue] = [.text(likeness.entity), .text(likeness.type), .integer(instant.milliseconds)]
    let other = try database.first(
      "SELECT raw, server_id FROM displaced WHERE entity = ? AND type = ? AND instant = ?",
      identity[0], identity[1], identity[2]
    ) { (event: try Event(json: $0.text(0)), record: UploadRecord(serverID: $0.optionalText(1))) }
    if let other {
      if !event.canonicalText.precedesInBytes(other.event.canonicalText) {
        try supersede(event)
        return try recordMerged(record, into: other.record)
      }
      try supersede(other.event)
      try recordMerged(other.record, into: record)
    }
    try database.execute(
      """
      INSERT OR REPLACE INTO displaced (entity, type, instant, upload, server_id, server_created_at, raw)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, identity[0], identity[1], identity[2], .integer(record.state.rawValue), .text(record.serverID),
      .text(record.serverCreatedAt), .text(event.raw))
  }

  /// Moves a displaced event back to the log after the event that displaced it was removed. Does nothing while another
  /// event with a `client_id` has the same likeness.
  func restoreDisplaced(by row: StoredRow) throws {
    let likeness = row.event.likeness
    guard row.event.clientID != nil, let instant = likeness.instant, try namedSeq(like: likeness) == nil else { return }
    let restored = try database.first(
      """
      DELETE FROM displaced WHERE entity = ? AND type = ? AND instant = ?
      RETURNING upload, server_id, server_created_at, raw
      """, .text(likeness.entity), .text(likeness.type), .integer(instant.milliseconds)
    ) { row in
      let record = UploadRecord(
        state: UploadState(rawValue: row.integer(0)) ?? .pending, serverID: row.optionalText(1),
        serverCreatedAt: row.optionalText(2))
      return (try Event(json: row.text(3)), record)
    }
    if let (event, record) = restored { _ = try add(event, record) }
  }
}
