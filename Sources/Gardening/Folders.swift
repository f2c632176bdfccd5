import CGLib

/// Where the program keeps what it writes, by the XDG base directory specification.
public enum Folders {
  /// Gardens, drafts and backups of one account. Without an account it is `local`.
  public static func garden(account: String = "local") -> String {
    String(cString: g_get_user_data_dir()) + "/trunk/" + account
  }

  /// Preferences, which people may edit: `trunk.conf`.
  public static var configuration: String { String(cString: g_get_user_config_dir()) + "/trunk" }

  /// What is remembered for convenience only: the window's size.
  public static var state: String { String(cString: g_get_user_state_dir()) + "/trunk" }
}
