import Garden
import Storage
import Synchronization

/// The events of all users. Every function is bound to one of them: rows of others are neither seen nor touched.
final class EventTable: Sendable {
  /// A row as it came, before the columns that the database fills in.
  struct NewRow: Sendable {
    var id: String?
    var type: String?
    var payload: String?
    var clientID: String?
    var clientTimestamp: String?
    var createdAt: Microseconds?
  }

  /// What a row that is there already leads to.
  enum Conflict: Sendable {
    case fails
    /// Skips rows whose `client_id` is there.
    case skipsClientID
    /// Skips rows whose `id` is there.
    case skipsID
  }

  private let store: ServerStore
  private let now: @Sendable () -> Microseconds
  private let newest: Mutex<Microseconds>
  /// Told of stored rows in the order of their commits, each batch of one user.
  private let inserted: @Sendable (_ userID: String, _ rows: [EventRow]) -> Void

  init(
    store: ServerStore, now: @escaping @Sendable () -> Microseconds,
    inserted: @escaping @Sendable (String, [EventRow]) -> Void
  ) {
    self.store = store
    self.now = now
    newest = Mutex(store.newest)
    self.inserted = inserted
  }

  /// Stores all rows or none; they share one `created_at`, which is later than that of every row before.
  /// - Returns: the rows that were stored, without those skipped.
  /// - Throws: `RestError` with the codes of PostgreSQL.
  func insert(_ rows: [NewRow], userID: String, conflict: Conflict) async throws -> [EventRow] {
    try await store.commits.commit { database in
      // An account may have been deleted while its token is still good.
      guard try database.integer("SELECT count(*) FROM users WHERE id = ?", .text(userID)) > 0 else {
        throw RestError(
          status: 409, code: "23503",
          message: #"insert or update on table "events" violates foreign key constraint "events_user_id_fkey""#)
      }
      let instant = self.nextInstant()
      var stored: [EventRow] = []
      for row in rows {
        guard let type = row.type else { throw RestError.missing("type") }
        guard let payload = row.payload else { throw RestError.missing("payload") }
        let row = EventRow(
          id: row.id ?? Secrets.uuid(), userID: userID, type: type, payload: payload, clientID: row.clientID,
          clientTimestamp: row.clientTimestamp, createdAt: row.createdAt ?? instant)
        if try EventTable.insert(row, conflict, database) { stored.append(row) }
      }
      return stored
    } committed: { stored in
      if !stored.isEmpty { self.inserted(userID, stored) }
    }
  }

  /// Rows of one user.
  /// - Parameter limit: `nil` for all.
  func rows(
    userID: String, filter: RestFilter?, order: String, limit: Int?, offset: Int = 0
  ) async throws -> [EventRow] {
    let (sql, values) = EventTable.condition(userID, filter)
    return try await store.reader.read { database in
      try EventTable.rows(
        database, "\(sql)\(order) LIMIT ? OFFSET ?", values + [.integer(limit ?? -1), .integer(offset)])
    }
  }

  func count(userID: String, filter: RestFilter?) async throws -> Int {
    let (sql, values) = EventTable.condition(userID, filter)
    return try await store.reader.read { Int(try $0.integer("SELECT count(*) FROM events WHERE \(sql)", values)) }
  }

  /// - Returns: the rows that were deleted.
  func delete(userID: String, filter: RestFilter?) async throws -> [EventRow] {
    let (sql, values) = EventTable.condition(userID, filter)
    return try await store.commits.commit { database in
      let rows = try EventTable.rows(database, sql, values)
      try database.execute("DELETE FROM events WHERE \(sql)", values)
      return rows
    }
  }

  /// The instant of the newest row of a user; `nil` without rows.
  func latest(userID: String) async throws -> Microseconds? {
    try await store.reader.read { database in
      try database.first("SELECT max(created_at) FROM events WHERE user_id = ?", .text(userID)) {
        $0.optionalInteger(0).map { Microseconds($0) }
      } ?? nil
    }
  }
}

extension EventTable {
  /// Later than every instant before, also when the clock is set back: readers go by it.
  private func nextInstant() -> Microseconds {
    let now = now()
    return newest.withLock { newest in
      newest = max(now, Microseconds(newest.value + 1))
      return newest
    }
  }

  private static func condition(_ userID: String, _ filter: RestFilter?) -> (String, [SQLValue]) {
    var (sql, values) = ("user_id = ?", [SQLValue.text(userID)])
    guard let filter else { return (sql, values) }
    if let earliest = filter.earliest {
      sql += " AND created_at >= ?"
      values.append(.integer(earliest))
    }
    return (sql + " AND " + filter.sql, values + filter.values)
  }

  private static func rows(_ database: Database, _ condition: String, _ values: [SQLValue]) throws -> [EventRow] {
    var rows: [EventRow] = []
    try database.rows("SELECT \(EventRow.columns) FROM events WHERE \(condition)", values) { row in
      rows.append(EventRow(row))
      return true
    }
    return rows
  }

  /// - Returns: `false` if the row was skipped.
  private static func insert(_ row: EventRow, _ conflict: Conflict, _ database: Database) throws -> Bool {
    let clause =
      switch conflict {
      case .fails: ""
      case .skipsClientID: " ON CONFLICT (client_id) DO NOTHING"
      case .skipsID: " ON CONFLICT (id) DO NOTHING"
      }
    do throws(DatabaseError) {
      try database.execute(
        "INSERT INTO events (\(EventRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)" + clause, .text(row.id),
        .text(row.userID), .text(row.type), .text(row.payload), .text(row.clientID), .text(row.clientTimestamp),
        .integer(row.createdAt.value))
    } catch {
      guard error.isUniqueViolation else { throw error }
      throw RestError.duplicate(error.message.contains("events.id") ? "events_pkey" : "events_client_id_key")
    }
    return database.changes > 0
  }
}

extension RestError {
  static func missing(_ column: String) -> RestError {
    RestError(
      status: 400, code: "23502",
      message: #"null value in column "\#(column)" of relation "events" violates not-null constraint"#)
  }
}
