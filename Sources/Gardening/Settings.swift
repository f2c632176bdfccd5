import CGLib
import Glibc
import Localization
import Observation

/// What the user prefers, in `trunk.conf`: a key file that may also be edited by hand; comments are kept.
///
/// A file that can't be read leaves the defaults in force and is never overwritten.
@MainActor
@Observable
public final class Settings {
  public enum Appearance: String, CaseIterable {
    case system, light, dark
  }

  /// The file exists and can't be used; `detail` are the system's words.
  public struct Unreadable: Error {
    public let path: String
    public let detail: String
  }

  /// Why the file could not be read, for a quiet notice.
  public private(set) var problem: Unreadable?

  /// Grows with every change, so that whoever watches it hears of all.
  public private(set) var revision = 0

  private let path: String
  private let file: OpaquePointer

  /// - Parameter folder: made with the first change.
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

  /// What the greeting calls the user; by default the first name of the system's account.
  public var name: String {
    text("profile", "name") ?? Settings.accountName
  }

  /// A second folder for the daily backups, beside the one in the garden's own.
  public var backupFolder: String? { text("backups", "folder").flatMap { $0.isEmpty ? nil : $0 } }

  /// The address of the service that the garden is synced through, as it was typed.
  public var serverURL: String? { text("sync", "url").flatMap { $0.isEmpty ? nil : $0 } }

  /// The publishable key of that service.
  public var serverKey: String? { text("sync", "key").flatMap { $0.isEmpty ? nil : $0 } }

  /// The protocol that it speaks: see `ServerConfiguration.Backend`.
  public var backend: String? { text("sync", "backend").flatMap { $0.isEmpty ? nil : $0 } }

  public func set(appearance: Appearance) throws { try set("appearance", "color-scheme", appearance.rawValue) }

  public func set(name: String) throws { try set("profile", "name", name) }

  public func set(backupFolder: String?) throws { try set("backups", "folder", backupFolder ?? "") }

  /// - Parameter server: `nil` keeps the garden on this computer only.
  public func set(server: ServerConfiguration?) throws {
    try set("sync", ["backend": server?.backend.rawValue ?? "", "url": server?.url ?? "", "key": server?.key ?? ""])
  }
}

extension Settings {
  private static var accountName: String {
    let name = String(cString: g_get_real_name())
    let first = name.split(separator: " ").first.map(String.init) ?? ""
    // GLib answers "Unknown" where the system has no name, and daemons are called after their account.
    return first == "Unknown" || first == "root" ? "" : first
  }

  /// Reads the file if there is one.
  private func load() {
    guard Glibc.access(path, F_OK) == 0 else { return }
    var error: UnsafeMutablePointer<GError>?
    let flags = GKeyFileFlags(rawValue: G_KEY_FILE_KEEP_COMMENTS.rawValue | G_KEY_FILE_KEEP_TRANSLATIONS.rawValue)
    if g_key_file_load_from_file(file, path, flags, &error) == 0 {
      problem = Unreadable(path: path, detail: take(&error))
    }
  }

  private func text(_ group: String, _ key: String) -> String? {
    // Reading a preference is watching it: the key file itself tells nobody when it changes.
    _ = revision
    guard let text = g_key_file_get_string(file, group, key, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  private func set(_ group: String, _ key: String, _ value: String) throws { try set(group, [key: value]) }

  private func set(_ group: String, _ values: [String: String]) throws {
    // Somebody may have edited it since.
    if problem == nil { load() }
    if let problem { throw problem }
    for (key, value) in values { g_key_file_set_string(file, group, key, value) }
    guard let text = g_key_file_to_data(file, nil, nil) else { return }
    defer { g_free(text) }
    try writePrivately(text, to: path)
    revision += 1
  }
}

func take(_ error: inout UnsafeMutablePointer<GError>?) -> String {
  defer { g_clear_error(&error) }
  return error.map { String(cString: $0.pointee.message) } ?? tr("unknown error")
}

/// Writes a small file that only its owner may read, through a temporary one that is renamed.
/// - Parameter isDurable: the file and its folder are on the disk when this returns.
/// - Throws: `Settings.Unreadable` with the system's words.
func writePrivately(
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
