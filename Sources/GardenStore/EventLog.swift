import Garden
import Storage

/// Where an event stands on its way to the server; the raw value is what `events.upload` holds.
public enum UploadState: Int64, Sendable {
  /// Not acknowledged by the server yet.
  case pending = 0
  case confirmed = 1
  /// Refused by the server for its own sake: kept, and sent again only by hand.
  case quarantined = 2
}

/// What became of one event that was to be appended.
public enum AppendOutcome: Sendable, Equatable {
  case inserted(seq: Int64)
  /// The log has it already, as `seq`.
  case duplicate(of: Int64)
  /// The log had the same event in a form that gives way to this one.
  case replaced(seq: Int64)
}

/// The table `events`, with what has to change together with it. Lives as long as a transaction of the caller.
final class EventLog {
  /// What comes with an event besides its text.
  struct Mark: Equatable {
    var upload = UploadState.pending
    var serverID: String?
    var serverCreatedAt: String?
    var heldUntil: Instant?
  }

  let database: Database
  /// Set where many events come at once: the search index takes them in later, see `SearchIndex.postpone`.
  var postponesSearch = false
  private(set) var firstPostponed: Int64?
  private let sha256 = SHA256()
  /// Whether there may be an event without a `client_id`; `nil` as long as nobody has looked.
  private var mayHaveAnonymous: Bool?

  init(database: Database) {
    self.database = database
  }

  /// The condition on `events` of having this `server_id`, the first value of the statement. Without the plus SQLite
  /// would put the value in the place of the column everywhere, and no longer see that there is an index.
  static let hasServerID =
    "server_id IS NOT NULL AND substr(server_id, 1, 8) = substr(?1, 1, 8) AND +server_id = ?1"

  // MARK: Writing

  /// Appends one event unless it is there.
  func insert(_ event: Event, _ mark: Mark) throws -> AppendOutcome {
    guard event.clientID == nil else { return try insertNamed(event, mark) }
    let likeness = event.likeness
    if let named = try namedRow(like: likeness) {
      try displace(event, likeness, mark)
      return .duplicate(of: named)
    }
    guard let row = try anonymousRow(like: likeness) else { return .inserted(seq: try add(event, mark)) }
    return try settle(row, event, mark)
  }

  /// Takes in a row of the server.
  /// - Returns: `nil` if the row is known.
  func insert(_ row: ServerRow) throws -> AppendOutcome? {
    let mark = Mark(row)
    // New rows are the rule: asking before whether they are here would cost as much as putting them in.
    if row.event.clientID != nil, let seq = try addIfNew(row.event, mark) {
      return try displaceAnonymous(row.event, .inserted(seq: seq))
    }
    if try FullPullTables(database: database).knows(row) { return nil }
    return try insert(row.event, mark)
  }

  /// What the server keeps in a row is that row's event: another one that came in it before leaves the log.
  func giveWay(to row: ServerRow) throws {
    let old = try database.first(
      """
      SELECT \(StoredRow.columns) FROM events WHERE \(EventLog.hasServerID) AND +client_id IS NOT ?2 AND upload = 1
      """, .text(row.id), .text(row.event.clientID)
    ) { try StoredRow($0) }
    guard let old else { return }
    try remove(old)
    try FullPullTables(database: database).distrustMerged()
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

  // MARK: Reading

  /// In the order of `seq`.
  func events(afterSeq seq: Int64) throws -> [LoggedEvent] {
    try database.all("SELECT seq, raw FROM events WHERE seq > ? ORDER BY seq", .integer(seq), map: logged)
  }

  /// In the total order; events that derivation ignores come first.
  func allInOrder() throws -> [LoggedEvent] {
    let understood = try database.all(
      "SELECT seq, raw FROM events WHERE rank IS NOT NULL ORDER BY instant, rank, client_id", map: logged)
    return try ignored(afterSeq: 0) + LoggedEvent.sorted(understood)
  }

  /// Events that derivation understands and that come after a place, in the total order.
  func events(after key: OrderKey) throws -> [LoggedEvent] {
    let candidates = try database.all(
      """
      SELECT seq, raw FROM events WHERE rank IS NOT NULL AND instant >= ? ORDER BY instant, rank, client_id
      """, .integer(key.instant.milliseconds), map: logged)
    // Only at the very instant of the place does the rest of the key matter.
    let later = candidates.filter { logged in
      logged.event.instant != key.instant || logged.event.orderKey.map { $0 > key } ?? false
    }
    return LoggedEvent.sorted(later)
  }

  /// Events that derivation does not understand, in the order of `seq`.
  func ignored(afterSeq seq: Int64) throws -> [LoggedEvent] {
    try database.all(
      "SELECT seq, raw FROM events WHERE rank IS NULL AND seq > ? ORDER BY seq", .integer(seq), map: logged)
  }

  /// Events that derivation understands, the last one first.
  func newest(limit: Int, since: Instant?) throws -> [LoggedEvent] {
    try database.all(
      """
      SELECT seq, raw FROM events WHERE rank IS NOT NULL AND instant >= ?
      ORDER BY instant DESC, rank DESC, client_id DESC LIMIT ?
      """, .integer(since?.milliseconds ?? .min), .integer(Int64(limit)), map: logged)
  }

  func events(seqs: [Int64]) throws -> [LoggedEvent] {
    try seqs.compactMap { seq in
      try database.first("SELECT seq, raw FROM events WHERE seq = ?", .integer(seq), map: logged)
    }
  }

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

/// A row of `events` as far as its place in the log needs it.
struct StoredRow {
  static let columns = "seq, upload, server_id, server_created_at, held_until, instant, rank, raw"

  let seq: Int64
  let mark: EventLog.Mark
  let instant: Int64?
  let rank: Int64?
  let event: Event

  init(_ row: Row) throws {
    seq = row.integer(0)
    mark = EventLog.Mark(
      upload: UploadState(rawValue: row.integer(1)) ?? .pending, serverID: row.optionalText(2),
      serverCreatedAt: row.optionalText(3),
      heldUntil: row.optionalInteger(4).map { Instant(milliseconds: $0) })
    instant = row.optionalInteger(5)
    rank = row.optionalInteger(6)
    event = try Event(json: row.text(7))
  }
}

extension EventLog {
  private func logged(_ row: Row) throws -> LoggedEvent {
    LoggedEvent(seq: row.integer(0), event: try Event(json: row.text(1)))
  }

  private func insertNamed(_ event: Event, _ mark: Mark) throws -> AppendOutcome {
    let outcome: AppendOutcome
    if let clientID = event.clientID, let row = try row(clientID: clientID) {
      outcome = try settle(row, event, mark)
    } else {
      outcome = .inserted(seq: try add(event, mark))
    }
    if case .duplicate = outcome { return outcome }
    return try displaceAnonymous(event, outcome)
  }

  /// An event with a `client_id` has come into the log: one without that is the same gives way.
  private func displaceAnonymous(_ event: Event, _ outcome: AppendOutcome) throws -> AppendOutcome {
    let likeness = event.likeness
    guard let anonymous = try anonymousRow(like: likeness) else { return outcome }
    try delete(anonymous)
    try displace(anonymous.event, likeness, anonymous.mark)
    if case .inserted(let seq) = outcome { return .replaced(seq: seq) }
    return outcome
  }

  /// Two forms of the same event: the one whose canonical text sorts first stays, with the better standing of both.
  private func settle(_ row: StoredRow, _ event: Event, _ mark: Mark) throws -> AppendOutcome {
    var merged = row.mark
    if mark.upload == .confirmed {
      if merged.upload != .confirmed || merged.serverID == nil {
        merged.serverID = mark.serverID ?? merged.serverID
        merged.serverCreatedAt = mark.serverCreatedAt ?? merged.serverCreatedAt
        merged.upload = .confirmed
        merged.heldUntil = nil
      } else {
        try noteMerged(mark, into: merged)
      }
    }
    guard event.raw != row.event.raw, event.canonicalText.precedesInBytes(row.event.canonicalText) else {
      if merged != row.mark { try confirm(row.seq, merged) }
      return .duplicate(of: row.seq)
    }
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

  private func add(_ event: Event, _ mark: Mark) throws -> Int64 {
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

  private func delete(_ row: StoredRow) throws {
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
  private func noteMerged(_ mark: Mark, into other: Mark) throws {
    guard let serverID = mark.serverID, serverID != other.serverID else { return }
    try database.execute("INSERT OR IGNORE INTO merged_rows (server_id) VALUES (?)", .text(serverID))
  }

  /// An event with a `client_id` that is the same as an anonymous one of this likeness.
  private func namedRow(like likeness: Event.Likeness) throws -> Int64? {
    // Without an instant the likeness is the whole text, which no event with a `client_id` shares.
    guard let instant = likeness.instant else { return nil }
    return try database.first(
      "SELECT min(seq) FROM events WHERE instant = ? AND type = ? AND entity = ? AND client_id IS NOT NULL",
      .integer(instant.milliseconds), .text(likeness.type), .text(likeness.entity)
    ) { $0.optionalInteger(0) } ?? nil
  }

  private func anonymousRow(like likeness: Event.Likeness) throws -> StoredRow? {
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

  /// Sets aside an event that is the same as one with a `client_id`; of several, the one that sorts first.
  private func displace(_ event: Event, _ likeness: Event.Likeness, _ mark: Mark) throws {
    guard let instant = likeness.instant else { return }
    let identity: [SQLValue] = [.text(likeness.entity), .text(likeness.type), .integer(instant.milliseconds)]
    let other = try database.first(
      "SELECT raw, server_id FROM displaced WHERE entity = ? AND type = ? AND instant = ?",
      identity[0], identity[1], identity[2]
    ) { (event: try Event(json: $0.text(0)), mark: Mark(serverID: $0.optionalText(1))) }
    if let other {
      if !event.canonicalText.precedesInBytes(other.event.canonicalText) {
        return try noteMerged(mark, into: other.mark)
      }
      try noteMerged(other.mark, into: mark)
    }
    try database.execute(
      """
      INSERT OR REPLACE INTO displaced (entity, type, instant, upload, server_id, server_created_at, raw)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, identity[0], identity[1], identity[2], .integer(mark.upload.rawValue), .text(mark.serverID),
      .text(mark.serverCreatedAt), .text(event.raw))
  }

  /// The named event in `row` is gone: an anonymous one that it had displaced counts again, unless another one with
  /// a `client_id` is the same.
  private func restoreDisplaced(by row: StoredRow) throws {
    let likeness = row.event.likeness
    guard row.event.clientID != nil, let instant = likeness.instant, try namedRow(like: likeness) == nil else { return }
    let restored = try database.first(
      """
      DELETE FROM displaced WHERE entity = ? AND type = ? AND instant = ?
      RETURNING upload, server_id, server_created_at, raw
      """, .text(likeness.entity), .text(likeness.type), .integer(instant.milliseconds)
    ) { row in
      let mark = Mark(
        upload: UploadState(rawValue: row.integer(0)) ?? .pending, serverID: row.optionalText(1),
        serverCreatedAt: row.optionalText(2))
      return (try Event(json: row.text(3)), mark)
    }
    if let (event, mark) = restored { _ = try add(event, mark) }
  }
}
