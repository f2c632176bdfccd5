import CSQLite

/// A value to bind to a statement.
package enum SQLValue {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  package static func integer(_ value: Int64?) -> SQLValue { value.map { .integer($0) } ?? .null }
  package static func integer(_ value: Int) -> SQLValue { .integer(Int64(value)) }
  package static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }

  fileprivate func bindBytes(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafePointer<UInt8>, Int) -> Int32
  ) -> Int32 {
    // An empty buffer may have no address, and SQLite treats a null pointer as NULL.
    if let start = bytes.baseAddress { return body(start, bytes.count) }
    return withUnsafePointer(to: 0) { body($0, 0) }
  }

  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let value): return sqlite3_bind_int64(statement, index, value)
    case .text(var value):
      return value.withUTF8 { bytes in
        bindBytes(bytes) { start, count in
          start.withMemoryRebound(to: CChar.self, capacity: count) {
            sqlite3_bind_text64(statement, index, $0, UInt64(count), copied, UInt8(SQLITE_UTF8))
          }
        }
      }
    case .blob(let value):
      return value.withUnsafeBufferPointer { bytes in
        bindBytes(bytes) { sqlite3_bind_blob64(statement, index, $0, UInt64($1), copied) }
      }
    }
  }
}

/// `SQLITE_TRANSIENT`, a cast that Swift does not import: SQLite copies the bytes before the call returns.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// The current row of a statement, valid until its next step.
package struct Row {
  @usableFromInline let statement: OpaquePointer

  @inlinable package init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  @inlinable package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// The integer in a column; 0 for NULL.
  @inlinable package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  @inlinable package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// The text in a column; empty for NULL.
  @inlinable package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  @inlinable package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  @inlinable package func blob(_ column: Int32) -> [UInt8] { Array(bytes(column)) }

  /// The bytes of the text or blob in a column, valid until the next step.
  @inlinable package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    // Get the pointer first: that may convert the value, which changes its length.
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }
}
