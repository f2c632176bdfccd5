import SQLiteKit
import TrunkModel

// Old events have no `client_id`: they are anonymous. If the log has an event with the same natural key and a
// `client_id`, the anonymous event is kept in the table `displaced` until the other one is removed.
extension EventLog {
  /// Displaces the anonymous event with the natural key of the event that was just inserted, if there is one.
  func displaceAnonymous(_ event: Event, _ outcome: AppendOutcome) throws -> AppendOutcome {
    let key = event.naturalKey
    guard let anonymous = try anonymousRow(for: key) else { return outcome }
    try delete(anonymous)
    try displace(anonymous.event, key, anonymous.record)
    if case .inserted(let seq) = outcome { return .replaced(seq: seq) }
    return outcome
  }

  /// Returns the `seq` of the event that has this natural key and a `client_id`; `nil` if there is none.
  func namedSeq(for key: Event.NaturalKey) throws -> Int64? {
    // Without an instant, the key is the whole text, which no event with a `client_id` shares.
    guard let instant = key.instant else { return nil }
    return try database.first(
      """
      SELECT min(seq) FROM events
      WHERE instant = ? AND type = ? AND entity = ? AND (rank IS NOT NULL) = ? AND client_id IS NOT NULL
      """, .integer(instant.milliseconds), .text(key.type.text), .text(key.entity.text), .integer(key.isOfKnownKind)
    ) { $0.optionalInteger(0) } ?? nil
  }

  func anonymousRow(for key: Event.NaturalKey) throws -> StoredRow? {
    if mayHaveAnonymous == nil {
      mayHaveAnonymous = try database.integer("SELECT EXISTS (SELECT 1 FROM events WHERE client_id IS NULL)") != 0
    }
    guard mayHaveAnonymous != false else { return nil }
    let columns = StoredRow.columns
    if let instant = key.instant {
      return try database.first(
        """
        SELECT \(columns) FROM events INDEXED BY events_anonymous
        WHERE entity = ? AND type = ? AND instant = ? AND (rank IS NOT NULL) = ? AND client_id IS NULL
        """, .text(key.entity.text), .text(key.type.text), .integer(instant.milliseconds),
        .integer(key.isOfKnownKind)
      ) { try StoredRow($0) }
    }
    var found: StoredRow?
    try database.rows(
      "SELECT \(columns) FROM events WHERE rank IS NULL AND type = ? AND client_id IS NULL", .text(key.type.text)
    ) { row in
      let row = try StoredRow(row)
      if row.event.naturalKey == key { found = row }
      return found == nil
    }
    return found
  }

  /// Moves an event to `displaced` because the log has the same event with a `client_id`. The table keeps one event per
  /// key: the one whose canonical text sorts first. The others become superseded.
  func displace(_ event: Event, _ key: Event.NaturalKey, _ record: UploadRecord) throws {
    guard let instant = key.instant else { return }
    let identity: [SQLValue] = [.text(key.entity.text), .text(key.type.text), .integer(instant.milliseconds)]
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
  /// event with a `client_id` has the same key.
  func restoreDisplaced(by row: StoredRow) throws {
    let key = row.event.naturalKey
    guard row.event.clientID != nil, let instant = key.instant, try namedSeq(for: key) == nil else { return }
    let restored = try database.first(
      """
      DELETE FROM displaced WHERE entity = ? AND type = ? AND instant = ?
      RETURNING upload, server_id, server_created_at, raw
      """, .text(key.entity.text), .text(key.type.text), .integer(instant.milliseconds)
    ) { row in
      let record = UploadRecord(
        state: UploadState(rawValue: row.integer(0)) ?? .pending, serverID: row.optionalText(1),
        serverCreatedAt: row.optionalText(2))
      return (try Event(json: row.text(3)), record)
    }
    if let (event, record) = restored { _ = try add(event, record) }
  }
}

extension Event.NaturalKey {
  /// 1 for the key of an event that this version understands. A malformed event of a known kind has another key, so its
  /// row must not be found by its type, entity and instant.
  fileprivate var isOfKnownKind: Int64 { EventKind(name: type.text) == nil ? 0 : 1 }
}
