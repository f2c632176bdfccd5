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

/// What the next window says about a sign-out.
public struct SignOutNote: Sendable, Equatable {
  /// The id of the user who signed out.
  public let account: String
  /// The path of the copy that was kept.
  public let copy: String
  /// The server was found to have every entry.
  public let isComplete: Bool

  public init(account: String, copy: String, isComplete: Bool) {
    self.account = account
    self.copy = copy
    self.isComplete = isComplete
  }
}

/// Remembers beside the gardens whose garden is open, so that a start needs neither keyring nor network to find it.
///
/// The secrets are in the keyring; this file names the server, its public key and the user's id.
public struct CurrentAccount: Sendable {
  private let path: String

  public init(folder: String = Folders.gardens) {
    path = folder + "/account.conf"
  }

  /// - Returns: `nil` if no account is signed in: the file says so, or there is none yet.
  /// - Throws: `Settings.Unreadable` if the file is empty, cut short or damaged: opening another garden would look as if
  ///   all entries were gone.
  public func load() throws -> SignedInAccount? {
    guard let file = try read() else { return nil }
    defer { g_key_file_unref(file) }
    if g_key_file_has_group(file, CurrentAccount.signedOut) != 0 { return nil }
    guard let server = text(file, "server"), let userID = text(file, "user"), Folders.isAccount(userID),
      let backend = text(file, "backend").flatMap(ServerConfiguration.Backend.init(rawValue:)),
      let configuration = try? ServerConfiguration(backend: backend, url: server, key: text(file, "key") ?? "")
    else {
      throw Settings.Unreadable(
        path: path,
        detail: tr(
          "it should name the account that is signed in and does not. Your gardens are safe. To sign in again, delete this file first"
        ))
    }
    return SignedInAccount(
      account: Account(server: configuration.url, userID: userID), configuration: configuration)
  }

  /// What is to be said about the last sign-out, until `save` is called; `nil` if there is nothing.
  public func signOutNote() throws -> SignOutNote? {
    guard let file = try read() else { return nil }
    defer { g_key_file_unref(file) }
    guard let copy = text(file, "copy", in: CurrentAccount.signedOut), !copy.isEmpty,
      let account = text(file, "user", in: CurrentAccount.signedOut), Folders.isAccount(account)
    else { return nil }
    let isComplete = text(file, "complete", in: CurrentAccount.signedOut) == "true"
    return SignOutNote(account: account, copy: copy, isComplete: isComplete)
  }

  /// Notes durably whose garden is open.
  /// - Parameters:
  ///   - current: `nil` if no account is signed in: the next start opens the garden of this computer.
  ///   - note: what is to be said about the sign-out.
  /// - Throws: `Settings.Unreadable` with the system's words.
  public func save(_ current: SignedInAccount?, note: SignOutNote? = nil) throws {
    guard let file = g_key_file_new() else { return }
    defer { g_key_file_unref(file) }
    if let current {
      g_key_file_set_string(file, CurrentAccount.account, "backend", current.configuration.backend.rawValue)
      g_key_file_set_string(file, CurrentAccount.account, "server", current.configuration.url)
      g_key_file_set_string(file, CurrentAccount.account, "key", current.configuration.key)
      g_key_file_set_string(file, CurrentAccount.account, "user", current.account.userID)
    } else {
      // An empty file would look like one that was cut short.
      g_key_file_set_string(file, CurrentAccount.signedOut, "user", note?.account ?? "")
      g_key_file_set_string(file, CurrentAccount.signedOut, "copy", note?.copy ?? "")
      g_key_file_set_boolean(file, CurrentAccount.signedOut, "complete", note?.isComplete ?? false ? 1 : 0)
    }
    guard let data = g_key_file_to_data(file, nil, nil) else { return }
    defer { g_free(data) }
    try writePrivately(data, to: path, isDurable: true)
  }

  private static let account = "account"
  private static let signedOut = "signed-out"

  /// - Returns: `nil` if there is no file; else the key file, which the caller has to release.
  private func read() throws -> OpaquePointer? {
    guard access(path, F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno), let file = g_key_file_new() else { return nil }
    var error: UnsafeMutablePointer<GError>?
    if g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &error) == 0 {
      g_key_file_unref(file)
      throw Settings.Unreadable(path: path, detail: take(&error))
    }
    return file
  }

  private func text(_ file: OpaquePointer, _ key: String, in group: String = account) -> String? {
    guard let text = g_key_file_get_string(file, group, key, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }
}
