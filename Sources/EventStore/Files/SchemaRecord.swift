import SQLiteKit

/// A digest of the definitions of a file's tables and of their places, recorded in the file.
///
/// SQLite believes what the first page says. One changed bit in it can hide a table, or make SQLite read another one's
/// pages in its place. The definitions change only when the file is migrated or the search index replaced, so a file
/// that has the recorded digest needs no other check when it is opened.
struct SchemaRecord {
  let database: Database

  /// Whether the file is as it was when it was last checked.
  /// - Parameter version: the number of migrations that the file had then; `nil` for the one that it states.
  func isUnchanged(version: Int? = nil) throws -> Bool {
    do {
      return try MetaTable(database: database).value(.schema) == digest(version: version)
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      return false
    }
  }

  /// Records the file as it is now. Call it after a check, in a transaction.
  func update() throws { try MetaTable(database: database).set(digest(), for: .schema) }

  private func digest(version: Int? = nil) throws -> String {
    let header = try [
      version ?? database.schemaVersion, Int(database.integer("PRAGMA auto_vacuum")), database.reservedBytesOfPage,
    ]
    let rows = try database.all("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid") { row in
      (0..<5).map { row.text($0) }.joined(separator: "\n")
    }
    return SHA256().digest(of: "\(header)\n" + rows.joined(separator: "\n")).hexadecimal
  }
}
