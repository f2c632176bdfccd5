import Foundation
import SyncEngine
import TrunkModel

/// Stores one session in a file that several processes share, like the desktop's keyring.
public struct FileVault: SessionVault {
  private let path: String

  /// - Parameter path: the path of the file, which need not exist yet.
  public init(_ path: String) { self.path = path }

  public func session(of account: Account) throws(VaultFailure) -> StoredSession? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    guard let json = try? JSON(String(decoding: data, as: UTF8.self)), let server = json["server"]?.text,
      let user = json["user"]?.text, let access = json["access"]?.text, let refresh = json["refresh"]?.text,
      let end = json["end"]?.double
    else { throw .other(detail: "not a session") }
    let session = StoredSession(
      account: Account(server: server, userID: user), email: "", accessToken: access, refreshToken: refresh,
      expiresAt: Int64(end))
    return session.account == account ? session : nil
  }

  public func store(_ session: StoredSession) throws(VaultFailure) {
    let json = JSON.object([
      .init("server", .string(session.account.server)), .init("user", .string(session.account.userID)),
      .init("access", .string(session.accessToken)), .init("refresh", .string(session.refreshToken)),
      .init("end", .number(Int(session.expiresAt))),
    ])
    do { try Data(json.compactText.utf8).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
      throw .other(detail: "not writable")
    }
  }

  public func remove(_ account: Account) throws(VaultFailure) {
    // A missing file counts as removed.
    try? FileManager.default.removeItem(atPath: path)
  }

  public func unlock() {}
}
