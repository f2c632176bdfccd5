import SQLiteKit
import Synchronization
import TrunkModel

/// The events of all users. Each function reads and changes the rows of only one user.
final class EventTable: Sendable {
  /// A row as received, before the server fills in the other columns.
  struct NewRow: Sendable {
    var id: String?
    var type: String?
    var payload: String?
    var clientID: String?
    var clientTimestamp: String?

    /// The size of its text in bytes.
    var bytes: Int {
      [type, payload, clientID, clientTimestamp].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }

    /// How much it counts towards the size of a transaction: more than its bytes, because many small rows take long
    /// too.
    var cost: Int { 200 + bytes }
  }

  /// What an insertion does if a row already exists.
  enum Conflict: Sendable {
    case fails
    /// Skips rows whose `client_id` exists.
    case skipsClientID
    /// Skips rows whose `id` exists.
    case skipsID
  }

  /// The maximum that one account may store.
  struct Quota: Sendable {
    let rows: Int
    let bytes: Int
  }

  let store: ServerStore
  let budget: Budget
  private let quota: Quota
  private let space: SpaceLimit
  private let now: @Sendable () -> Microseconds
  private let newest: Mutex<Microseconds>
  /// Receives stored rows in commit order. Each batch belongs to one user.
  private let inserted: @Sendable (_ userID: String, _ rows: [EventRow]) -> Void

  init(
    store: ServerStore, budget: Budget, quota: Quota, space: SpaceLimit,
    now: @escaping @Sendable () -> Microseconds,
    inserted: @escaping @Sendable (String, [EventRow]) -> Void
  ) {
    self.store = store
    self.budget = budget
    self.quota = quota
    self.space = space
    self.now = now
    newest = Mutex(store.newest)
    self.inserted = inserted
  }

  /// Stores all rows or none. Each row gets a later `created_at` than all rows before it.
  /// - Parameter isSingle: whether storing any number of rows but one is an error.
  /// - Returns: the stored rows, without the skipped ones.
  /// - Throws: `RestError` with PostgreSQL's codes.
  func insert(
    _ rows: [NewRow], userID: String, conflict: Conflict, isSingle: Bool = false
  ) async throws -> [EventRow] {
    try EventTable.checkSizes(rows)
    let share = CommitQueue.Share(account: userID, bytes: rows.reduce(0) { $0 + $1.cost })
    return try await store.commits.commit(share) { database in
      // The account may have been deleted while its token was still valid.
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
          id: row.id ?? RandomUUID.text(), userID: userID, type: type, payload: payload, clientID: row.clientID,
          clientTimestamp: row.clientTimestamp, createdAt: self.nextInstant())
        if try EventTable.insert(row, conflict, database) { stored.append(row) }
      }
      if isSingle, stored.count != 1 { throw RestError.notSingle(stored.count) }
      if !stored.isEmpty {
        try self.checkQuota(userID, database)
        try self.space.check(userID, database)
      }
      return stored
    } committed: { stored in
      if !stored.isEmpty { self.inserted(userID, stored) }
    }
  }

  /// The newest `created_at` so far.
  var newestInstant: Microseconds { newest.withLock { $0 } }

  /// Returns the position at which a reader continues that has seen everything up to `instant`.
  ///
  /// A migration gave rows with future instants correct ones. A reader that saw such a row before may hold an instant
  /// that no new row will reach, so it continues at the repaired rows.
  func cursor(_ instant: Microseconds) -> Microseconds {
    guard let resumedAt = store.resumedAt else { return instant }
    let latest = newest.withLock { max($0, now()) } + 86_400
    return instant > latest ? resumedAt : instant
  }
}

extension EventTable {
  /// Later than all instants before, even if the clock is set back: readers rely on the order.
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
    let total = rows.reduce(0) { $0 + $1.bytes }
    guard total <= ServerConfiguration.batchByteLimit else {
      throw .tooMuch("rows of \(total) bytes in one request", limit: "\(ServerConfiguration.batchByteLimit)")
    }
    for row in rows {
      guard row.bytes <= ServerConfiguration.rowByteLimit else {
        throw .tooMuch("a row of \(row.bytes) bytes", limit: "\(ServerConfiguration.rowByteLimit)")
      }
      let names = [("client_id", row.clientID), ("type", row.type), ("client_timestamp", row.clientTimestamp)]
      for (column, text) in names {
        let bytes = text?.utf8.count ?? 0
        guard bytes <= ServerConfiguration.nameByteLimit else {
          throw .tooMuch("a \(column) of \(bytes) bytes", limit: "\(ServerConfiguration.nameByteLimit)")
        }
      }
    }
  }

  /// Throws if the inserted rows exceed the account's quota.
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
      guard error.message.contains("events.id") else {
        throw RestError.duplicate(
          "events_user_id_client_id_key", "user_id, client_id", row.userID + ", " + (row.clientID ?? ""))
      }
      throw RestError.duplicate("events_pkey", "id", row.id)
    }
    return database.changes > 0
  }
}
