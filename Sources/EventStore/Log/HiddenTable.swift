import SQLiteKit
import TrunkModel

/// The table `hidden`: the entries that the user doesn't want to see on this computer. Call writing methods in a
/// transaction.
///
/// A mark names an event by its natural key. So it stays valid when the event gets another `client_id` or leaves the
/// log for a while, and it holds none of the user's words.
struct HiddenTable {
  let database: Database

  /// Whether the file has the table. One of an older version that is opened read-only lacks it.
  private func exists() throws(DatabaseError) -> Bool {
    try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'hidden'") == 1
  }

  /// The marks in a fixed order, also those of events that the log lacks.
  func marks() throws -> [Event.NaturalKey] {
    guard try exists() else { return [] }
    return try database.all("SELECT type, entity, instant FROM hidden ORDER BY entity, type, instant") { row in
      Event.NaturalKey(
        type: ExactID(row.text(0)), entity: ExactID(row.text(1)), instant: Instant(milliseconds: row.integer(2)))
    }
  }

  /// The numbers of the hidden events.
  func seqs() throws -> Set<Int64> {
    guard try exists() else { return [] }
    // CROSS JOIN makes SQLite look up the few marks instead of scanning the log.
    return Set(
      try database.all(
        """
        SELECT seq FROM hidden CROSS JOIN events
        ON events.instant = hidden.instant AND events.type = hidden.type AND events.entity = hidden.entity
        """
      ) { $0.integer(0) })
  }

  /// Adds marks. A key without an instant belongs to no entry.
  func add(_ marks: some Sequence<Event.NaturalKey>) throws {
    for mark in marks {
      guard let instant = mark.instant else { continue }
      try database.execute(
        "INSERT OR IGNORE INTO hidden (type, entity, instant) VALUES (?, ?, ?)", .text(mark.type.text),
        .text(mark.entity.text), .integer(instant.milliseconds))
    }
  }

  /// Adds those of the marks whose events an import has added. What was here stays as it is, hidden or not.
  func add(_ marks: [Event.NaturalKey], for added: [LoggedEvent]) throws {
    if marks.isEmpty { return }
    let keys = Set(added.map(\.event.naturalKey))
    try add(marks.filter(keys.contains))
  }
}

extension EventStore {
  /// The hidden entries, as an export file names them.
  public func hiddenMarks() throws(StoreError) -> [Event.NaturalKey] {
    try read { try HiddenTable(database: $0).marks() }
  }

  /// Hides entries on this computer, also those that the log doesn't have yet.
  public func hide(_ marks: [Event.NaturalKey]) throws(StoreError) {
    try write { database in
      try HiddenTable(database: database).add(marks)
      try database.useUpNumber()
    }
  }

  /// Hides an entry on this computer, or shows it again. The log keeps it, and no server learns of it.
  /// - Parameter seq: its number in the log. Without such an event, nothing happens.
  public func setHidden(_ isHidden: Bool, seq: Int64) throws(StoreError) {
    try write { database in
      try database.execute(
        isHidden
          ? """
          INSERT OR IGNORE INTO hidden (type, entity, instant)
          SELECT type, entity, instant FROM events WHERE seq = ? AND instant IS NOT NULL
          """
          : """
          DELETE FROM hidden WHERE (type, entity, instant) IN (SELECT type, entity, instant FROM events WHERE seq = ?)
          """, .integer(seq))
      try database.useUpNumber()
    }
  }
}
