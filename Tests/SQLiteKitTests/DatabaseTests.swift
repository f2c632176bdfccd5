import Foundation
import SQLiteKit
import TemporaryFolders
import Testing

@Suite final class DatabaseTests {
  private let folder = TemporaryFolder("sqlite")
  private let database: Database

  private struct Rejection: Error {}

  init() throws {
    try PrivateFiles.makeFolder(folder.path)
    try PrivateFiles.makeFile(folder.path + "/?a b%.db")
    database = try Database(path: folder.path + "/?a b%.db", mode: .readWrite, busyTimeout: 0)
    try database.run("CREATE TABLE lines (number INTEGER PRIMARY KEY, text TEXT, bytes BLOB)")
  }

  private func count() throws -> Int64 { try database.integer("SELECT count(*) FROM lines") }

  @Test func valuesComeBackAsTheyWereBound() throws {
    let insertion = "INSERT INTO lines VALUES (?, ?, ?)"
    try database.execute(insertion, .integer(Int64.max), .text("a\0b ü"), .blob([0, 255]))
    try database.execute(insertion, .integer(1), .text(""), .blob([]))
    try database.execute(insertion, .integer(2), .null, .null)
    let rows = try database.all("SELECT number, text, bytes FROM lines ORDER BY number") { row in
      (row.integer(0), row.optionalText(1), row.isNull(2) ? nil : row.blob(2))
    }
    #expect(rows.map(\.0) == [1, 2, .max])
    #expect(rows.map(\.1) == ["", nil, "a\0b ü"])
    #expect(rows.map(\.2) == [[], nil, [0, 255]])
    #expect(try database.blob("lines", "bytes", row: .max) == [0, 255])
  }

  @Test func aFailedTransactionChangesNothing() throws {
    #expect(throws: Rejection.self) {
      try database.transaction {
        try database.execute("INSERT INTO lines (number) VALUES (1)")
        throw Rejection()
      }
    }
    #expect(!database.isInTransaction)
    #expect(try count() == 0)
  }

  @Test func aFailedSavepointUndoesOnlyItsOwnPart() throws {
    try database.transaction {
      try database.execute("INSERT INTO lines (number) VALUES (1)")
      #expect(throws: Rejection.self) {
        try database.savepoint {
          try database.execute("INSERT INTO lines (number) VALUES (2)")
          throw Rejection()
        }
      }
    }
    #expect(try database.all("SELECT number FROM lines") { $0.integer(0) } == [1])
  }

  @Test func eachMigrationIsAppliedOnce() throws {
    let first = Migration(name: "first", script: "ALTER TABLE lines ADD COLUMN a")
    let broken = Migration(name: "broken", script: "ALTER TABLE lines ADD COLUMN b; SELECT nothing")
    try database.migrate([first])
    try database.migrate([first])
    #expect(throws: DatabaseError.self) { try database.migrate([first, broken]) }
    #expect(try database.schemaVersion == 1)
    #expect(try database.integer("SELECT count(*) FROM pragma_table_info('lines')") == 4)
  }

  @Test func anErrorNamesTheStatementWithoutItsValues() throws {
    try database.execute("INSERT INTO lines (number) VALUES (?)", .integer(7))
    let error = #expect(throws: DatabaseError.self) {
      try database.execute("INSERT INTO lines (number, text) VALUES (?, ?)", .integer(7), .text("secret"))
    }
    #expect(error?.isUniqueViolation == true)
    #expect(error?.description.contains("INSERT INTO lines (number, text) VALUES (?, ?)") == true)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func aCancelledStatementEnds() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    let error = #expect(throws: DatabaseError.self) {
      try database.limited(to: .seconds(60), cancellation) { _ = try database.integer(endless) }
    }
    #expect(error?.isInterruption == true)
    #expect(try count() == 0, "the next statement has no limit")
  }
}
