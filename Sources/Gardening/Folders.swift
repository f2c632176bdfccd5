import CGLib
import Glibc

/// Where the program keeps what it writes, by the XDG base directory specification.
public enum Folders {
  /// Gardens, drafts and backups of one account. Without an account it is `local`.
  public static func garden(account: String = "local") -> String { gardens + "/" + account }

  /// The copies of one account's garden that were made when it was signed out.
  public static func signedOut(account: String) -> String { signedOut + "/" + account }

  /// The folder of all signed-out gardens. No account can be called so.
  public static var signedOut: String { gardens + "/" + signedOutName }

  private static let signedOutName = "signed-out"

  /// Whether there is a garden in this folder.
  public static func holdsGarden(_ folder: String) -> Bool { access(folder + "/garden.db", F_OK) == 0 }

  /// The folder of all accounts' gardens.
  public static var gardens: String { String(cString: g_get_user_data_dir()) + "/trunk" }

  /// Whether a user's id can name a folder of its own. It comes from a server, which must not choose another.
  public static func isAccount(_ userID: String) -> Bool {
    !userID.isEmpty && userID.utf8.count <= 64 && !["local", signedOutName].contains(userID)
      && userID.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  /// Preferences, which people may edit: `trunk.conf`.
  public static var configuration: String { String(cString: g_get_user_config_dir()) + "/trunk" }

  /// What is remembered for convenience only: the window's size.
  public static var state: String { String(cString: g_get_user_state_dir()) + "/trunk" }
}
