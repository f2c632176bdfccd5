import SQLiteKit
import TrunkModel

/// The upload state of an event. The raw value is stored in `events.upload`.
public enum UploadState: Int64, Sendable {
  /// Not acknowledged by the server yet.
  case pending = 0
  case confirmed = 1
  /// Rejected by the server because of its content. It is kept, and sent again only by the user.
  case quarantined = 2
}

/// The table `events`, with what has to change together with it. Lives as long as a transaction of the caller.
final class EventLog {
  /// What comes with an event besides its text.
  struct Mark: Equatable {
    var upload = UploadState.pending
    var serverID: String?
    var serverCreatedAt: String?
    var heldUntil: Instant?

    /// Whether the text was read from the server, and not only sent to it.
    var isFromServer: Bool { upload == .confirmed && serverID != nil }
  }

  /// Where an event comes from. It decides between two versions of one event.
  enum Source {
    /// An action on this device.
    case device
    /// A file, a backup or another garden on this computer: it only adds, and never changes what is here.
    case file
    /// A row of the server: the log becomes the same on every device.
    case server
  }

  let database: Database
  /// Set where many events come at once: the search index takes them in later, see `SearchIndex.postpone`.
  var postponesSearch = false
  private(set) var firstPostponed: Int64?
  private let sha256 = SHA256()
  /// Whether there may be an event without a `client_id`; `nil` until that was checked.
  var mayHaveAnonymous: Bool?

  init(database: Database) {
    self.database = database
  }

  /// The condition on `events` of having this `server_id`, the first value of the statement. Without the plus SQLite
  /// would put the value in the place of the column everywhere, and no longer see that there is an index.
  static let hasServerID =
    "server_id IS NOT NULL AND substr(server_id, 1, 8) = substr(?1, 1, 8) AND +server_id = ?1"

  /// Appends one event unless it is there.
  func insert(_ event: Event, _ mark: Mark, from source: Source) throws -> AppendOutcome {
    guard event.clientID == nil else { return try insertNamed(event, mark, from: source) }
    let likeness = event.likeness
    if let named = try namedRow(like: likeness) {
      try displace(event, likeness, mark)
      let isSame = try row(seq: named)?.event.hasSameContent(as: event) ?? false
      return isSame ? .duplicate(of: named) : .conflict(with: named)
    }
    guard let row = try anonymousRow(like: likeness) else { return .inserted(seq: try add(event, mark)) }
    return try settle(row, event, mark, from: source)
  }

  /// Takes in a row of the server.
  /// - Returns: `nil` if the row is known.
  func insert(_ row: ServerRow) throws -> AppendOutcome? {
    let mark = Mark(row)
    // New rows are the rule: asking before whether they are here would cost as much as putting them in.
    if row.event.clientID != nil, let seq = try addIfNew(row.event, mark) {
      return try displaceAnonymous(row.event, .inserted(seq: seq))
    }
    if try KnownRows(database: database).knows(row) { return nil }
    return try insert(row.event, mark, from: .server)
  }

  /// What the server keeps in a row is that row's event: another one that came in it before leaves the log.
  func giveWay(to row: ServerRow) throws {
    let old = try database.first(
      """
      SELECT \(StoredRow.columns) FROM events WHERE \(EventLog.hasServerID) AND +client_id IS NOT ?2 AND upload = 1
      """, .text(row.id), .text(row.event.clientID)
    ) { try StoredRow($0) }
    guard let old else { return }
    try supersede(old.event)
    try remove(old)
    try KnownRows(database: database).distrustMerged()
  }

  /// Takes an event out of the log.
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

  /// The number of the newest event; 0 in an empty log.
  func lastSeq() throws -> Int64 { try database.integer("SELECT max(seq) FROM events") }

  // MARK: Generation

  /// Grows whenever an event leaves the log or another takes its place.
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
  private func insertNamed(_ event: Event, _ mark: Mark, from source: Source) throws -> AppendOutcome {
    let outcome: AppendOutcome
    if let clientID = event.clientID, let row = try row(clientID: clientID) {
      outcome = try settle(row, event, mark, from: source)
    } else if source == .file, let other = try anonymousRow(like: event.likeness),
      !other.event.hasSameContent(as: event)
    {
      try supersede(event)
      return .conflict(with: other.seq)
    } else {
      outcome = .inserted(seq: try add(event, mark))
    }
    switch outcome {
    case .duplicate, .conflict: return outcome
    case .inserted, .replaced: return try displaceAnonymous(event, outcome)
    }
  }

  /// Decides between two versions of one event. The version that doesn't stay is kept as superseded.
  ///
  /// What the server has wins against what only this device has, so that all devices come to the same. Of two versions
  /// from the server the one whose canonical text sorts first stays.
  private func settle(
    _ row: StoredRow, _ event: Event, _ mark: Mark, from source: Source
  ) throws -> AppendOutcome {
    let (here, other) = (row.event.canonicalText, event.canonicalText)
    let isSame = event.raw == row.event.raw || here.hasSameBytes(as: other)
    var merged = row.mark
    if mark.upload == .confirmed, isSame || source == .server {
      if merged.upload != .confirmed || merged.serverID == nil {
        merged.serverID = mark.serverID ?? merged.serverID
        merged.serverCreatedAt = mark.serverCreatedAt ?? merged.serverCreatedAt
        merged.upload = .confirmed
        merged.heldUntil = nil
      } else {
        try noteMerged(mark, into: merged)
      }
    }
    let isWon = !isSame && source == .server && (!row.mark.isFromServer || other.precedesInBytes(here))
    guard isWon else {
      if merged != row.mark { try confirm(row.seq, merged) }
      if isSame { return .duplicate(of: row.seq) }
      try supersede(event)
      return .conflict(with: row.seq)
    }
    try supersede(row.event)
    try delete(row)
    let seq = try add(event, merged)
    try restoreDisplaced(by: row)
    return .replaced(seq: seq)
  }

  // A refused row has nothing to undo. ABORT, the default, would copy every page first to be able to.
  private static let insertion = "INSERT OR FAIL INTO " + values
  private static let insertionIfNew = "INSERT OR IGNORE INTO " + values
  private static let values = """
    events (type, instant, rank, client_id, entity, upload, held_until, server_id, server_created_at, sha256, raw)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  func add(_ event: Event, _ mark: Mark) throws -> Int64 {
    try execute(EventLog.insertion, event, mark)
    return try index(event)
  }

  /// - Returns: `nil` if the log has an event with this `client_id`.
  private func addIfNew(_ event: Event, _ mark: Mark) throws -> Int64? {
    try execute(EventLog.insertionIfNew, event, mark)
    return database.changes > 0 ? try index(event) : nil
  }

  private func execute(_ insertion: String, _ event: Event, _ mark: Mark) throws {
    let isUnderstood = event.isUnderstood
    if event.clientID == nil { mayHaveAnonymous = true }
    try database.execute(
      insertion,
      .text(event.type), .integer(event.instant?.milliseconds),
      .integer(isUnderstood ? event.content.kind.map { Int64($0.rawValue) } : nil), .text(event.clientID),
      .text(event.entityID ?? ""), .integer(mark.upload.rawValue), .integer(mark.heldUntil?.milliseconds),
      .text(mark.serverID), .text(mark.serverCreatedAt), .blob(sha256.digest(of: event.raw)), .text(event.raw))
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

  private func confirm(_ seq: Int64, _ mark: Mark) throws {
    try database.execute(
      "UPDATE events SET upload = ?, server_id = ?, server_created_at = ?, held_until = NULL WHERE seq = ?",
      .integer(mark.upload.rawValue), .text(mark.serverID), .text(mark.serverCreatedAt), .integer(seq))
  }

  /// Remembers a row of the server whose event the log has as another row, so that the rows can be counted.
  func noteMerged(_ mark: Mark, into other: Mark) throws {
    guard let serverID = mark.serverID, serverID != other.serverID else { return }
    try database.execute("INSERT OR IGNORE INTO merged_rows (server_id) VALUES (?)", .text(serverID))
  }
}
