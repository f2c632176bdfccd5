import Garden
import Sync

extension StoredSession {
  /// All but the account, which the item's attributes say. One line, because there are tools for keyrings that take
  /// what follows for other fields.
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
