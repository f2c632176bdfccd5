import SQLiteKit

/// A digest of everything in a garden's file that can't be derived again. Equal digests mean equal content.
struct ContentDigest: Equatable {
  private let bytes: [UInt8]

  /// Tables that are derived from the events or only used during a download.
  private static let derived: Set<String> = ["checkpoints", "staged_rows"]

  /// - Parameter database: in a transaction, so that all tables are from one snapshot.
  init(_ database: Database) throws {
    let sha256 = SHA256()
    var chain: [UInt8] = []
    for table in try Schema.tablesOfGarden(in: database) + ["meta"] where !ContentDigest.derived.contains(table) {
      let columns = try database.all("SELECT name FROM pragma_table_info(?)", .text(table)) { $0.text(0) }
      let values = columns.map { "typeof(\"\($0)\"), \"\($0)\"" }.joined(separator: ", ")
      chain += Array(table.utf8)
      try database.rows("SELECT \(values) FROM \"\(table)\"") { row in
        for column in 0..<Int32(2 * columns.count) {
          let value = row.bytes(column)
          withUnsafeBytes(of: UInt64(value.count)) { chain += $0 }
          chain += value
        }
        chain = chain.withUnsafeBytes { sha256.digest(of: $0) }
        return true
      }
    }
    bytes = chain
  }
}
