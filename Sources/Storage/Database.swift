import CSQLite
import Glibc

/// One connection to one SQLite file. Not `Sendable`: whoever owns it uses it from one place at a time.
package final class Database {
  package enum Mode {
    case readWrite
    case readOnly
    /// Read-only, without locks or shared memory: right only where nobody can write.
    case immutable
  }

  /// SQLite's own default.
  private static let cacheKilobytes = 2000
  /// Prepared statements that are kept for the next time.
  private static let statementLimit = 128

  /// Refused, which does no harm, if some library has opened a database before.
  private static let isConfigured = trunk_sqlite3_count_no_memory() == SQLITE_OK

  package let path: String
  let handle: OpaquePointer
  private var statements: [StatementText: Statement] = [:]

  /// Opens a file that exists.
  /// - Parameter busyTimeout: how long to wait for another connection's lock, in milliseconds.
  package init(path: String, mode: Mode, busyTimeout: Int32) throws(DatabaseError) {
    let flags =
      switch mode {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly, .immutable: SQLITE_OPEN_READONLY
      }
    _ = Database.isConfigured
    let name = "file:\(Database.escaped(path))" + (mode == .immutable ? "?immutable=1" : "")
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(
      name, &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let handle else {
      let error = DatabaseError(handle, code: code, sql: "")
      sqlite3_close_v2(handle)
      throw error
    }
    self.path = path
    self.handle = handle
    sqlite3_busy_timeout(handle, busyTimeout)
  }

  deinit {
    statements.removeAll()
    // Fails only with statements or blobs open; none are.
    sqlite3_close_v2(handle)
  }

  /// The row id of the last insertion.
  package var lastInsertID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The rows that the last statement changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  /// Runs statements that take no values and give no rows that matter.
  package func run(_ script: String) throws(DatabaseError) {
    errno = 0
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(handle, code: code, systemError: errno, sql: script) }
  }

  /// Runs one statement to its end.
  package func execute(_ sql: String, _ values: SQLValue...) throws(DatabaseError) {
    try execute(sql, values)
  }

  /// Runs one statement to its end.
  package func execute(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Runs one statement and gives each of its rows to `body`, which ends the run by returning `false`.
  package func rows(_ sql: String, _ values: SQLValue..., body: (Row) throws -> Bool) throws {
    try rows(sql, values, body: body)
  }

  /// Runs one statement and gives each of its rows to `body`, which ends the run by returning `false`.
  package func rows(_ sql: String, _ values: [SQLValue], body: (Row) throws -> Bool) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step(), try body(statement.row) {}
  }

  /// All rows of one statement.
  package func all<Value>(_ sql: String, _ values: SQLValue..., map: (Row) throws -> Value) throws -> [Value] {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var result: [Value] = []
    while try statement.step() { result.append(try map(statement.row)) }
    return result
  }

  /// The first row of one statement.
  package func first<Value>(_ sql: String, _ values: SQLValue..., map: (Row) throws -> Value) throws -> Value? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? try map(statement.row) : nil
  }

  /// The number that one statement answers; 0 if it answers nothing.
  package func integer(_ sql: String, _ values: SQLValue...) throws(DatabaseError) -> Int64 {
    try integer(sql, values)
  }

  /// The number that one statement answers; 0 if it answers nothing.
  package func integer(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? statement.row.integer(0) : 0
  }

  /// A large value, read straight into its place: as the column of a row SQLite would make a copy of it first, and keep
  /// all its pages.
  /// - Parameters:
  ///   - table: a table with row ids.
  ///   - row: the id of a row that exists and has a BLOB or TEXT in this column.
  package func blob(_ table: String, _ column: String, row: Int64) throws(DatabaseError) -> [UInt8] {
    let name = "blob \(table).\(column)"
    // Its pages are read once: the few that are kept take the place of each other.
    return try keeping(kilobytes: 128) { () throws(DatabaseError) in
      var blob: OpaquePointer?
      errno = 0
      var code = sqlite3_blob_open(handle, "main", table, column, row, 0, &blob)
      defer { sqlite3_blob_close(blob) }
      guard code == SQLITE_OK else { throw DatabaseError(handle, code: code, systemError: errno, sql: name) }
      let length = sqlite3_blob_bytes(blob)
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
        code = length > 0 ? sqlite3_blob_read(blob, buffer.baseAddress, length, 0) : SQLITE_OK
        count = code == SQLITE_OK ? Int(length) : 0
      }
      guard code == SQLITE_OK else { throw DatabaseError(handle, code: code, systemError: errno, sql: name) }
      return bytes
    }
  }

  /// Reads or writes with another size of the cache of pages. More of them are of use to whoever comes back to many.
  package func keeping<Result, Failure>(
    kilobytes: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The cache only saves time: without it everything works as well.
    sqlite3_exec(handle, "PRAGMA cache_size = -\(kilobytes)", nil, nil, nil)
    defer { sqlite3_exec(handle, "PRAGMA cache_size = -\(Database.cacheKilobytes)", nil, nil, nil) }
    return try body()
  }

  /// All or nothing. The lock is taken at the start, so that no two writers meet half-way.
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

  /// All or nothing, within a transaction.
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT part")
    do {
      let result = try body()
      try execute("RELEASE part")
      return result
    } catch {
      // Neither works if the whole transaction has ended, and then neither is needed.
      try? execute("ROLLBACK TO part")
      try? execute("RELEASE part")
      throw error
    }
  }

  /// Whether closing the last connection moves the write-ahead log into the file and removes it, as it does by default.
  package func checkpointsOnClose(_ does: Bool) { _ = trunk_sqlite3_checkpoint_on_close(handle, does ? 1 : 0) }

  /// Whether a transaction has begun and not ended.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Reads that all see the same state of the file.
  package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN")
    // Nothing was written; a COMMIT would repeat errors that `body` has dealt with.
    defer { rollBack() }
    return try body()
  }
}

extension Database {
  private func rollBack() {
    // A full disk or a failed write may have ended the transaction; a failed ROLLBACK would only hide the first error.
    if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  private func statement(_ sql: String) throws(DatabaseError) -> Statement {
    let text = StatementText(sql: sql)
    if let cached = statements[text], !cached.isInUse {
      cached.isInUse = true
      return cached
    }
    let statement = try Statement(handle, sql: sql)
    statement.isInUse = true
    // Statements that are put together from what a client asks for come in any number.
    if statements.count >= Database.statementLimit { statements = statements.filter { $0.value.isInUse } }
    statements[text] = statement
    return statement
  }

  /// A path as the path of a `file:` URI.
  private static func escaped(_ path: String) -> String {
    var result = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16)
        result += (byte < 16 ? "%0" : "%") + digits
      }
    }
    return result
  }
}

/// The few statements of the store are told apart by their lengths as a rule: hashing all of a text takes longer than
/// many a statement.
private struct StatementText: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}

/// A prepared statement that is kept for the next time.
private final class Statement {
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
    // Of a failed write or sync SQLite keeps the kind, not the reason.
    errno = 0
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(database, code: code, systemError: errno, sql: sql)
    }
  }

  func reset() {
    // Both repeat the error of the step, which was thrown already.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    isInUse = false
  }
}
