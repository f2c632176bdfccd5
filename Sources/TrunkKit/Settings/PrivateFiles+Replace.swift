import CGLib
import Localization
import SQLiteKit

/// Why a file was not replaced, in the system's words, which name the file.
struct ReplacementError: Error {
  let message: String
}

extension PrivateFiles {
  /// Replaces a file completely or not at all: writes a temporary file, readable only by its owner, and renames it.
  /// - Parameter isDurable: whether the file and its name are flushed to disk before this returns.
  static func replace(_ path: String, with bytes: [UInt8], isDurable: Bool) throws(ReplacementError) {
    let durable = isDurable ? G_FILE_SET_CONTENTS_DURABLE.rawValue : 0
    let flags = GFileSetContentsFlags(rawValue: G_FILE_SET_CONTENTS_CONSISTENT.rawValue | durable)
    var error: UnsafeMutablePointer<GError>?
    let isWritten = bytes.withUnsafeBytes { bytes in
      // An empty array may have no address, but GLib requires one.
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      return withUnsafePointer(to: CChar(0)) { empty in
        g_file_set_contents_full(path, start ?? empty, gssize(bytes.count), flags, 0o600, &error) != 0
      }
    }
    if !isWritten { throw ReplacementError(message: message(of: &error)) }
  }
}

/// Releases an error and returns its message.
func message(of error: inout UnsafeMutablePointer<GError>?) -> String {
  defer { g_clear_error(&error) }
  return error.map { String(cString: $0.pointee.message) } ?? tr("unknown error")
}
