import CGLib
import Glibc
import Localization
import Sync

/// Whose garden is open, and through which server it is synced.
public struct SignedInAccount: Sendable, Equatable {
  public let account: Account
  public let configuration: ServerConfiguration

  public init(account: Account, configuration: ServerConfiguration) {
    self.account = account
    self.configuration = configuration
  }

  /// Where the account's garden is kept.
  public var folder: String { Folders.garden(account: account.userID) }
}

/// Remembers beside the gardens whose garden is open, so that a start needs neither keyring nor network to find it.
///
/// The secrets are in the keyring; this file names the server, its public key and the user's id.
public struct CurrentAccount: Sendable {
  private let path: String

  public init(folder: String = Folders.gardens) {
    path = folder + "/account.conf"
  }

  /// - Returns: `nil` if nobody is signed in.
  /// - Throws: `Settings.Unreadable` if the file is there and does not tell: another garden than the right one would be
  ///   written in.
  public func load() throws -> SignedInAccount? {
    guard access(path, F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno), let file = g_key_file_new() else { return nil }
    defer { g_key_file_unref(file) }
    var error: UnsafeMutablePointer<GError>?
    if g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &error) == 0 {
      throw Settings.Unreadable(path: path, detail: take(&error))
    }
    guard g_key_file_has_group(file, "account") != 0 else { return nil }
    guard let server = text(file, "server"), let userID = text(file, "user"), Folders.isAccount(userID),
      let backend = text(file, "backend").flatMap(ServerConfiguration.Backend.init(rawValue:)),
      let configuration = try? ServerConfiguration(backend: backend, url: server, key: text(file, "key") ?? "")
    else { throw Settings.Unreadable(path: path, detail: tr("it names no account that Trunk can use")) }
    return SignedInAccount(
      account: Account(server: configuration.url, userID: userID), configuration: configuration)
  }

  /// - Parameter current: `nil` forgets it: the next start opens the garden of this computer.
  /// - Throws: `Settings.Unreadable` with the system's words.
  public func save(_ current: SignedInAccount?) throws {
    guard let file = g_key_file_new() else { return }
    defer { g_key_file_unref(file) }
    if let current {
      g_key_file_set_string(file, "account", "backend", current.configuration.backend.rawValue)
      g_key_file_set_string(file, "account", "server", current.configuration.url)
      g_key_file_set_string(file, "account", "key", current.configuration.key)
      g_key_file_set_string(file, "account", "user", current.account.userID)
    }
    guard let data = g_key_file_to_data(file, nil, nil) else { return }
    defer { g_free(data) }
    try writePrivately(data, to: path)
  }

  private func text(_ file: OpaquePointer, _ key: String) -> String? {
    guard let text = g_key_file_get_string(file, "account", key, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }
}
