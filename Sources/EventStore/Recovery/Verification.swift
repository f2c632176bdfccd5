import SQLiteKit
import TrunkModel

/// The result of a full check of the file.
public struct Verification: Sendable, Equatable {
  /// SQLite's messages about the structure of the file; empty if it is intact.
  public var structure: [String] = []
  /// The numbers of events whose text differs from what was written, or is not an event.
  public var damagedEvents: [Int64] = []
  /// The numbers of earlier pages that differ from what was written.
  public var damagedPages: [Int64] = []
  /// The numbers of events that are missing or wrong in the search index, which can be rebuilt from the log, and the
  /// negative numbers of such pages.
  public var searchDifferences: [Int64] = []
  /// The number of events in the log.
  public var events = 0
  /// The number of events that this version doesn't understand.
  public var ignored = 0
  /// The number of events that the server has not acknowledged.
  public var pending = 0
  /// The number of events that the server rejected, including local-only ones.
  public var rejected = 0
  /// The number of superseded versions of events.
  public var superseded = 0
  public var drafts = 0
  /// The number of earlier pages.
  public var pages = 0

  /// Whether the structure and the text of every event and page are intact.
  public var isSound: Bool { structure.isEmpty && damagedEvents.isEmpty && damagedPages.isEmpty }
}

extension Verification {
  init(_ database: Database) throws {
    do {
      structure = try Verification.structure(of: database)
      let sha256 = SHA256()
      try database.rows("SELECT seq, sha256, raw FROM events") { row in
        let isSound = sha256.digest(of: row.bytes(2)) == row.blob(1) && Event.isReadable(row.text(2))
        if !isSound { damagedEvents.append(row.integer(0)) }
        return true
      }
      structure += try Verification.unreadableVersions(in: database)
      let table = PageTable(database: database)
      if try table.exists() {
        try table.each { page in
          if !page.isSound { damagedPages.append(page.id) }
          if !page.isRemoved { pages += 1 }
        }
      }
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      structure.append(error.message)
    }
    guard isSound else { return }
    searchDifferences = try SearchIndex(database: database).allDifferences()
    let count = { (sql: String) in Int(try database.integer("SELECT count(*) FROM " + sql)) }
    events = try count("events")
    ignored = try count("events WHERE rank IS NULL")
    pending = try count("events WHERE upload = 0")
    rejected = try count("events WHERE upload = 2")
    superseded = try EventLog(database: database).superseded().count
    drafts = try count("drafts")
  }
}

extension Event {
  /// Whether a text in the log is that of an event. Otherwise it has no other use, so the error says nothing more.
  static func isReadable(_ text: String) -> Bool { (try? Event(json: text)) != nil }
}

extension Verification {
  /// Names each table of superseded versions in which a text is not that of an event.
  private static func unreadableVersions(in database: Database) throws -> [String] {
    // An older file lacks one of them.
    let tables = try database.all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('superseded', 'displaced')"
    ) { $0.text(0) }
    return try tables.filter { table in
      try database.all("SELECT raw FROM \(table)") { Event.isReadable($0.text(0)) }.contains(false)
    }.map { "table \($0) has a text that is not an event" }
  }

  /// SQLite's messages about the structure of the file; empty if it is intact.
  static func structure(of database: Database) throws -> [String] {
    do {
      // A damaged definition may be valid SQL.
      let definitions = try Schema.differences(in: database)
      if !definitions.isEmpty { return definitions }
      // `quick_check` misses a third of all damage. Newer versions of SQLite also check the search index, which can be
      // rebuilt.
      return try database.all("PRAGMA integrity_check(20)") { $0.text(0) }.filter {
        $0 != "ok" && !$0.split(separator: " ").contains("FTS5")
      }
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      return [error.message]
    }
  }

  /// SQLite's messages about the first page, which locates the tables, and about the list of free pages, in which the
  /// next write looks for space; empty if both are intact. This takes a twentieth of a millisecond.
  static func structureOfFirstPage(of database: Database) throws -> [String] {
    try database.all("PRAGMA integrity_check(sqlite_schema)") { $0.text(0) }.filter { $0 != "ok" }
  }
}

extension EventStore {
  /// Checks everything: the structure of the file, the text of every event and the search index.
  ///
  /// If the structure or an event is damaged, the next opening repairs what it can.
  public func verify() throws(StoreError) -> Verification {
    var result = try read { try Verification($0) }
    if !result.isSound { GardenFile.markSuspect(folder) }
    guard result.isSound, result.searchDifferences.isEmpty, access == .readWrite else { return result }
    // The texts in the index are right, but words may still lead to other ones.
    do { result.searchDifferences = try SearchIndex(database: database).brokenEntries() } catch { throw failure(error) }
    return result
  }
}
