import SQLiteKit

extension EventTable {
  struct Deletion: Sendable {
    var count = 0
    /// Empty unless requested.
    var rows: [EventRow] = []
    /// The memory of `rows`.
    var memory: Claim?
  }

  /// The maximum of rows and bytes deleted in one transaction: few enough that other writers don't notice.
  private static let deletedAtOnce = (rows: 500, bytes: 4 << 20)
  /// The maximum number of rows found by one query: an account may have millions, and run many deletions at once.
  private static let foundAtOnce = 2000

  /// Splits rows with these sizes into parts, each for one transaction.
  static func deletionParts(_ bytes: [Int]) -> [Range<Int>] {
    parts(bytes, count: deletedAtOnce.rows, bytes: deletedAtOnce.bytes)
  }

  /// Deletes rows of one account.
  ///
  /// Readers find the rows, a few thousand at a time, and several short transactions delete them. Rows that arrive
  /// later stay. A failure in between can leave some rows, and repeating the deletion removes them.
  /// - Parameters:
  ///   - returning: whether to return the deleted rows. Then a single transaction deletes them all.
  ///   - isSingle: whether any number of rows but one is an error.
  /// - Throws: `RestError` 54000 if the rows to return don't fit into one response, 57014 if the search takes too long.
  func delete(
    _ requester: Requester, filter: RestFilter?, returning: Bool = false, isSingle: Bool = false
  ) async throws -> Deletion {
    let end = newestInstant
    var found = try await find(requester, filter: filter, after: nil, until: end)
    if isSingle, found.count != 1 {
      throw RestError.notSingle(
        found.count < EventTable.foundAtOnce ? found.count : try await count(requester, filter: filter))
    }
    var deletion = Deletion()
    if returning {
      try EventTable.checkReturned(found)
      deletion.memory = budget.claim(found.reduce(0) { $0 + $1.bytes }, of: .returnedRows, by: requester.holders)
      guard deletion.memory != nil else { throw RestError.outOfMemory }
    }
    while let last = found.last {
      let parts = returning ? [found.indices] : EventTable.deletionParts(found.map(\.bytes))
      for part in parts {
        let keys = found[part]
        let share = CommitQueue.Share(account: requester.account, bytes: keys.reduce(0) { $0 + $1.bytes })
        let deleted = try await store.commits.commit(share) { database in
          try EventTable.delete(keys.map(\.seq), requester.account, returning: returning, database)
        }
        deletion.count += deleted.count
        deletion.rows += deleted.rows
      }
      guard found.count == EventTable.foundAtOnce else { break }
      found = try await find(requester, filter: filter, after: last, until: end)
    }
    return deletion
  }

  /// Finds the next rows to delete, in the order of `created_at` and `id`.
  /// - Parameters:
  ///   - last: the row after which the search starts; `nil` for the first row.
  ///   - end: no row after this instant is found.
  private func find(
    _ requester: Requester, filter: RestFilter?, after last: Key?, until end: Microseconds
  ) async throws -> [Key] {
    var (sql, values) = EventTable.condition(requester.account, filter)
    sql += " AND created_at <= ?"
    values.append(.integer(end.value))
    if let last {
      sql += " AND (created_at, id) > (?, ?)"
      values += [.integer(last.createdAt.value), .text(last.id)]
    }
    return try await store.queries.read(requester) { [sql, values] database in
      var found: [Key] = []
      try database.rows(
        "SELECT seq, id, created_at, bytes FROM events WHERE \(sql) ORDER BY created_at, id LIMIT ?",
        values + [.integer(EventTable.foundAtOnce)]
      ) { row in
        found.append(Key(row))
        return true
      }
      return found
    }
  }

  private static func checkReturned(_ found: [Key]) throws(RestError) {
    let bytes = found.reduce(0) { $0 + $1.bytes }
    guard found.count <= ServerConfiguration.returnedRowLimit, bytes <= ServerConfiguration.returnedByteLimit else {
      throw .tooMuch(
        "returning at least \(found.count) deleted rows of \(bytes) bytes",
        limit: "\(ServerConfiguration.returnedRowLimit) rows and \(ServerConfiguration.returnedByteLimit) bytes",
        hint: "Delete without Prefer: return=representation.")
    }
  }

  static func delete(
    _ seqs: [Int64], _ userID: String, returning: Bool, _ database: Database
  ) throws -> Deletion {
    let condition = "user_id = ? AND seq IN (SELECT value FROM json_each(?))"
    let values: [SQLValue] = [.text(userID), .text("[" + seqs.map(String.init).joined(separator: ",") + "]")]
    var deletion = Deletion()
    if returning {
      try database.rows("SELECT \(EventRow.columns) FROM events WHERE \(condition) ORDER BY seq", values) { row in
        deletion.rows.append(EventRow(row))
        return true
      }
    }
    try database.execute("DELETE FROM events WHERE \(condition)", values)
    deletion.count = database.changes
    return deletion
  }
}
