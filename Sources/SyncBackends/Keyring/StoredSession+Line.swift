import SyncEngine
import TrunkModel

extension StoredSession {
  /// The session without the account, which the item's attributes identify. One line, because some keyring tools
  /// interpret further lines as other fields.
  var line: String {
    JSON.object([
      .init("access_token", .string(accessToken)), .init("refresh_token", .string(refreshToken)),
      .init("email", .string(email)), .init("expires_at", .number(String(expiresAt))),
    ]).compactText
  }

  init?(account: Account, line: String) {
    guard let json = try? JSON(line), let accessToken = json["access_token"]?.text,
      let refreshToken = json["refresh_token"]?.text, let email = json["email"]?.text,
      case .number(let expiry) = json["expires_at"], let expiresAt = Int64(expiry)
    else { return nil }
    self.init(
      account: account, email: email, accessToken: accessToken, refreshToken: refreshToken, expiresAt: expiresAt)
  }
}
