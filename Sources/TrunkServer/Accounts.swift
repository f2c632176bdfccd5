import Garden
import Storage
import Synchronization

/// Codes, sessions and users. Everything that counts is decided inside of transactions.
final class Accounts: Sendable {
  enum Kind: Int64, Sendable {
    /// The interface of Supabase.
    case supabase
    /// Our own.
    case trunk
  }

  /// A session that was just opened or renewed.
  struct Grant: Sendable {
    let user: User
    let sessionID: String
    let kind: Kind
    let refreshToken: String
  }

  enum Refusal: Error, Equatable {
    case wrongCode
    /// Too many wrong codes for the address.
    case locked
    /// A code was sent to the address a moment ago; another one after so many seconds.
    case tooSoon(seconds: Int64)
    case tokenNotFound
    case tokenAlreadyUsed
    case sessionExpired
    case sessionNotFound
    case userNotFound
  }

  let store: ServerStore
  private let secret: [UInt8]
  private let configuration: ServerConfiguration
  /// The newest refresh tokens of sessions that were renewed a moment ago, for those who ask twice at once.
  private let fresh = Mutex<[String: (token: RefreshToken, until: Microseconds)]>([:])

  init(store: ServerStore, secret: [UInt8], configuration: ServerConfiguration) {
    self.store = store
    self.secret = secret
    self.configuration = configuration
  }

  // MARK: Codes

  /// Makes a code for an address and sends it, if the address may sign in. Known and unknown ones are treated alike.
  func requestCode(email: String, creates: Bool = true, metadata: JSON = .object([])) async throws {
    let (now, code) = (configuration.now(), Secrets.code())
    let hash = codeHash(code, email: email)
    let limits = configuration.limitsRates
    let isKnown = try await store.commits.commit { database in
      let sent = try database.first("SELECT sent_at FROM codes WHERE email = ?", .text(email)) { $0.integer(0) }
      let next = Microseconds(sent ?? 0) + ServerConfiguration.codeInterval
      if limits, sent != nil, now < next { throw Refusal.tooSoon(seconds: max(1, next.seconds - now.seconds)) }
      if try Accounts.isLocked(email, now, database) { throw Refusal.locked }
      try database.execute(
        """
        INSERT INTO codes (email, hash, sent_at, metadata) VALUES (?, ?, ?, ?) ON CONFLICT (email) DO UPDATE SET
        hash = excluded.hash, sent_at = excluded.sent_at, metadata = excluded.metadata, is_used = 0
        """, .text(email), .blob(hash), .integer(now.value), .text(metadata.compactText))
      return try database.integer("SELECT count(*) FROM users WHERE email = ?", .text(email)) > 0
    }
    if isKnown || (creates && mayEnter(email)) { configuration.delivery.deliver(code: code, to: email) }
  }

  /// Exchanges a code for a session. The first right code of an address makes its account.
  func verify(email: String, code: String, kind: Kind) async throws -> Grant {
    let now = configuration.now()
    let hash = codeHash(code, email: email)
    let token = RefreshToken(sessionID: Secrets.uuid(), counter: 1)
    let tokenHash = Bcrypt.hash(token.secret)
    let user: User? = try await store.commits.commit { database in
      if try Accounts.isLocked(email, now, database) { throw Refusal.locked }
      let metadata = try database.first(
        "SELECT hash, sent_at, metadata FROM codes WHERE email = ? AND is_used = 0", .text(email)
      ) { row -> String? in
        let isCurrent = now < Microseconds(row.integer(1)) + ServerConfiguration.codeLife
        return Secrets.areEqual(row.blob(0), hash) && isCurrent ? row.text(2) : nil
      }
      guard let metadata = metadata ?? nil, let tokenHash else {
        try Accounts.noteFailure(email, now, database)
        return nil
      }
      // The row stays, so that the wait for the next code goes on.
      try database.execute("UPDATE codes SET is_used = 1, hash = x'' WHERE email = ?", .text(email))
      try database.execute("DELETE FROM failures WHERE email = ?", .text(email))
      let user = try Accounts.signIn(email, metadata: try JSON(metadata), now, database)
      try database.execute(
        "INSERT INTO sessions (id, user_id, kind, created_at, refreshed_at, counter) VALUES (?, ?, ?, ?, ?, 1)",
        .text(token.sessionID), .text(user.id), .integer(kind.rawValue), .integer(now.value), .integer(now.value))
      try Accounts.keep(token, hash: tokenHash, database)
      return user
    }
    guard let user else { throw Refusal.wrongCode }
    return Grant(user: user, sessionID: token.sessionID, kind: kind, refreshToken: token.text)
  }

  // MARK: Sessions

  /// Exchanges a refresh token for the next one.
  func refresh(_ text: String, kind: Kind) async throws -> Grant {
    let now = configuration.now()
    let token = RefreshToken(text)
    let known = try await store.reader.read { database in
      try database.first(
        "SELECT hash FROM refresh_tokens WHERE session_id = ? AND counter = ?", .text(token?.sessionID ?? ""),
        .integer(token?.counter ?? 0)
      ) { $0.text(0) }
    }
    // Compared outside of transactions, which others wait for.
    let isRight = Bcrypt.matches(token?.secret ?? "-", hash: known ?? Bcrypt.decoy)
    guard let token, isRight, known != nil else { throw Refusal.tokenNotFound }
    let secret = RefreshToken.randomSecret()
    guard let hash = Bcrypt.hash(secret) else { throw Refusal.tokenNotFound }
    let outcome = try await store.commits.commit { database -> Result<Grant, Refusal> in
      try self.rotate(token, to: secret, hash: hash, kind: kind, now, database)
    }
    return try outcome.get()
  }

  /// Decides about a refresh token that was found to be genuine. Ends the session if it was used before: somebody else
  /// has it then.
  private func rotate(
    _ token: RefreshToken, to secret: String, hash: String, kind: Kind, _ now: Microseconds, _ database: Database
  ) throws -> Result<Grant, Refusal> {
    let session = try database.first(
      """
      SELECT sessions.counter, refreshed_at, used_at, \(User.columns)
      FROM sessions JOIN users ON users.id = user_id JOIN refresh_tokens ON session_id = sessions.id
      WHERE sessions.id = ? AND refresh_tokens.counter = ? AND kind = ?
      """, .text(token.sessionID), .integer(token.counter), .integer(kind.rawValue)
    ) { row in
      let user = try Accounts.user(id: row.text(3), database)
      return (counter: row.integer(0), refreshedAt: row.integer(1), usedAt: row.optionalInteger(2), user: user)
    }
    guard let session, let user = session.user else { return .failure(.tokenNotFound) }
    if Microseconds(session.refreshedAt) + ServerConfiguration.sessionIdleLife < now {
      try database.execute("DELETE FROM sessions WHERE id = ?", .text(token.sessionID))
      return .failure(.sessionExpired)
    }
    if let usedAt = session.usedAt {
      guard now < Microseconds(usedAt) + configuration.reuseWindow else {
        try database.execute("DELETE FROM sessions WHERE id = ?", .text(token.sessionID))
        return .failure(.tokenAlreadyUsed)
      }
      if let active = fresh.withLock({ $0[token.sessionID] }), active.token.counter == session.counter {
        return .success(Grant(user: user, sessionID: token.sessionID, kind: kind, refreshToken: active.token.text))
      }
    }
    let next = RefreshToken(sessionID: token.sessionID, counter: session.counter + 1, secret: secret)
    try database.execute(
      "UPDATE refresh_tokens SET used_at = ? WHERE session_id = ? AND used_at IS NULL", .integer(now.value),
      .text(token.sessionID))
    try database.execute(
      "UPDATE sessions SET counter = ?, refreshed_at = ? WHERE id = ?", .integer(next.counter), .integer(now.value),
      .text(token.sessionID))
    // Those who come with a token this old end up the same with or without it.
    try database.execute(
      "DELETE FROM refresh_tokens WHERE session_id = ? AND used_at < ?", .text(token.sessionID),
      .integer((now + -ServerConfiguration.sessionIdleLife).value))
    try Accounts.keep(next, hash: hash, database)
    remember(next, now)
    return .success(Grant(user: user, sessionID: token.sessionID, kind: kind, refreshToken: next.text))
  }

  private func remember(_ token: RefreshToken, _ now: Microseconds) {
    fresh.withLock { fresh in
      if fresh.count >= 256 { fresh = fresh.filter { $0.value.until > now } }
      fresh[token.sessionID] = (token, now + configuration.reuseWindow)
    }
  }

  /// The user of a session that has not ended.
  func user(_ token: AccessToken) async throws -> User {
    try await store.reader.read { database in
      guard let user = try Accounts.user(id: token.userID, database) else { throw Refusal.userNotFound }
      guard try database.integer("SELECT count(*) FROM sessions WHERE id = ?", .text(token.sessionID)) > 0
      else { throw Refusal.sessionNotFound }
      return user
    }
  }

  /// Changes what clients keep at the account.
  func update(_ token: AccessToken, data: JSON) async throws -> User {
    let now = configuration.now()
    return try await store.commits.commit { database in
      guard var user = try Accounts.user(id: token.userID, database) else { throw Refusal.userNotFound }
      guard try database.integer("SELECT count(*) FROM sessions WHERE id = ?", .text(token.sessionID)) > 0
      else { throw Refusal.sessionNotFound }
      user.metadata = User.merge(data, into: user.metadata)
      user.updatedAt = now
      try database.execute(
        "UPDATE users SET metadata = ?, updated_at = ? WHERE id = ?", .text(user.metadata.compactText),
        .integer(now.value), .text(user.id))
      return user
    }
  }

  /// Which sessions a sign-out ends.
  enum Scope: String, Sendable {
    case global, local, others
  }

  func signOut(_ token: AccessToken, scope: Scope) async throws {
    try await store.commits.commit { database in
      let (user, session) = (SQLValue.text(token.userID), SQLValue.text(token.sessionID))
      switch scope {
      case .global: try database.execute("DELETE FROM sessions WHERE user_id = ?", user)
      case .local: try database.execute("DELETE FROM sessions WHERE id = ?", session)
      case .others: try database.execute("DELETE FROM sessions WHERE user_id = ? AND id <> ?", user, session)
      }
    }
  }

  /// Removes what time has made useless.
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

  private static func user(id: String, _ database: Database) throws -> User? {
    try database.first("SELECT \(User.columns) FROM users WHERE id = ?", .text(id)) { User($0) }
  }

  private static func isLocked(_ email: String, _ now: Microseconds, _ database: Database) throws -> Bool {
    let until = try database.first(
      "SELECT locked_until FROM failures WHERE email = ? AND locked_until IS NOT NULL", .text(email)
    ) { $0.integer(0) }
    return until.map { now < Microseconds($0) } ?? false
  }

  /// Counts a wrong code; after too many the address is locked and its code is void.
  private static func noteFailure(_ email: String, _ now: Microseconds, _ database: Database) throws {
    try database.execute(
      "DELETE FROM failures WHERE email = ? AND first_at <= ?", .text(email),
      .integer((now + -ServerConfiguration.lockTime).value))
    let count = try database.first(
      """
      INSERT INTO failures (email, count, first_at) VALUES (?, 1, ?)
      ON CONFLICT (email) DO UPDATE SET count = count + 1 RETURNING count
      """, .text(email), .integer(now.value)
    ) { $0.integer(0) }
    guard let count, count >= ServerConfiguration.wrongCodesAllowed else { return }
    try database.execute(
      "UPDATE failures SET count = 0, first_at = ?, locked_until = ? WHERE email = ?", .integer(now.value),
      .integer((now + ServerConfiguration.lockTime).value), .text(email))
    try database.execute("UPDATE codes SET is_used = 1, hash = x'' WHERE email = ?", .text(email))
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
    let user = User(id: Secrets.uuid(), email: email, metadata: metadata, at: now)
    try database.execute(
      """
      INSERT INTO users (id, email, metadata, created_at, updated_at, last_sign_in_at) VALUES (?, ?, ?, ?, ?, ?)
      """, .text(user.id), .text(email), .text(metadata.compactText), .integer(now.value), .integer(now.value),
      .integer(now.value))
    return user
  }

  private static func keep(_ token: RefreshToken, hash: String, _ database: Database) throws {
    try database.execute(
      "INSERT INTO refresh_tokens (session_id, counter, hash) VALUES (?, ?, ?)", .text(token.sessionID),
      .integer(token.counter), .text(hash))
  }
}

/// What renews a session: `<session>.<number>.<secret>`. Session and number only serve to find the hash of the secret.
struct RefreshToken: Sendable, Equatable {
  let sessionID: String
  let counter: Int64
  let secret: String

  init(sessionID: String, counter: Int64, secret: String = randomSecret()) {
    self.sessionID = sessionID
    self.counter = counter
    self.secret = secret
  }

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let counter = Int64(parts[1]), parts[2].utf8.count == 43 else { return nil }
    self.init(sessionID: String(parts[0]), counter: counter, secret: String(parts[2]))
  }

  var text: String { "\(sessionID).\(counter).\(secret)" }

  static func randomSecret() -> String { Base64URL.encode(Secrets.bytes(32)) }
}
