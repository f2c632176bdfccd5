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

    /// Bytes of its texts.
    var bytes: Int {
      [type, payload, clientID, clientTimestamp].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
  }

  /// What a row that is there already leads to.
  enum Conflict: Sendable {
    case fails
    /// Skips rows whose `client_id` is there.
    case skipsClientID
    /// Skips rows whose `id` is there.
    case skipsID
  }

  /// What one account may store.
  struct Quota: Sendable {
    let rows: Int
    let bytes: Int
  }

  let store: ServerStore
  private let quota: Quota
  private let now: @Sendable () -> Microseconds
  private let newest: Mutex<Microseconds>
  /// Told of stored rows in the order of their commits, each batch of one user.
  private let inserted: @Sendable (_ userID: String, _ rows: [EventRow]) -> Void

  init(
    store: ServerStore, quota: Quota, now: @escaping @Sendable () -> Microseconds,
    inserted: @escaping @Sendable (String, [EventRow]) -> Void
  ) {
    self.store = store
    self.quota = quota
    self.now = now
    newest = Mutex(store.newest)
    self.inserted = inserted
  }

  /// Stores all rows or none. Each gets a `created_at` later than that of every row before.
  /// - Parameter isSingle: whether anything but exactly one stored row is an error.
  /// - Returns: the rows that were stored, without those skipped.
  /// - Throws: `RestError` with the codes of PostgreSQL.
  func insert(
    _ rows: [NewRow], userID: String, conflict: Conflict, isSingle: Bool = false
  ) async throws -> [EventRow] {
    try EventTable.checkSizes(rows)
    let share = CommitQueue.Share(account: userID, bytes: rows.reduce(0) { $0 + $1.bytes })
    return try await store.commits.commit(share) { database in
      // An account may have been deleted while its token is still good.
      guard try database.integer("SELECT count(*) FROM users WHERE id = ?", .text(userID)) > 0 else {
        throw RestError(
          status: 409, code: "23503",
          message: #"insert or update on table "events" violates foreign key constraint "events_user_id_fkey""#)
      }
      var stored: [EventRow] = []
      for row in rows {
        guard let type = row.type else { throw RestError.missing("type") }
        guard let payload = row.payload else { throw RestError.missing("payload") }
        let row = EventRow(
          id: row.id ?? Secrets.uuid(), userID: userID, type: type, payload: payload, clientID: row.clientID,
          clientTimestamp: row.clientTimestamp, createdAt: self.nextInstant())
        if try EventTable.insert(row, conflict, database) { stored.append(row) }
      }
      if isSingle, stored.count != 1 { throw RestError.notSingle(stored.count) }
      if !stored.isEmpty { try self.checkQuota(userID, database) }
      return stored
    } committed: { stored in
      if !stored.isEmpty { self.inserted(userID, stored) }
    }
  }

  /// Where a reader goes on that has seen everything up to `instant`.
  ///
  /// Rows of the future were repaired once. A reader that saw them before has an instant that no new row will reach, so
  /// it goes on with the repaired rows.
  func cursor(_ instant: Microseconds) -> Microseconds {
    guard let resumedAt = store.resumedAt else { return instant }
    let latest = newest.withLock { max($0, now()) } + 86_400
    return instant > latest ? resumedAt : instant
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

  private static func checkSizes(_ rows: [NewRow]) throws(RestError) {
    guard rows.count <= ServerConfiguration.batchLimit else {
      throw .tooMuch("\(rows.count) rows in one request", limit: "\(ServerConfiguration.batchLimit)")
    }
    for row in rows {
      guard row.bytes <= ServerConfiguration.rowByteLimit else {
        throw .tooMuch("a row of \(row.bytes) bytes", limit: "\(ServerConfiguration.rowByteLimit)")
      }
      let clientID = row.clientID?.utf8.count ?? 0
      guard clientID <= ServerConfiguration.clientIDByteLimit else {
        throw .tooMuch("a client_id of \(clientID) bytes", limit: "\(ServerConfiguration.clientIDByteLimit)")
      }
    }
  }

  /// Fails when the rows that were just inserted are too many for the account.
  private func checkQuota(_ userID: String, _ database: Database) throws {
    let isExceeded = try database.first(
      "SELECT row_count > ? OR bytes > ? FROM usage WHERE user_id = ?", .integer(quota.rows), .integer(quota.bytes),
      .text(userID)
    ) { $0.integer(0) != 0 }
    if isExceeded == true { throw RestError.quotaExceeded(quota) }
  }

  /// - Returns: `false` if the row was skipped.
  private static func insert(_ row: EventRow, _ conflict: Conflict, _ database: Database) throws -> Bool {
    let clause =
      switch conflict {
      case .fails: ""
      case .skipsClientID: " ON CONFLICT (user_id, client_id) DO NOTHING"
      case .skipsID: " ON CONFLICT (id) DO NOTHING"
      }
    do throws(DatabaseError) {
      try database.execute(
        "INSERT INTO events (\(EventRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)" + clause, .text(row.id),
        .text(row.userID), .text(row.type), .text(row.payload), .text(row.clientID), .text(row.clientTimestamp),
        .integer(row.createdAt.value))
    } catch {
      guard error.isUniqueViolation else { throw error }
      throw RestError.duplicate(error.message.contains("events.id") ? "events_pkey" : "events_user_id_client_id_key")
    }
    return database.changes > 0
  }
}
