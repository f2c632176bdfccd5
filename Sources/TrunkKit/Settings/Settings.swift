import CGLib
import Glibc
import Localization
import Observation

/// The user's preferences in `trunk.conf`, a key file that may be edited by hand; comments are kept.
///
/// If the file can't be read, the defaults apply, and it is never overwritten.
@MainActor
@Observable
public final class Settings {
  public enum TreeForm: String, Sendable {
    case picture, list
  }

  public enum Appearance: String, CaseIterable {
    case system, light, dark
  }

  /// The file exists but can't be used; `detail` is the system's message.
  public struct Unreadable: Error {
    public let path: String
    public let detail: String

    public init(path: String, detail: String) {
      self.path = path
      self.detail = detail
    }
  }

  /// Why the file could not be read; shown as a notice.
  public private(set) var problem: Unreadable?

  /// Increases with every change, so that observers notice all of them.
  public private(set) var revision = 0

  private let path: String
  private let file: OpaquePointer

  /// - Parameter folder: created with the first change.
  public init(folder: String = Folders.configuration) {
    path = folder + "/trunk.conf"
    file = g_key_file_new()
    load()
  }

  isolated deinit {
    g_key_file_unref(file)
  }

  public var appearance: Appearance {
    text("appearance", "color-scheme").flatMap(Appearance.init(rawValue:)) ?? .system
  }

  /// The name in the greeting; by default the first name of the system's account.
  public var name: String {
    text("profile", "name") ?? Settings.accountName
  }

  /// A second folder for the daily backups, besides the garden's own.
  public var backupFolder: String? { text("backups", "folder").flatMap { $0.isEmpty ? nil : $0 } }

  /// How the tree is shown; `nil` if the user hasn't chosen.
  public var treeForm: TreeForm? { text("tree", "form").flatMap(TreeForm.init(rawValue:)) }

  public func set(treeForm: TreeForm) throws { try set("tree", "form", treeForm.rawValue) }

  public func set(appearance: Appearance) throws { try set("appearance", "color-scheme", appearance.rawValue) }

  public func set(name: String) throws { try set("profile", "name", name) }

  public func set(backupFolder: String?) throws { try set("backups", "folder", backupFolder ?? "") }
}

extension Settings {
  private static var accountName: String {
    let name = String(cString: g_get_real_name())
    let first = name.split(separator: " ").first.map(String.init) ?? ""
    // GLib returns "Unknown" if the account has no name, and service accounts are named after themselves.
    return first == "Unknown" || first == "root" ? "" : first
  }

  private func load() {
    guard Glibc.access(path, F_OK) == 0 else { return }
    var error: UnsafeMutablePointer<GError>?
    let flags = GKeyFileFlags(rawValue: G_KEY_FILE_KEEP_COMMENTS.rawValue | G_KEY_FILE_KEEP_TRANSLATIONS.rawValue)
    if g_key_file_load_from_file(file, path, flags, &error) == 0 {
      problem = Unreadable(path: path, detail: take(&error))
    }
  }

  /// - Returns: `nil` if the file doesn't have the key.
  package func text(_ group: String, _ key: String) -> String? {
    // Reading a preference must register with observation: the key file itself is not observable.
    _ = revision
    guard let text = g_key_file_get_string(file, group, key, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  private func set(_ group: String, _ key: String, _ value: String) throws { try set(group, [key: value]) }

  /// Writes several keys of one group at once.
  /// - Throws: `Unreadable`; then the file is unchanged.
  package func set(_ group: String, _ values: [String: String]) throws {
    // The user may have edited the file since it was read.
    if problem == nil { load() }
    if let problem { throw problem }
    for (key, value) in values { g_key_file_set_string(file, group, key, value) }
    guard let text = g_key_file_to_data(file, nil, nil) else { return }
    defer { g_free(text) }
    try writePrivately(text, to: path)
    revision += 1
  }
}

package func take(_ error: inout UnsafeMutablePointer<GError>?) -> String {
  defer { g_clear_error(&error) }
  return error.map { String(cString: $0.pointee.message) } ?? tr("unknown error")
}

/// Writes a small file through a temporary one that is renamed, readable only by its owner.
/// - Parameter isDurable: whether the file and its folder are flushed to disk before this returns.
/// - Throws: `Settings.Unreadable` with the system's message.
package func writePrivately(
  _ text: UnsafePointer<CChar>, to path: String, isDurable: Bool = false
) throws {
  let durable = isDurable ? G_FILE_SET_CONTENTS_DURABLE.rawValue : 0
  let flags = GFileSetContentsFlags(rawValue: G_FILE_SET_CONTENTS_CONSISTENT.rawValue | durable)
  let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  if g_mkdir_with_parents(folder, 0o700) != 0 {
    throw Settings.Unreadable(path: folder, detail: String(cString: strerror(errno)))
  }
  var error: UnsafeMutablePointer<GError>?
  if g_file_set_contents_full(path, text, -1, flags, 0o600, &error) == 0 {
    throw Settings.Unreadable(path: path, detail: take(&error))
  }
}
