import CGLib
import Glibc
import SQLiteKit

/// The folders for the program's files, by the XDG base directory specification.
public enum Folders {
  /// The folder of one account's garden, drafts and backups. Without an account it is `local`.
  public static func garden(account: String = "local") -> String { gardens + "/" + account }

  /// The folder for the copies of one account's garden. Each sign-out makes a copy.
  public static func signedOut(account: String) -> String { signedOut + "/" + account }

  /// The folder of all signed-out gardens. No account can have this name.
  public static var signedOut: String { gardens + "/" + signedOutName }

  private static let signedOutName = "signed-out"

  /// The folder of all accounts' gardens.
  public static var gardens: String { base(g_get_user_data_dir(), usual: ".local/share") + "/trunk" }

  /// Whether a user's id is a valid folder name. The id comes from a server, which must not choose another folder.
  public static func isAccount(_ userID: String) -> Bool {
    !userID.isEmpty && userID.utf8.count <= 64 && !["local", signedOutName].contains(userID)
      && userID.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  /// The folder of the preferences, which users may edit: `trunk.conf`.
  public static var configuration: String { base(g_get_user_config_dir(), usual: ".config") + "/trunk" }

  /// The folder of the user's own units of systemd.
  public static var units: String { base(g_get_user_config_dir(), usual: ".config") + "/systemd/user" }

  /// The folder of state that may be lost, such as the window's size.
  public static var state: String { base(g_get_user_state_dir(), usual: ".local/state") + "/trunk" }

  /// Whether a folder is one of the program's own or inside one, whatever links lead there.
  static func isOwn(_ folder: String) -> Bool {
    guard let place = PrivateFiles.resolved(folder) else { return false }
    let own = [gardens, configuration, state].compactMap(PrivateFiles.resolved)
    return own.contains { (place + "/").hasPrefix($0 + "/") }
  }

  /// A base folder as GLib returns it. GLib also accepts a relative path from the environment, which the specification
  /// tells programs to ignore: in each working directory it would be another folder, and the garden would seem empty.
  /// - Parameter usual: the folder's place in the user's home.
  private static func base(_ named: UnsafePointer<CChar>, usual: String) -> String {
    let named = String(cString: named)
    if named.hasPrefix("/") { return named }
    // Without a home, only the environment names a folder.
    return home.map { $0 + "/" + usual } ?? named
  }

  /// A folder that the user has typed: `~` is the home, and a path that doesn't begin with `/` is in it. In each
  /// working directory, it would be another folder.
  static func typed(_ path: String) -> String {
    guard !path.hasPrefix("/"), let home else { return path }
    return path == "~" ? home : home + "/" + (path.hasPrefix("~/") ? path.dropFirst(2) : path[...])
  }

  /// A path as people write it, with `~` for the home.
  public static func displayed(_ path: String) -> String {
    guard let home, (path + "/").hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }

  private static var home: String? {
    let homes = [g_get_home_dir(), getpwuid(getuid()).flatMap { UnsafePointer($0.pointee.pw_dir) }]
    return homes.compactMap { $0.map { String(cString: $0) } }.first { $0.hasPrefix("/") }
  }

  /// A file that is installed with the program, by its path below `share`; `nil` if it isn't there.
  public static func sharedFile(_ path: String) -> String? {
    var folder = g_get_system_data_dirs()
    while let name = folder?.pointee {
      let file = String(cString: name) + "/" + path
      if access(file, R_OK) == 0 { return file }
      folder = folder?.advanced(by: 1)
    }
    return nil
  }
}
