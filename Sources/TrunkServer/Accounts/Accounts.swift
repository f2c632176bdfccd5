import SQLiteKit
import TrunkModel

/// Sign-in codes, sessions and users. Decisions that depend on changing state are made inside transactions.
final class Accounts: Sendable {
  enum Kind: Int64, Sendable {
    /// Supabase's interface.
    case supabase
    /// The plain interface.
    case trunk
  }

  /// A session that was just opened or refreshed.
  struct Grant: Sendable {
    let user: User
    let sessionID: String
    let kind: Kind
    let refreshToken: String
  }

  enum Refusal: Error, Equatable {
    case wrongCode
    /// Too many wrong codes for the address: for this many seconds, codes are neither accepted nor sent.
    case locked(seconds: Int64)
    /// A code was just sent to the address. The next one can be sent after this many seconds.
    case tooSoon(seconds: Int64)
    case tokenNotFound
    case tokenAlreadyUsed
    case sessionExpired
    case sessionNotFound
    case userNotFound
    /// The user metadata would exceed the limit.
    case metadataTooLarge
  }

  let store: ServerStore
  let secret: [UInt8]
  let configuration: ServerConfiguration
  let hasher = TokenHasher()

  init(store: ServerStore, secret: [UInt8], configuration: ServerConfiguration) {
    self.store = store
    self.secret = secret
    self.configuration = configuration
  }

  /// Creates a code for an address and sends it if the address may sign in. Known and unknown addresses get the same
  /// response.
  /// - Parameter metadata: the initial metadata of a new account. It never changes an existing account, because the
  ///   caller hasn't proved that the address is theirs.
  func requestCode(email: String, creates: Bool = true, metadata: JSON = .object([])) async throws {
    let (now, code) = (configuration.now(), Secrets.code())
    let hash = codeHash(code, email: email)
    let limits = configuration.limitsRates
    let isKnown = try await store.commits.commit { database in
      let sent = try database.first("SELECT sent_at FROM codes WHERE email = ?", .text(email)) { $0.integer(0) }
      let next = Microseconds(sent ?? 0) + ServerConfiguration.codeInterval
      if limits, sent != nil, now < next { throw Refusal.tooSoon(seconds: max(1, next.seconds - now.seconds)) }
      try Accounts.requireUnlocked(email, now, database)
      let isKnown = try database.integer("SELECT count(*) FROM users WHERE email = ?", .text(email)) > 0
      try database.execute(
        """
        INSERT INTO codes (email, hash, sent_at, metadata) VALUES (?, ?, ?, ?) ON CONFLICT (email) DO UPDATE SET
        hash = excluded.hash, sent_at = excluded.sent_at, metadata = excluded.metadata, is_used = 0
        """, .text(email), .blob(hash), .integer(now.value), .text(isKnown ? "{}" : metadata.compactText))
      return isKnown
    }
    if isKnown || (creates && mayEnter(email)) { configuration.delivery.deliver(code: code, to: email) }
  }

  /// Exchanges a code for a session. The first valid code for an address creates its account.
  func verify(email: String, code: String, kind: Kind) async throws -> Grant {
    let now = configuration.now()
    let hash = codeHash(code, email: email)
    let token = RefreshToken(sessionID: RandomUUID.text())
    // A correct code must not count as a wrong one.
    guard let tokenHash = await hasher.hash(token.secret) else { throw ServerProblem.noHash }
    let result: Result<User, Refusal> = try await store.commits.commit { database in
      try Accounts.requireUnlocked(email, now, database)
      let metadata = try database.first(
        "SELECT hash, sent_at, metadata FROM codes WHERE email = ? AND is_used = 0", .text(email)
      ) { row -> String? in
        let isCurrent = now < Microseconds(row.integer(1)) + ServerConfiguration.codeLife
        return Secrets.areEqual(row.blob(0), hash) && isCurrent ? row.text(2) : nil
      }
      guard let metadata = metadata ?? nil else {
        // Returned rather than thrown, because a rollback would undo the count of wrong codes.
        return .failure(try Accounts.noteFailure(email, now, database))
      }
      // Keep the row: it stores when the last code was sent, which delays the next one.
      try database.execute("UPDATE codes SET is_used = 1, hash = x'' WHERE email = ?", .text(email))
      try database.execute("DELETE FROM failures WHERE email = ?", .text(email))
      let user = try Accounts.signIn(email, metadata: try JSON(metadata), now, database)
      try database.execute(
        "INSERT INTO sessions (id, user_id, kind, created_at, refreshed_at, counter) VALUES (?, ?, ?, ?, ?, 1)",
        .text(token.sessionID), .text(user.id), .integer(kind.rawValue), .integer(now.value), .integer(now.value))
      try Accounts.insert(token, hash: tokenHash, database)
      return .success(user)
    }
    return Grant(user: try result.get(), sessionID: token.sessionID, kind: kind, refreshToken: token.text)
  }

  /// Deletes expired codes, counts of wrong codes, and sessions.
  func tidy() async throws {
    let now = configuration.now()
    try await store.commits.commit { database in
      try database.execute(
        "DELETE FROM codes WHERE sent_at < ?", .integer((now + -ServerConfiguration.codeLife).value))
      try database.execute(
        "DELETE FROM failures WHERE max(first_at, coalesce(locked_until, 0)) < ?",
        .integer((now + -ServerConfiguration.lockTime).value))
      try database.execute(
        "DELETE FROM sessions WHERE refreshed_at < ?", .integer((now + -ServerConfiguration.sessionIdleLife).value))
    }
  }
}

extension Accounts {
  private func codeHash(_ code: String, email: String) -> [UInt8] {
    Secrets.hmac("code\n" + email + "\n" + code, key: secret)
  }

  private func mayEnter(_ email: String) -> Bool {
    configuration.allowed.isEmpty
      || configuration.allowed.contains { email == $0 || ($0.hasPrefix("@") && email.hasSuffix($0)) }
  }

  static func user(id: String, _ database: Database) throws -> User? {
    try database.first("SELECT \(User.columns) FROM users WHERE id = ?", .text(id)) { User($0) }
  }

  private static func requireUnlocked(_ email: String, _ now: Microseconds, _ database: Database) throws {
    let until = try database.first(
      "SELECT locked_until FROM failures WHERE email = ? AND locked_until IS NOT NULL", .text(email)
    ) { Microseconds($0.integer(0)) }
    if let until, now < until { throw Refusal.locked(seconds: max(1, until.seconds - now.seconds)) }
  }

  /// Counts a wrong code. One too many locks the address and invalidates its code.
  /// - Returns: the reason to give.
  private static func noteFailure(_ email: String, _ now: Microseconds, _ database: Database) throws -> Refusal {
    try database.execute(
      "DELETE FROM failures WHERE email = ? AND first_at <= ?", .text(email),
      .integer((now + -ServerConfiguration.lockTime).value))
    let count = try database.first(
      """
      INSERT INTO failures (email, count, first_at) VALUES (?, 1, ?)
      ON CONFLICT (email) DO UPDATE SET count = count + 1 RETURNING count
      """, .text(email), .integer(now.value)
    ) { $0.integer(0) }
    guard let count, count >= ServerConfiguration.wrongCodesAllowed else { return .wrongCode }
    try database.execute(
      "UPDATE failures SET count = 0, first_at = ?, locked_until = ? WHERE email = ?", .integer(now.value),
      .integer((now + ServerConfiguration.lockTime).value), .text(email))
    try database.execute("UPDATE codes SET is_used = 1, hash = x'' WHERE email = ?", .text(email))
    return .locked(seconds: ServerConfiguration.lockTime)
  }

  private static func signIn(
    _ email: String, metadata: JSON, _ now: Microseconds, _ database: Database
  ) throws -> User {
    if var user = try database.first(
      "SELECT \(User.columns) FROM users WHERE email = ?", .text(email), map: { User($0) })
    {
      (user.lastSignInAt, user.updatedAt) = (now, now)
      try database.execute(
        "UPDATE users SET last_sign_in_at = ?, updated_at = ? WHERE id = ?", .integer(now.value), .integer(now.value),
        .text(user.id))
      return user
    }
    let user = User(id: RandomUUID.text(), email: email, metadata: metadata, at: now)
    try database.execute(
      """
      INSERT INTO users (id, email, metadata, created_at, updated_at, last_sign_in_at) VALUES (?, ?, ?, ?, ?, ?)
      """, .text(user.id), .text(email), .text(metadata.compactText), .integer(now.value), .integer(now.value),
      .integer(now.value))
    return user
  }
}
