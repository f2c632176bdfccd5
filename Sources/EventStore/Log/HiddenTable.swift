import SQLiteKit
import TrunkModel

/// The table `hidden`: the entries that the user doesn't want to see on this computer. Call writing methods in a
/// transaction.
///
/// A mark names an event by its natural key and its `client_id`. It hides all events with this key if it has no
/// `client_id`, or if the log lacks the event with it: so it stays valid when the event gets another `client_id` or
/// leaves the log for a while. Showing a hidden entry would be worse than hiding one too many.
struct HiddenTable {
  let database: Database

  /// The table's column for the `client_id`; `nil` if the file lacks the table. One of an older version that is opened
  /// read-only may lack either.
  private func clientIDColumn() throws -> String? {
    let columns = try database.all("SELECT name FROM pragma_table_info('hidden')") { $0.text(0) }
    return columns.isEmpty ? nil : columns.contains("client_id") ? "hidden.client_id" : "''"
  }

  /// The marks in a fixed order, also those of events that the log lacks.
  func marks() throws -> [HiddenMark] {
    guard let clientID = try clientIDColumn() else { return [] }
    return try database.all(
      "SELECT type, entity, instant, \(clientID) FROM hidden ORDER BY entity, type, instant, 4"
    ) { row in
      let key = Event.NaturalKey(
        type: ExactID(row.text(0)), entity: ExactID(row.text(1)), instant: Instant(milliseconds: row.integer(2)))
      return HiddenMark(key: key, clientID: row.text(3))
    }
  }

  /// The numbers of the hidden events.
  func seqs() throws -> Set<Int64> {
    guard let clientID = try clientIDColumn() else { return [] }
    // CROSS JOIN makes SQLite look up the few marks instead of scanning the log.
    return Set(
      try database.all(
        """
        WITH marks AS (
          SELECT type, entity, instant, coalesce(former_ids.client_id, \(clientID)) AS client_id
          FROM hidden LEFT JOIN former_ids ON identity = \(clientID)
        )
        SELECT seq FROM marks CROSS JOIN events
        ON events.instant = marks.instant AND events.type = marks.type AND events.entity = marks.entity
        AND (marks.client_id IN ('', events.client_id)
          OR NOT EXISTS (SELECT 1 FROM events AS named WHERE named.client_id = marks.client_id))
        """
      ) { $0.integer(0) })
  }

  /// Adds marks. A key without an instant belongs to no entry.
  func add(_ marks: some Sequence<HiddenMark>) throws {
    for mark in marks {
      guard let instant = mark.key.instant else { continue }
      try database.execute(
        "INSERT OR IGNORE INTO hidden (type, entity, instant, client_id) VALUES (?, ?, ?, ?)",
        .text(mark.key.type.text), .text(mark.key.entity.text), .integer(instant.milliseconds),
        .text(mark.clientID?.text ?? ""))
    }
  }

  /// Adds the marks of an import that hide something of what was added. What was here stays as it is, hidden or not.
  func add(_ marks: [HiddenMark], for added: [LoggedEvent]) throws {
    if marks.isEmpty { return }
    let twins = Dictionary(grouping: added, by: \.event.naturalKey)
    try add(
      marks.filter { mark in
        let current = try mark.clientID.map { id in
          try FormerIDs(database: database).successor(of: id.text) ?? id.text
        }
        let isHere = try current.map { try EventLog(database: database).row(clientID: $0) != nil } ?? false
        return (twins[mark.key] ?? []).contains {
          !isHere || $0.event.clientID?.hasSameBytes(as: current ?? "") == true
        }
      })
  }

  func hide(seq: Int64) throws {
    try database.execute(
      """
      INSERT OR IGNORE INTO hidden (type, entity, instant, client_id)
      SELECT type, entity, instant, ifnull(client_id, '') FROM events WHERE seq = ? AND instant IS NOT NULL
      """, .integer(seq))
  }

  /// Removes every mark that hides an event. Other events that these marks hide stay hidden.
  func show(seq: Int64) throws {
    let twins = try database.all(
      """
      SELECT twin.seq FROM events CROSS JOIN events AS twin
      ON twin.instant = events.instant AND twin.type = events.type AND twin.entity = events.entity
      WHERE events.seq = ?1 AND twin.seq <> ?1
      """, .integer(seq)
    ) { $0.integer(0) }
    let hidden = try twins.filter(seqs().contains)
    try database.execute(
      "DELETE FROM hidden WHERE (type, entity, instant) IN (SELECT type, entity, instant FROM events WHERE seq = ?)",
      .integer(seq))
    for twin in hidden { try hide(seq: twin) }
  }
}

extension EventStore {
  /// The hidden entries, as an export file names them.
  public func hiddenMarks() throws(StoreError) -> [HiddenMark] {
    try read { try HiddenTable(database: $0).marks() }
  }

  /// Hides entries on this computer, also those that the log doesn't have yet.
  public func hide(_ marks: [HiddenMark]) throws(StoreError) {
    try write { database in
      try HiddenTable(database: database).add(marks)
      try database.useUpNumber()
    }
  }

  /// Hides an entry on this computer, or shows it again. The log keeps it, and no server learns of it.
  /// - Parameter seq: its number in the log. Without such an event, nothing happens.
  public func setHidden(_ isHidden: Bool, seq: Int64) throws(StoreError) {
    try write { database in
      let table = HiddenTable(database: database)
      if isHidden { try table.hide(seq: seq) } else { try table.show(seq: seq) }
      try database.useUpNumber()
    }
  }
}
