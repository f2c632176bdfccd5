import SQLiteKit

extension EventTable {
  struct Deletion: Sendable {
    var count = 0
    /// Empty unless requested.
    var rows: [EventRow] = []
  }

  /// The maximum of rows and bytes deleted in one transaction: few enough that other writers don't notice.
  private static let deletedAtOnce = (rows: 500, bytes: 4 << 20)

  /// Splits rows with these sizes into parts, each for one transaction.
  static func deletionParts(_ bytes: [Int]) -> [Range<Int>] {
    parts(bytes, count: deletedAtOnce.rows, bytes: deletedAtOnce.bytes)
  }

  /// Deletes rows of one account.
  ///
  /// A reader finds the rows first; several short transactions then delete them. A failure in between can leave some
  /// rows, and repeating the deletion removes them.
  /// - Parameters:
  ///   - returning: whether to return the deleted rows. Then a single transaction deletes them all.
  ///   - isSingle: whether any number of rows but one is an error.
  /// - Throws: `RestError` 54000 if the rows to return don't fit into one response, 57014 if the search takes too long.
  func delete(
    _ requester: Requester, filter: RestFilter?, returning: Bool = false, isSingle: Bool = false
  ) async throws -> Deletion {
    let found = try await find(requester, filter: filter)
    if isSingle, found.seqs.count != 1 { throw RestError.notSingle(found.seqs.count) }
    if returning { try EventTable.checkReturned(found.bytes) }
    var deletion = Deletion()
    let parts =
      returning
      ? [found.seqs.indices]
      : EventTable.deletionParts(found.bytes)
    for part in parts where !part.isEmpty {
      let seqs = Array(found.seqs[part])
      let share = CommitQueue.Share(account: requester.account, bytes: found.bytes[part].reduce(0, +))
      let deleted = try await store.commits.commit(share) { database in
        try EventTable.delete(seqs, requester.account, returning: returning, database)
      }
      deletion.count += deleted.count
      deletion.rows += deleted.rows
    }
    return deletion
  }

  /// Finds the rows to delete, with their sizes.
  private func find(_ requester: Requester, filter: RestFilter?) async throws -> (seqs: [Int64], bytes: [Int]) {
    let (sql, values) = EventTable.condition(requester.account, filter)
    return try await store.queries.read(requester) { database in
      var found: (seqs: [Int64], bytes: [Int]) = ([], [])
      try database.rows("SELECT seq, bytes FROM events WHERE \(sql)", values) { row in
        found.seqs.append(row.integer(0))
        found.bytes.append(Int(row.integer(1)))
        return true
      }
      return found
    }
  }

  private static func checkReturned(_ sizes: [Int]) throws(RestError) {
    let bytes = sizes.reduce(0, +)
    guard sizes.count <= ServerConfiguration.returnedRowLimit, bytes <= ServerConfiguration.returnedByteLimit else {
      throw .tooMuch(
        "returning \(sizes.count) deleted rows of \(bytes) bytes",
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
