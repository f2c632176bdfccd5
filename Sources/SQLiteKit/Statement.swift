import CSQLite
import Glibc

/// A cached prepared statement.
final class Statement {
  var isInUse = false
  private let database: OpaquePointer
  private let handle: OpaquePointer
  private let sql: String

  init(_ database: OpaquePointer, sql: String) throws(DatabaseError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw DatabaseError(database, code: code, sql: sql) }
    self.database = database
    self.handle = handle
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  var row: Row { Row(handle) }

  func bind(_ values: [SQLValue]) throws(DatabaseError) {
    for index in values.indices {
      let code = values[index].bind(to: handle, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw DatabaseError(database, code: code, sql: sql) }
    }
  }

  func step() throws(DatabaseError) -> Bool {
    // After a failed write or sync, SQLite keeps the kind of error but not the reason.
    errno = 0
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(database, code: code, systemError: errno, sql: sql)
    }
  }

  func reset() {
    // Both repeat the error of the step, which has been thrown.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    isInUse = false
  }
}
