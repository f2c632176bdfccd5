import Glibc
import SQLiteKit

// Opens the damaged file, always as a copy.
extension Salvage {
  /// Calls `body` with each database in which the tables of the damaged file may be found: copies of it, because SQLite
  /// would change the file itself. Each replaces the one before it.
  ///
  /// The first page locates the tables. Unless it is known to be right, a copy with the first page of a new file
  /// follows: most tables are at the same places in every file. Hashes detect rows that don't belong together.
  func eachReading(_ body: (Database) throws -> Void) throws {
    // With a different page size, the tables would be in other places.
    var sizes = ConnectionOptions.pageSizes
    if let database = try openCopy(firstPage: nil) {
      try body(database)
      if try SchemaRecord(database: database).isUnchanged() { return }
      let size = Int(try database.integer("PRAGMA page_size"))
      if sizes.contains(size) { sizes = [size] }
    }
    let log = "SELECT 1 FROM events NOT INDEXED ORDER BY seq"
    for size in sizes {
      guard let database = try openCopy(firstPage: try firstPage(size: size)) else { continue }
      let rows = [log, log + " DESC", "SELECT 1 FROM drafts", "SELECT 1 FROM meta"]
      if rows.contains(where: { canRead($0 + " LIMIT 1", in: database) }) { try body(database) }
    }
  }

  /// The first page of a new file.
  /// - Parameter size: the page size in bytes.
  private func firstPage(size: Int) throws -> ArraySlice<UInt8> {
    removeFiles(copy)
    defer { removeFiles(copy) }
    var options = options
    options.pageSize = size
    // Closing the database completes the file.
    _ = try options.open(copy)
    return try PrivateFiles.read(copy).prefix(size)
  }

  private func canRead(_ sql: String, in database: Database) -> Bool {
    do {
      _ = try database.integer(sql)
      return true
    } catch {
      // Copying the rows reports the error.
      return false
    }
  }

  /// Returns the largest `seq` that SQLite finds by itself, ignoring everything after the first damage in the
  /// write-ahead log; `nil` if it can't be read.
  func sequenceWithoutRest() -> Int64? {
    // Copying the rows reports the error.
    try? openCopy(firstPage: nil, withRestOfLog: false)?.lastSequence
  }

  /// Where the header of a file has the number of its pages.
  private static let countBytes = 28..<32

  /// - Parameter withRestOfLog: whether to include intact pages after a damaged frame of the write-ahead log.
  func openCopy(firstPage: ArraySlice<UInt8>?, withRestOfLog: Bool = true) throws -> Database? {
    removeFiles(copy)
    for suffix in ["", "-wal"] where PrivateFiles.exists(path + suffix) {
      try PrivateFiles.copyReadable(path + suffix, to: copy + suffix)
    }
    if !PrivateFiles.exists(copy) { try PrivateFiles.makeFile(copy) }
    // A page count of 0 makes SQLite use the size of the file. With a damaged count, the last pages would be lost.
    var page = try firstPage ?? PrivateFiles.read(copy).prefix(Self.countBytes.upperBound)
    for index in Self.countBytes where page.indices.contains(index) { page[index] = 0 }
    try PrivateFiles.overwrite(page, at: copy)
    if withRestOfLog, let log = WriteAheadLog(try PrivateFiles.read(copy + "-wal", orEmpty: true)) {
      try log.write(to: copy)
      unlink(copy + "-wal")
    }
    return openCopy()
  }

  private func openCopy() -> Database? {
    do {
      try repairDefinitions(in: readingOn())
      let database = try readingOn()
      return try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'events'") == 1 ? database : nil
    } catch {
      // A damaged file may not open: the caller has a fallback.
      return nil
    }
  }

  /// Opens the copy so that SQLite reads on even if the schema or the size of the file is wrong.
  private func readingOn() throws -> Database {
    let database = try Database(path: copy, mode: .readWrite, busyTimeout: options.busyTimeout)
    try database.run("PRAGMA writable_schema = ON")
    return database
  }

  /// Corrects the damaged definitions of tables in the copy. The first page has the name of each table three times.
  private func repairDefinitions(in database: Database) throws {
    for definition in try Schema.definitions() where definition.type == "table" {
      let isRight = "(name = ?1) + (tbl_name = ?1 AND type = 'table') + (sql = ?2)"
      try database.execute(
        """
        UPDATE sqlite_schema SET type = 'table', name = ?1, tbl_name = ?1, sql = ?2 WHERE rowid = (
          SELECT rowid FROM sqlite_schema WHERE \(isRight) BETWEEN 1 AND 2 AND rootpage > 0
          ORDER BY \(isRight) DESC LIMIT 1)
        """, .text(definition.name), .text(definition.sql))
    }
  }
}
