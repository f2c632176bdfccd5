import MailKit
import SQLiteKit

/// Lists and deletes a folder's accounts for administrators, even while a server is using the folder.
public struct AccountList {
  public struct Account: Sendable {
    public let email: String
    /// `YYYY-MM-DD` in UTC.
    public let createdOn: String
    public let lastSignInOn: String
    public let events: Int
    /// The size of its events, as the quota counts them.
    public let bytes: Int
  }

  private let database: Database

  /// - Throws: an error whose description can be shown to users.
  public init(folder: String) throws {
    let path = folder + "/" + ServerStore.fileName
    guard PrivateFiles.exists(path) else { throw ServerProblem.noDatabase(path) }
    database = try Database(path: path, mode: .readWrite, busyTimeout: 10_000)
    try database.run("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    // Only the server may migrate the tables.
    guard try database.schemaVersion == ServerSchema.migrations.count else { throw ServerProblem.otherVersion }
  }

  /// All accounts, sorted by address.
  public func all() throws -> [Account] {
    try database.all("\(AccountList.query) ORDER BY email", map: AccountList.account)
  }

  /// - Parameter email: in any spelling.
  public func account(_ email: String) throws -> Account? {
    try database.first(
      "\(AccountList.query) WHERE email = ?", .text(EmailAddress.comparable(email)), map: AccountList.account)
  }

  /// Deletes an account with its sessions, codes and events. Short transactions let the server write in between. If it
  /// is interrupted, the account remains with a part of its events.
  public func delete(_ account: Account) throws {
    var (seqs, bytes): ([Int64], [Int]) = ([], [])
    let id = try database.first("SELECT id FROM users WHERE email = ?", .text(account.email)) { $0.text(0) }
    guard let id else { return }
    try database.rows("SELECT seq, bytes FROM events WHERE user_id = ?", [.text(id)]) { row in
      seqs.append(row.integer(0))
      bytes.append(Int(row.integer(1)))
      return true
    }
    for part in EventTable.deletionParts(bytes) {
      try database.transaction {
        _ = try EventTable.delete(Array(seqs[part]), id, returning: false, database)
      }
    }
    try database.transaction {
      // Foreign keys delete sessions, refresh tokens and events with the user.
      try database.execute("DELETE FROM users WHERE email = ?", .text(account.email))
      try database.execute("DELETE FROM codes WHERE email = ?", .text(account.email))
      try database.execute("DELETE FROM code_requests WHERE email = ?", .text(account.email))
      try database.execute("DELETE FROM failures WHERE email = ?", .text(account.email))
    }
  }

  private static let query = """
    SELECT email, users.created_at, last_sign_in_at, coalesce(row_count, 0), coalesce(bytes, 0)
    FROM users LEFT JOIN usage ON usage.user_id = users.id
    """

  private static func account(_ row: Row) -> Account {
    func day(_ column: Int32) -> String { String(Microseconds(row.integer(column)).postgres.prefix(10)) }
    return Account(
      email: row.text(0), createdOn: day(1), lastSignInOn: day(2), events: Int(row.integer(3)),
      bytes: Int(row.integer(4)))
  }
}
