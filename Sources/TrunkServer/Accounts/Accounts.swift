import MailKit
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

  enum Rejection: Error, Equatable {
    case wrongCode
    /// Too many wrong codes for the address: for this many seconds, codes are neither accepted from the client nor sent
    /// for it.
    case locked(seconds: Int64)
    /// The client has just asked for a code for the address. The next one can be sent after this many seconds.
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
  private let budget: Budget

  init(store: ServerStore, budget: Budget, secret: [UInt8], configuration: ServerConfiguration) {
    self.store = store
    self.budget = budget
    self.secret = secret
    self.configuration = configuration
  }

  /// Sends a code to an address if it has an account or may create one. Known and unknown addresses get the same
  /// response.
  ///
  /// A request doesn't invalidate the code that another client asked for: a valid code stays valid, and is sent again
  /// while it is new. If the address has received many mails, it gets no more, but one of the codes in them is still
  /// valid.
  /// - Parameters:
  ///   - client: its name, see `ClientAddress`.
  ///   - metadata: the initial metadata of an account that this client creates with the code. It never changes an
  ///     existing account, because the caller hasn't proved that the address is theirs.
  func requestCode(
    email: String, client: String, creates: Bool = true, metadata: JSON = .object([])
  ) async throws {
    let start = ContinuousClock.now
    let now = configuration.now()
    let (newSeed, mayCreate) = (Secrets.bytes(16), creates && isAllowed(email))
    let limits = configuration.limitsRates
    let seed = try await store.commits.commit { database -> [UInt8]? in
      try Accounts.removeFuture(now, database, of: email)
      if limits { try Accounts.requirePause(email, client, now, database) }
      try Accounts.requireUnlocked(email, client, now, database)
      let isKnown = try database.integer("SELECT count(*) FROM users WHERE email = ?", .text(email)) > 0
      let expired = (now + -ServerConfiguration.codeLife).value
      let newest = try database.first(
        "SELECT seed, created_at, metadata FROM codes WHERE email = ? AND created_at > ? ORDER BY id DESC LIMIT 1",
        .text(email), .integer(expired)
      ) { (seed: $0.blob(0), createdAt: Microseconds($0.integer(1)), metadata: $0.text(2)) }
      let mails = try database.integer(
        "SELECT count(*) FROM code_requests WHERE email = ? AND is_mailed AND requested_at > ?", .text(email),
        .integer(expired))
      let isMailed =
        (isKnown || mayCreate) && (!limits || newest == nil || mails < ServerConfiguration.mailsPerAddress)
      try database.execute(
        "INSERT INTO code_requests (email, client, requested_at, is_mailed) VALUES (?, ?, ?, ?)", .text(email),
        .text(client), .integer(now.value), .integer(isMailed ? 1 : 0))
      guard isMailed else { return nil }
      let metadata = SQLValue.text(
        isKnown ? "{}" : try Accounts.metadataByClient(newest?.metadata, adding: metadata, of: client).compactText)
      if let newest, now < newest.createdAt + ServerConfiguration.codeLife / 2 {
        try database.execute("UPDATE codes SET metadata = ? WHERE email = ?", metadata, .text(email))
        return newest.seed
      }
      try database.execute(
        "INSERT INTO codes (email, seed, created_at, metadata) VALUES (?, ?, ?, ?)", .text(email), .blob(newSeed),
        .integer(now.value), metadata)
      return newSeed
    }
    if let seed { configuration.delivery.deliver(code: code(seed, email: email), to: email) }
    await Accounts.pad(since: start)
  }

  /// Waits until a whole number of steps has passed, so that the time of an answer doesn't tell whether an address has
  /// an account.
  private static func pad(since start: ContinuousClock.Instant) async {
    let steps = (ContinuousClock.now - start) / answerStep
    // A cancelled request has no answer whose time could be measured.
    try? await Task.sleep(until: start + answerStep * Int(steps + 1), tolerance: .zero)
  }

  /// Longer than storing a code usually takes.
  private static let answerStep = Duration.milliseconds(50)

  /// Returns the metadata that each client sent with its requests for one code, as an object with one member for each
  /// client. They are kept apart so that an account gets only the metadata of the client that creates it.
  /// - Parameter text: the object so far; `nil` for none.
  private static func metadataByClient(_ text: String?, adding metadata: JSON, of client: String) throws -> JSON {
    var members = try text.map { try JSON($0) }?.members ?? []
    members.removeAll { $0.name.decoded == client }
    // Bounds the object: it is rare that more clients ask for the same code.
    return .object(members.suffix(7) + [.init(client, metadata)])
  }

  /// Exchanges a code for a session. The first valid code for an address creates its account.
  ///
  /// If the client has created too many accounts, the code stays valid.
  /// - Parameter client: its name, see `ClientAddress`.
  func verify(email: String, code: String, kind: Kind, client: String) async throws -> Grant {
    let now = configuration.now()
    let token = RefreshToken(sessionID: RandomUUID.text())
    // A correct code must not count as a wrong one.
    guard let tokenHash = await hasher.hash(token.secret) else { throw ServerProblem.noHash }
    let result: Result<User, Rejection> = try await store.commits.commit { database in
      try Accounts.removeFuture(now, database, of: email)
      try Accounts.requireUnlocked(email, client, now, database)
      let valid = try database.all(
        "SELECT seed, metadata FROM codes WHERE email = ? AND created_at > ?", .text(email),
        .integer((now + -ServerConfiguration.codeLife).value)
      ) { (code: self.code($0.blob(0), email: email), metadata: $0.text(1)) }
      guard let metadata = valid.first(where: { Secrets.areEqual($0.code.utf8, code.utf8) })?.metadata else {
        // Returned rather than thrown, because a rollback would undo the count of wrong codes.
        return .failure(try Accounts.noteFailure(email, client, now, database))
      }
      if try database.integer("SELECT count(*) FROM users WHERE email = ?", .text(email)) == 0 {
        // Many accounts can take more space than the quota of one.
        guard self.budget.take(of: .accounts, by: [.client(client)]) else { throw AuthError.tooManyRequests }
      }
      try database.execute("DELETE FROM codes WHERE email = ?", .text(email))
      try database.execute("DELETE FROM failures WHERE email = ?", .text(email))
      let user = try Accounts.signIn(email, metadata: try JSON(metadata)[client] ?? .object([]), now, database)
      try database.execute(
        "INSERT INTO sessions (id, user_id, kind, created_at, refreshed_at, counter) VALUES (?, ?, ?, ?, ?, 1)",
        .text(token.sessionID), .text(user.id), .integer(kind.rawValue), .integer(now.value), .integer(now.value))
      try Accounts.insert(token, hash: tokenHash, database)
      return .success(user)
    }
    let user = try result.get()
    if user.createdAt == now { ServerLog.log.info("an account was created") }
    return Grant(user: user, sessionID: token.sessionID, kind: kind, refreshToken: token.text)
  }

  /// Gives accounts of earlier versions the present spelling of their addresses, so that their owners still find them.
  func respellAddresses() async throws {
    try await store.commits.commit { database in
      let others = try database.all(
        "SELECT id, email FROM users WHERE email GLOB '*[^ -~]*'", map: { (id: $0.text(0), email: $0.text(1)) })
      for (id, email) in others {
        let present = EmailAddress.comparable(email)
        // If another account has this spelling already, both stay.
        try database.execute("UPDATE OR IGNORE users SET email = ? WHERE id = ?", .text(present), .text(id))
      }
    }
  }

  /// Deletes expired codes, requests for them, counts of wrong codes, and sessions.
  func removeExpired() async throws {
    let now = configuration.now()
    try await store.commits.commit { database in
      try Accounts.removeFuture(now, database)
      try Accounts.followClock(now, database)
      try database.execute(
        "DELETE FROM codes WHERE created_at < ?", .integer((now + -ServerConfiguration.codeLife).value))
      try database.execute(
        "DELETE FROM code_requests WHERE requested_at < ?", .integer((now + -ServerConfiguration.codeLife).value))
      try database.execute(
        "DELETE FROM failures WHERE max(first_at, coalesce(locked_until, 0)) < ?",
        .integer((now + -ServerConfiguration.addressLockTime).value))
      try database.execute(
        "DELETE FROM sessions WHERE refreshed_at < ?", .integer((now + -ServerConfiguration.sessionIdleLife).value))
    }
  }
}

extension Accounts {
  /// The code that belongs to a seed. Only the seed is stored: without the secret, it reveals nothing about the code.
  private func code(_ seed: [UInt8], email: String) -> String {
    Secrets.code(Secrets.hmac("code\n" + email + "\n" + Base64URL.encode(seed), key: secret))
  }

  /// Whether this address may create an account, see `--allow`.
  private func isAllowed(_ email: String) -> Bool {
    configuration.allowed.isEmpty
      || configuration.allowed.contains { allowed in
        let allowed = EmailAddress.comparable(allowed)
        return email == allowed || allowed.hasPrefix("@") && email.hasSuffix(allowed)
      }
  }

  /// Deletes what was recorded while the clock was ahead. Until the clock reached those times again, codes would stay
  /// valid, and requests for others would be rejected.
  /// - Parameter email: `nil` for all addresses.
  private static func removeFuture(_ now: Microseconds, _ database: Database, of email: String? = nil) throws {
    let latest = SQLValue.integer((now + ServerConfiguration.clockTolerance).value)
    for (table, time) in [("codes", "created_at"), ("code_requests", "requested_at"), ("failures", "first_at")] {
      if let email {
        try database.execute("DELETE FROM \(table) WHERE email = ? AND \(time) > ?", .text(email), latest)
      } else {
        try database.execute("DELETE FROM \(table) WHERE \(time) > ?", latest)
      }
    }
  }

  static func user(id: String, _ database: Database) throws -> User? {
    try database.first("SELECT \(User.columns) FROM users WHERE id = ?", .text(id)) { User($0) }
  }

  /// - Throws: `Rejection.tooSoon` if the client has just asked for a code for the address.
  private static func requirePause(
    _ email: String, _ client: String, _ now: Microseconds, _ database: Database
  ) throws {
    let last = try database.first(
      "SELECT requested_at FROM code_requests WHERE email = ? AND client = ? ORDER BY id DESC LIMIT 1", .text(email),
      .text(client)
    ) { Microseconds($0.integer(0)) }
    guard let next = last.map({ $0 + ServerConfiguration.codeInterval }), now < next else { return }
    throw Rejection.tooSoon(seconds: max(1, next.seconds - now.seconds))
  }

  private static func requireUnlocked(
    _ email: String, _ client: String, _ now: Microseconds, _ database: Database
  ) throws {
    let until = try database.integer(
      "SELECT max(locked_until) FROM failures WHERE email = ? AND client IN ('', ?)", .text(email), .text(client))
    if now.value < until { throw Rejection.locked(seconds: max(1, Microseconds(until).seconds - now.seconds)) }
  }

  /// Counts a wrong code for its client and for the address. One too many locks the address for the client, or for all.
  /// Codes stay valid: otherwise, any client could take the owner's code.
  /// - Returns: the reason to give.
  private static func noteFailure(
    _ email: String, _ client: String, _ now: Microseconds, _ database: Database
  ) throws -> Rejection {
    let counts = [
      (client, ServerConfiguration.wrongCodesAllowed, ServerConfiguration.lockTime),
      ("", ServerConfiguration.wrongCodesOfAddress, ServerConfiguration.addressLockTime),
    ]
    var locked: Int64 = 0
    for (client, allowed, time) in counts {
      let key = [SQLValue.text(email), .text(client)]
      try database.execute(
        "DELETE FROM failures WHERE email = ? AND client = ? AND first_at <= ?", key[0], key[1],
        .integer((now + -time).value))
      let count = try database.first(
        """
        INSERT INTO failures (email, client, count, first_at) VALUES (?, ?, 1, ?)
        ON CONFLICT (email, client) DO UPDATE SET count = count + 1 RETURNING count
        """, key[0], key[1], .integer(now.value)
      ) { $0.integer(0) }
      guard let count, count >= allowed else { continue }
      try database.execute(
        "UPDATE failures SET count = 0, first_at = ?, locked_until = ? WHERE email = ? AND client = ?",
        .integer(now.value), .integer((now + time).value), key[0], key[1])
      locked = max(locked, time)
    }
    return locked > 0 ? .locked(seconds: locked) : .wrongCode
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
