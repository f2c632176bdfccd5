import CSQLite

extension Database {
  /// Runs `body` in a transaction: all or nothing. It takes the lock at the start, so that two writers can't conflict
  /// later.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body` in a savepoint of a transaction: all or nothing.
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT part")
    do {
      let result = try body()
      try execute("RELEASE part")
      return result
    } catch {
      // Both fail only if an error such as a full disk has ended the whole transaction: then the part is undone
      // already. The first error is the one to report.
      try? execute("ROLLBACK TO part")
      try? execute("RELEASE part")
      throw error
    }
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs reads that all see the same state of the file.
  package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN")
    // Nothing was written. A COMMIT would repeat errors that `body` has handled.
    defer { rollBack() }
    return try body()
  }

  private func rollBack() {
    // A full disk or a failed write may have ended the transaction. A failed ROLLBACK would only hide the first error.
    if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }
}
