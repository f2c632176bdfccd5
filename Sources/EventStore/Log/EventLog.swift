import SQLiteKit
import TrunkModel

/// The table `events`, with the tables that change together with it. Create one for each transaction.
final class EventLog {
  /// Where an event comes from. This decides which of two versions of an event stays.
  enum Source {
    /// An action on this device.
    case device
    /// A file, a backup or another garden on this computer. It only adds events and never changes existing ones.
    case file
    /// A row of the server. The log must become the same on every device.
    case server
  }

  let database: Database
  /// Set for large batches: the search index is updated later, see `SearchIndex.postpone`.
  var postponesSearch = false
  private(set) var firstPostponed: Int64?
  private let sha256 = SHA256()
  /// Whether the log may have an event without a `client_id`; `nil` until that was checked.
  var mayHaveAnonymous: Bool?

  init(database: Database) {
    self.database = database
  }

  /// The SQL condition that a row of `events` has this `server_id`, the statement's first parameter. Without the unary
  /// plus, SQLite would substitute the parameter for the column everywhere and then not use the index on its first
  /// eight characters.
  static let hasServerID =
    "server_id IS NOT NULL AND substr(server_id, 1, 8) = substr(?1, 1, 8) AND +server_id = ?1"

  /// Appends an event unless the log has it.
  func insert(_ event: Event, _ record: UploadRecord, from source: Source) throws -> AppendOutcome {
    guard event.clientID == nil else { return try insertNamed(event, record, from: source) }
    let key = event.naturalKey
    if let named = try namedSeq(for: key) {
      try displace(event, key, record)
      let isSame = try row(seq: named)?.event.hasSameContent(as: event) ?? false
      return isSame ? .duplicate(of: named) : .conflict(with: named)
    }
    guard let row = try anonymousRow(for: key) else { return .inserted(seq: try add(event, record)) }
    return try resolve(row, event, record, from: source)
  }

  /// Inserts the event of a server row.
  /// - Returns: `nil` if the row is already known.
  func insert(_ row: ServerRow) throws -> AppendOutcome? {
    let record = UploadRecord(row)
    // Most rows are new. Looking them up first would cost as much as inserting them.
    if row.event.clientID != nil, let seq = try addIfNew(row.event, record) {
      return try displaceAnonymous(row.event, .inserted(seq: seq))
    }
    if try KnownRows(database: database).knows(row) { return nil }
    return try insert(row.event, record, from: .server)
  }

  /// Removes an event from the log, and restores the event that it had displaced.
  func remove(_ row: StoredRow) throws {
    try delete(row)
    try restoreDisplaced(by: row)
  }

  func row(seq: Int64) throws -> StoredRow? {
    try database.first("SELECT \(StoredRow.columns) FROM events WHERE seq = ?", .integer(seq)) { try StoredRow($0) }
  }

  func row(clientID: String) throws -> StoredRow? {
    try database.first("SELECT \(StoredRow.columns) FROM events WHERE client_id = ?", .text(clientID)) {
      try StoredRow($0)
    }
  }

  /// The `seq` of the newest event; 0 if the log is empty.
  func lastSeq() throws -> Int64 { try database.integer("SELECT max(seq) FROM events") }

  func position() throws -> LogPosition { LogPosition(generation: try generation(), lastSeq: try lastSeq()) }

  // MARK: Generation

  /// A number that grows whenever an event is removed from the log or replaced.
  func generation() throws -> Int64 {
    try database.integer("SELECT value FROM meta WHERE key = ?", .text(MetaKey.generation.rawValue))
  }

  func growGeneration() throws {
    try database.execute(
      "INSERT INTO meta (key, value) VALUES (?, '1') ON CONFLICT (key) DO UPDATE SET value = value + 1",
      .text(MetaKey.generation.rawValue))
  }
}

extension EventLog {
  private func insertNamed(_ event: Event, _ record: UploadRecord, from source: Source) throws -> AppendOutcome {
    let outcome: AppendOutcome
    if let clientID = event.clientID, let row = try row(clientID: clientID) {
      outcome = try resolve(row, event, record, from: source)
    } else if source == .file, let other = try anonymousRow(for: event.naturalKey),
      !other.event.hasSameContent(as: event)
    {
      try supersede(event)
      return .conflict(with: other.seq)
    } else {
      outcome = .inserted(seq: try add(event, record))
    }
    switch outcome {
    case .duplicate, .conflict: return outcome
    case .inserted, .replaced: return try displaceAnonymous(event, outcome)
    }
  }

  // A single insert that fails leaves nothing to undo. ABORT, the default, would first save every page that it changes.
  private static let insertion = "INSERT OR FAIL INTO " + values
  private static let insertionIfNew = "INSERT OR IGNORE INTO " + values
  private static let values = """
    events (type, instant, rank, client_id, entity, upload, held_until, server_id, server_created_at, sha256, raw)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  func add(_ event: Event, _ record: UploadRecord) throws -> Int64 {
    try execute(EventLog.insertion, event, record)
    return try index(event)
  }

  /// - Returns: `nil` if the log has an event with this `client_id`.
  private func addIfNew(_ event: Event, _ record: UploadRecord) throws -> Int64? {
    try execute(EventLog.insertionIfNew, event, record)
    return database.changes > 0 ? try index(event) : nil
  }

  private func execute(_ insertion: String, _ event: Event, _ record: UploadRecord) throws {
    let isUnderstood = event.isUnderstood
    if event.clientID == nil { mayHaveAnonymous = true }
    try database.execute(
      insertion,
      .text(event.type), .integer(event.instant?.milliseconds),
      .integer(isUnderstood ? event.kind.map { Int64($0.rawValue) } : nil), .text(event.clientID),
      .text(event.entityID ?? ""), .integer(record.state.rawValue), .integer(record.undoableUntil?.milliseconds),
      .text(record.serverID), .text(record.serverCreatedAt), .blob(sha256.digest(of: event.raw)), .text(event.raw))
  }

  private func index(_ event: Event) throws -> Int64 {
    let seq = database.lastInsertID
    if postponesSearch {
      firstPostponed = firstPostponed ?? seq
    } else {
      try SearchIndex(database: database).add(event, seq: seq)
    }
    return seq
  }

  func delete(_ row: StoredRow) throws {
    try database.execute("DELETE FROM events WHERE seq = ?", .integer(row.seq))
    try SearchIndex(database: database).remove(seq: row.seq)
    try CheckpointTable(database: database).removeCovering(row)
    try growGeneration()
  }

  func confirm(_ seq: Int64, _ record: UploadRecord) throws {
    try database.execute(
      "UPDATE events SET upload = ?, server_id = ?, server_created_at = ?, held_until = NULL WHERE seq = ?",
      .integer(record.state.rawValue), .text(record.serverID), .text(record.serverCreatedAt), .integer(seq))
  }

  /// Records a server row whose event the log has under another row, so that the row is counted.
  func recordMerged(_ record: UploadRecord, into other: UploadRecord) throws {
    guard let serverID = record.serverID, serverID != other.serverID else { return }
    try database.execute("INSERT OR IGNORE INTO merged_rows (server_id) VALUES (?)", .text(serverID))
  }
}
