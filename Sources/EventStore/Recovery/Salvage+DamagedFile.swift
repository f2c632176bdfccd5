import Glibc
import SQLiteKit

// Opens the damaged file, always as a copy.
extension Salvage {
  /// Opens a copy of the damaged file, because SQLite would change the file itself.
  ///
  /// The first page locates the tables. If it is unreadable, the copy gets the first page of a new file: the tables are
  /// at the same places if the same version created it. Hashes detect rows that don't belong together.
  func openDamaged() throws -> Database? {
    if let database = try openCopy(firstPage: nil) { return database }
    // With a different page size, the tables would be in other places.
    let firstPages = try ConnectionOptions.pageSizes.map(firstPage)
    let log = "SELECT 1 FROM events NOT INDEXED ORDER BY seq"
    for rows in [log, log + " DESC", "SELECT 1 FROM drafts"] {
      for firstPage in firstPages {
        guard let database = try openCopy(firstPage: firstPage) else { continue }
        if canRead(rows + " LIMIT 1", in: database) { return database }
      }
    }
    return try openCopy(firstPage: firstPages.first)
  }

  /// - Parameter size: the page size in bytes.
  private func firstPage(size: Int) throws -> ArraySlice<UInt8> {
    removeFiles(unfinished)
    defer { removeFiles(unfinished) }
    var options = options
    options.pageSize = size
    // Closing the database completes the file.
    _ = try options.open(unfinished)
    var page = try PrivateFiles.read(unfinished).prefix(size)
    // A page count of 0 makes SQLite use the size of the file.
    for index in 28..<32 where page.indices.contains(index) { page[index] = 0 }
    return page
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

  /// - Parameter withRestOfLog: whether to include intact pages after a damaged frame of the write-ahead log.
  func openCopy(firstPage: ArraySlice<UInt8>?, withRestOfLog: Bool = true) throws -> Database? {
    removeFiles(copy)
    for suffix in ["", "-wal"] where PrivateFiles.exists(path + suffix) {
      try PrivateFiles.copyReadable(path + suffix, to: copy + suffix)
    }
    if !PrivateFiles.exists(copy) { try PrivateFiles.makeFile(copy) }
    if let firstPage { try PrivateFiles.overwrite(firstPage, at: copy) }
    if withRestOfLog, let log = WriteAheadLog(try PrivateFiles.read(copy + "-wal", orEmpty: true)) {
      try log.write(to: copy)
      unlink(copy + "-wal")
    }
    return openCopy()
  }

  private func openCopy() -> Database? {
    do {
      let database = try Database(path: copy, mode: .readWrite, busyTimeout: options.busyTimeout)
      // Lets SQLite read on even if the schema or the size of the file is wrong.
      try database.run("PRAGMA writable_schema = ON")
      return try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'events'") == 1 ? database : nil
    } catch {
      // A damaged file may not open: the caller has a fallback.
      return nil
    }
  }
}
