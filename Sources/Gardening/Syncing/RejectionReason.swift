import Localization

extension Waiting {
  /// Why the server rejected the entry, in plain words.
  public var reason: String {
    let code = item.lastCode ?? ""
    switch code.split(separator: " ").last ?? "" {
    case "23505": return tr("The server already uses this entry’s ID for another account.")
    case "42501", "401", "403": return tr("The server doesn’t allow this account to store it.")
    case "22P02", "22P05", "22021": return tr("It contains characters that the server can’t store.")
    case "22001", "23514": return tr("It breaks a rule of the server, such as a length limit.")
    case "413", "414", "54000": return tr("It is too large for the server.")
    default: return tr("The server gave no reason that Trunk knows.")
    }
  }
}
