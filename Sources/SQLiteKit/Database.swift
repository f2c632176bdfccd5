import CSQLite
import Glibc

/// A connection to a SQLite file. It is not `Sendable`: its owner must not use it concurrently.
package final class Database {
  package enum Mode {
    case readWrite
    case readOnly
    /// Read-only, and also leaves the shared memory of the write-ahead log unchanged. Fails with `SQLITE_CANTOPEN` if
    /// no program has created it.
    case lookup
    /// Read-only, without locks or shared memory. Safe only if no process can write to the file.
    case immutable
  }

  /// SQLite's default.
  private static let cacheKilobytes = 2000
  /// The maximum number of cached prepared statements.
  private static let statementLimit = 128

  /// Fails harmlessly if a library has opened a database before.
  private static let isConfigured = trunk_sqlite3_count_no_memory() == SQLITE_OK

  package let path: String
  let handle: OpaquePointer
  private var statements: [StatementText: Statement] = [:]
  private var commitHook: CommitHook?

  /// Opens an existing file.
  /// - Parameter busyTimeout: how long to wait for another connection's lock, in milliseconds.
  package init(path: String, mode: Mode, busyTimeout: Int32) throws(DatabaseError) {
    let flags =
      switch mode {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly, .lookup, .immutable: SQLITE_OPEN_READONLY
      }
    let parameters =
      switch mode {
      case .readWrite, .readOnly: ""
      case .lookup: "?readonly_shm=1"
      case .immutable: "?immutable=1"
      }
    _ = Database.isConfigured
    let name = "file:\(Database.escaped(path))" + parameters
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
    // Fails only if statements or blobs are open; none are.
    sqlite3_close_v2(handle)
  }

  /// Sets how long statements wait for another connection's lock, in milliseconds.
  package func setBusyTimeout(_ milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

  /// The row id of the last inserted row.
  package var lastInsertID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The number of rows that the last statement changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  /// Runs a script of statements without values; ignores returned rows.
  package func run(_ script: String) throws(DatabaseError) {
    errno = 0
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(handle, code: code, systemError: errno, sql: script) }
  }

  /// Runs one statement to completion.
  package func execute(_ sql: String, _ values: SQLValue...) throws(DatabaseError) {
    try execute(sql, values)
  }

  /// Runs one statement to completion.
  package func execute(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Runs one statement and passes each row to `body`, which returns `false` to stop.
  package func rows(_ sql: String, _ values: SQLValue..., body: (Row) throws -> Bool) throws {
    try rows(sql, values, body: body)
  }

  /// Runs one statement and passes each row to `body`, which returns `false` to stop.
  package func rows(_ sql: String, _ values: [SQLValue], body: (Row) throws -> Bool) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step(), try body(statement.row) {}
  }

  /// Returns all rows of one statement.
  package func all<Value>(_ sql: String, _ values: SQLValue..., map: (Row) throws -> Value) throws -> [Value] {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var result: [Value] = []
    while try statement.step() { result.append(try map(statement.row)) }
    return result
  }

  /// Returns the first row of one statement.
  package func first<Value>(_ sql: String, _ values: SQLValue..., map: (Row) throws -> Value) throws -> Value? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? try map(statement.row) : nil
  }

  /// Returns the integer that one statement selects; 0 without a row.
  package func integer(_ sql: String, _ values: SQLValue...) throws(DatabaseError) -> Int64 {
    try integer(sql, values)
  }

  /// Returns the integer that one statement selects; 0 without a row.
  package func integer(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? statement.row.integer(0) : 0
  }

  /// Reads a large value directly. As a column of a row, SQLite would copy it first and keep all its pages in the
  /// cache.
  /// - Parameters:
  ///   - table: a table with row ids.
  ///   - row: the id of an existing row with a BLOB or TEXT in this column.
  package func blob(_ table: String, _ column: String, row: Int64) throws(DatabaseError) -> [UInt8] {
    let name = "blob \(table).\(column)"
    // Its pages are read only once, so a small cache is enough.
    return try withCache(kilobytes: 128) { () throws(DatabaseError) in
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

  /// Runs `body` with another size of the page cache. A larger cache helps code that reads the same pages repeatedly.
  package func withCache<Result, Failure>(
    kilobytes: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The cache only affects speed, so errors can be ignored.
    sqlite3_exec(handle, "PRAGMA cache_size = -\(kilobytes)", nil, nil, nil)
    defer { sqlite3_exec(handle, "PRAGMA cache_size = -\(Database.cacheKilobytes)", nil, nil, nil) }
    return try body()
  }

  /// Whether the file was moved, deleted or replaced since it was opened. What is written to it then can't be found at
  /// its path. With a write-ahead log, SQLite doesn't check that itself.
  package var hasMoved: Bool {
    var hasMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
  }

  /// Whether nothing can be written: because the system allows only reading, or, once the first page was read, because
  /// that page says that a later version of SQLite wrote the file.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The number of bytes at the end of each page that SQLite leaves unused. It is 0 unless an extension of SQLite, such
  /// as one for encryption, has created the file.
  package var reservedBytesOfPage: Int {
    // A negative number asks without changing anything.
    var bytes: Int32 = -1
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes) == SQLITE_OK ? Int(bytes) : 0
  }

  /// Sets whether closing the last connection moves the write-ahead log into the file and removes it, which is the
  /// default.
  package func checkpointsOnClose(_ does: Bool) { _ = trunk_sqlite3_checkpoint_on_close(handle, does ? 1 : 0) }

  /// Calls `body` after each transaction of this connection, with the number of pages in the write-ahead log.
  ///
  /// This replaces SQLite's automatic checkpoints, so the caller must move the pages into the file.
  package func afterEachCommit(_ body: @escaping (_ pages: Int) -> Void) {
    let hook = CommitHook(body: body)
    commitHook = hook
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        if let context { Unmanaged<CommitHook>.fromOpaque(context).takeUnretainedValue().body(Int(pages)) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(hook).toOpaque())
  }
}

extension Database {
  private func statement(_ sql: String) throws(DatabaseError) -> Statement {
    let text = StatementText(sql: sql)
    if let cached = statements[text], !cached.isInUse {
      cached.isInUse = true
      return cached
    }
    let statement = try Statement(handle, sql: sql)
    statement.isInUse = true
    // Statements composed from clients' requests are unlimited in number.
    if statements.count >= Database.statementLimit { statements = statements.filter { $0.value.isInUse } }
    statements[text] = statement
    return statement
  }

  /// Escapes a path for a `file:` URI.
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

private final class CommitHook {
  let body: (Int) -> Void

  init(body: @escaping (Int) -> Void) { self.body = body }
}

/// Hashes only the length. The store has few statements, which usually differ in length, and hashing the whole text
/// would take longer than running some of them.
private struct StatementText: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}
