import Glibc
import SQLiteKit

// Opening what is left of the damaged file, always as a copy.
extension Salvage {
  /// Opens a copy of the damaged file, because SQLite would change the file itself.
  ///
  /// The first page locates the tables. If it is unreadable, the copy gets the first page of a new file: the tables are
  /// at the same places if the same version created it. Hashes detect rows that don't belong together.
  func openDamaged() throws -> Database? {
    if let database = try openCopy(firstPage: nil) { return database }
    // With a different page size, the tables are at other places.
    let firstPages = try Connecting.pageSizes.map(firstPage)
    let log = "SELECT 1 FROM events NOT INDEXED ORDER BY seq"
    for rows in [log, log + " DESC", "SELECT 1 FROM drafts"] {
      for firstPage in firstPages {
        guard let database = try openCopy(firstPage: firstPage) else { continue }
        if canRead(rows + " LIMIT 1", in: database) { return database }
      }
    }
    return try openCopy(firstPage: firstPages.first)
  }

  /// - Parameter size: of the page, in bytes.
  private func firstPage(size: Int) throws -> ArraySlice<UInt8> {
    removeFiles(unfinished)
    defer { removeFiles(unfinished) }
    var connecting = connecting
    connecting.pageSize = size
    // It is complete when it is closed.
    _ = try connecting.open(unfinished)
    var page = try PrivateFiles.read(unfinished).prefix(size)
    // No number of pages: the size of the file counts then.
    for index in 28..<32 where page.indices.contains(index) { page[index] = 0 }
    return page
  }

  private func canRead(_ sql: String, in database: Database) -> Bool {
    do {
      _ = try database.integer(sql)
      return true
    } catch {
      // What is wrong with it is looked at when it is copied.
      return false
    }
  }

  /// The largest `seq` that the file shows as SQLite reads it, which is up to the first damage in the write-ahead log;
  /// `nil` if it can't be read.
  func sequenceWithoutRest() -> Int64? {
    // What is wrong with it is looked at when it is copied.
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
      let database = try Database(path: copy, mode: .readWrite, busyTimeout: connecting.patience)
      // Reads on although the schema or the size of the file is wrong.
      try database.run("PRAGMA writable_schema = ON")
      return try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'events'") == 1 ? database : nil
    } catch {
      // A damaged file may not open: the caller has a fallback.
      return nil
    }
  }
}
