import CSQLite
import Glibc

/// An error that SQLite reported.
public struct DatabaseError: Error, Sendable, Equatable {
  /// The primary result code, such as `SQLITE_BUSY`.
  public let code: Int32
  /// The extended result code, such as `SQLITE_IOERR_FSYNC`.
  public let extendedCode: Int32
  /// `errno` of the system call that failed; 0 if none did.
  public let systemError: Int32
  /// The statement without its values, which may contain what the user wrote.
  public let sql: String
  /// SQLite's message.
  public let message: String

  package init(code: Int32, extendedCode: Int32, systemError: Int32, sql: String, message: String) {
    self.code = code
    self.extendedCode = extendedCode
    self.systemError = systemError
    self.sql = sql
    self.message = message
  }
}

extension DatabaseError: CustomStringConvertible {
  public var description: String {
    let system = systemError == 0 ? "" : ", errno \(systemError)"
    return "SQLite error \(extendedCode)\(system): \(message)" + (sql.isEmpty ? "" : " in: \(sql)")
  }
}

extension DatabaseError {
  /// Whether the file is damaged.
  package var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

  /// Whether the file lacks a table or column that the statement names, for example after damage to its schema.
  package var isOfSchema: Bool { code == SQLITE_ERROR }

  /// Whether the disk or the user's quota is full.
  package var isDiskFull: Bool { code == SQLITE_FULL || systemError == ENOSPC || systemError == EDQUOT }

  /// Whether a row with the same key exists.
  package var isUniqueViolation: Bool {
    extendedCode == SQLITE_CONSTRAINT | 8 << 8 || extendedCode == SQLITE_CONSTRAINT | 6 << 8
  }

  /// Creates an error from the last one of `handle`.
  /// - Parameter systemError: `errno` after the call; used only if SQLite doesn't know it.
  package init(_ handle: OpaquePointer?, code: Int32, systemError: Int32 = 0, sql: String) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    // The handle may report a later error. Use its details only if they belong to this one.
    let isLast = extended & 0xff == code & 0xff
    self.code = code & 0xff
    extendedCode = isLast ? extended : code
    let known = handle.map { sqlite3_system_errno($0) } ?? 0
    self.systemError = DatabaseError.isSystemFailure(code & 0xff) ? (known == 0 ? systemError : known) : 0
    self.sql = sql
    message = isLast && handle != nil ? String(cString: sqlite3_errmsg(handle)) : String(cString: sqlite3_errstr(code))
  }

  /// Whether the system caused the failure. Otherwise `errno` is left over from earlier calls.
  private static func isSystemFailure(_ code: Int32) -> Bool {
    [SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM].contains(code)
  }
}
