import Localization
import SQLiteKit

/// Tells from `account.conf` whose garden is open, without the server or the keyring.
public enum CurrentAccount {
  package static let group = "account"

  package static func path(in folder: String = Folders.gardens) -> String { folder + "/account.conf" }

  /// The folder of the garden that the programs of this user open.
  /// - Throws: `Settings.Unreadable` if the file doesn't name the account.
  public static func gardenFolder() throws(Settings.Unreadable) -> String {
    let path = path()
    guard let file = try read(path), file.hasGroup(group) else { return Folders.garden() }
    guard let userID = userID(in: file) else { throw unnamed(path) }
    return Folders.garden(account: userID)
  }

  /// - Returns: `nil` if there is no file.
  package static func read(_ path: String) throws(Settings.Unreadable) -> KeyFile? {
    PrivateFiles.isMissing(path) ? nil : try KeyFile(path: path)
  }

  package static func userID(in file: KeyFile) -> String? {
    file[group, "user"].flatMap { Folders.isAccount($0) ? $0 : nil }
  }

  package static func unnamed(_ path: String) -> Settings.Unreadable {
    Settings.Unreadable(
      path: path,
      detail: tr(
        "it does not name the signed-in account. Your gardens are safe. To sign in again, delete this file first"
      ))
  }
}
