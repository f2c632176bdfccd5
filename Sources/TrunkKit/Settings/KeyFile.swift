import CGLib
import Glibc
import Localization
import SQLiteKit

/// A file of texts by group and key, in the format of desktop entries, which users can edit.
package final class KeyFile {
  private let file: OpaquePointer = g_key_file_new()

  /// Creates an empty file in memory.
  package init() {}

  /// Reads a file.
  /// - Throws: `Settings.Unreadable` with the system's message.
  package convenience init(path: String) throws(Settings.Unreadable) {
    self.init()
    try load(path)
  }

  deinit { g_key_file_unref(file) }

  /// Replaces the content with the content of a file. If it can't be read, the content becomes empty.
  /// - Parameter keepsComments: whether comments and translated keys are written again.
  /// - Throws: `Settings.Unreadable` with the system's message.
  package func load(_ path: String, keepsComments: Bool = false) throws(Settings.Unreadable) {
    let flags =
      keepsComments
      ? G_KEY_FILE_KEEP_COMMENTS.rawValue | G_KEY_FILE_KEEP_TRANSLATIONS.rawValue : G_KEY_FILE_NONE.rawValue
    let bytes: [UInt8]
    do throws(PrivateFiles.Failure) {
      // Not GLib's function for files: it waits for a writer if the file is a pipe.
      bytes = try PrivateFiles.readFile(path, followsLinks: true)
    } catch {
      g_key_file_load_from_data(file, "", 0, G_KEY_FILE_NONE, nil)
      throw Settings.Unreadable(path: path, detail: error.reason)
    }
    var error: UnsafeMutablePointer<GError>?
    let isLoaded = bytes.withUnsafeBytes {
      g_key_file_load_from_data(
        file, $0.bindMemory(to: CChar.self).baseAddress, gsize(bytes.count), GKeyFileFlags(rawValue: flags), &error)
    }
    if isLoaded == 0 { throw Settings.Unreadable(path: path, detail: message(of: &error)) }
  }

  /// The whole file; `nil` if there is too little memory.
  package var text: String? {
    guard let text = g_key_file_to_data(file, nil, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  package func hasGroup(_ group: String) -> Bool { g_key_file_has_group(file, group) != 0 }

  /// The text of a key; `nil` if there is none. Setting it to `nil` changes nothing.
  package subscript(group: String, key: String) -> String? {
    get {
      guard let text = g_key_file_get_string(file, group, key, nil) else { return nil }
      defer { g_free(text) }
      return String(cString: text)
    }
    set {
      if let newValue { g_key_file_set_string(file, group, key, newValue) }
    }
  }

  /// The text of a key without replacing escapes; `nil` if there is none.
  package func raw(_ group: String, _ key: String) -> String? {
    guard let text = g_key_file_get_value(file, group, key, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Sets a text that `raw` has returned.
  package func setRaw(_ text: String, _ group: String, _ key: String) { g_key_file_set_value(file, group, key, text) }

  /// Writes the file through a temporary one that is renamed, readable only by its owner. Creates its folder. A link
  /// stays, and the file that it leads to is replaced: users keep preferences in other folders.
  /// - Parameter isDurable: whether the file and its folder are flushed to disk before this returns.
  /// - Throws: `Settings.Unreadable` with the system's message.
  package func save(to path: String, isDurable: Bool = false) throws(Settings.Unreadable) {
    var length: gsize = 0
    var error: UnsafeMutablePointer<GError>?
    guard let text = g_key_file_to_data(file, &length, &error) else {
      throw Settings.Unreadable(path: path, detail: message(of: &error))
    }
    defer { g_free(text) }
    let bytes = Array(UnsafeRawBufferPointer(start: text, count: Int(length)))
    do throws(PrivateFiles.Failure) {
      try PrivateFiles.makeFolder(above: PrivateFiles.folder(of: path))
      try PrivateFiles.replace(path, with: bytes, isDurable: isDurable)
    } catch {
      throw Settings.Unreadable(path: error.path, detail: error.reason)
    }
  }
}

/// Releases an error and returns its message.
func message(of error: inout UnsafeMutablePointer<GError>?) -> String {
  defer { g_clear_error(&error) }
  return error.map { String(cString: $0.pointee.message) } ?? tr("unknown error")
}

extension PrivateFiles.Failure {
  /// What went wrong with the path, as a part of a sentence.
  var reason: String {
    if systemError == ENOENT, let target = PrivateFiles.linkTarget(path) {
      return tr("it is a link to “{target}”, which does not exist", ["target": target])
    }
    return String(cString: strerror(systemError))
  }
}
