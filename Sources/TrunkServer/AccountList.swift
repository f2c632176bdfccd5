import Storage

/// The accounts of a folder, for those who run the server; a server may be running on it meanwhile.
public struct AccountList {
  public struct Account: Sendable {
    public let email: String
    /// `YYYY-MM-DD` in UTC.
    public let createdOn: String
    public let lastSignInOn: String
    public let events: Int
  }

  private let database: Database

  /// - Throws: what keeps it from that; its description is for people.
  public init(folder: String) throws {
    let path = folder + "/" + ServerStore.fileName
    guard PrivateFiles.exists(path) else { throw ServerProblem.noDatabase(path) }
    database = try Database(path: path, mode: .readWrite, busyTimeout: 10_000)
    try database.run("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    // Changing the tables is for the server alone.
    guard try database.schemaVersion == ServerSchema.migrations.count else { throw ServerProblem.otherVersion }
  }

  /// Ordered by their addresses.
  public func all() throws -> [Account] {
    try database.all("\(AccountList.query) GROUP BY users.id ORDER BY email", map: AccountList.account)
  }

  /// - Parameter email: in any spelling.
  public func account(_ email: String) throws -> Account? {
    try database.first(
      "\(AccountList.query) WHERE email = ? GROUP BY users.id", .text(email.lowercased()), map: AccountList.account)
  }

  /// Removes an account with everything that is its own: sessions, codes and events.
  public func delete(_ account: Account) throws {
    try database.transaction {
      // Sessions, refresh tokens and events go with it.
      try database.execute("DELETE FROM users WHERE email = ?", .text(account.email))
      try database.execute("DELETE FROM codes WHERE email = ?", .text(account.email))
      try database.execute("DELETE FROM failures WHERE email = ?", .text(account.email))
    }
  }

  private static let query = """
    SELECT email, users.created_at, last_sign_in_at, count(events.id)
    FROM users LEFT JOIN events ON events.user_id = users.id
    """

  private static func account(_ row: Row) -> Account {
    func day(_ column: Int32) -> String { String(Microseconds(row.integer(column)).postgres.prefix(10)) }
    return Account(email: row.text(0), createdOn: day(1), lastSignInOn: day(2), events: Int(row.integer(3)))
  }
}
