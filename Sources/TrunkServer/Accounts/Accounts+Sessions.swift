import SQLiteKit
import TrunkModel

/// Refreshes, looks up and ends sessions.
extension Accounts {
  /// Exchanges a refresh token for the next one.
  ///
  /// Like Supabase's auth service, it accepts a used token and returns the session's newest one in two cases: the
  /// newest is the direct successor, which the client may never have received, or the reuse window is still open.
  /// Otherwise the token counts as stolen and the session ends.
  func refresh(_ text: String, kind: Kind) async throws -> Grant {
    let now = configuration.now()
    let token = RefreshToken(text)
    let known = try await store.reader.read { database in
      try database.first(
        """
        SELECT hash, sessions.counter FROM refresh_tokens JOIN sessions ON sessions.id = session_id
        WHERE session_id = ? AND refresh_tokens.counter = ?
        """, .text(token?.sessionID ?? ""), .integer(token?.counter ?? 0)
      ) { (hash: $0.text(0), newest: $0.integer(1)) }
    }
    // Compare and hash outside of transactions, because other work waits for those.
    let isRight = await hasher.matches(token?.secret ?? "-", hash: known?.hash)
    guard let token, isRight, let known else { throw Rejection.tokenNotFound }
    let next = token.next(secret)
    // Another request may use the token before the transaction begins, but a used token stays used.
    let hash = token.counter == known.newest ? await hasher.hash(next.secret) : nil
    let outcome = try await store.commits.commit { database -> Result<Grant, Rejection> in
      try self.renew(token, next: next, hash: hash, kind: kind, now, database)
    }
    return try outcome.get()
  }

  /// Decides about a refresh token that has been verified.
  /// - Parameter hash: the hash of the next token; `nil` if the next token already exists.
  private func renew(
    _ token: RefreshToken, next: RefreshToken, hash: String?, kind: Kind, _ now: Microseconds, _ database: Database
  ) throws -> Result<Grant, Rejection> {
    try Accounts.followClock(now, database)
    let session = try database.first(
      """
      SELECT \(User.columns), sessions.counter, refreshed_at, used_at
      FROM sessions JOIN users ON users.id = user_id JOIN refresh_tokens ON session_id = sessions.id
      WHERE sessions.id = ? AND refresh_tokens.counter = ? AND kind = ?
      """, .text(token.sessionID), .integer(token.counter), .integer(kind.rawValue)
    ) { row in
      let count = User.columnCount
      return (
        user: User(row), newest: row.integer(count), refreshedAt: row.integer(count + 1),
        usedAt: row.optionalInteger(count + 2)
      )
    }
    guard let session else { return .failure(.tokenNotFound) }
    func end(_ rejection: Rejection) throws -> Result<Grant, Rejection> {
      try database.execute("DELETE FROM sessions WHERE id = ?", .text(token.sessionID))
      return .failure(rejection)
    }
    if Microseconds(session.refreshedAt) + ServerConfiguration.sessionIdleLife < now { return try end(.sessionExpired) }
    if token.counter == session.newest {
      guard let hash else { return .failure(.tokenNotFound) }
      try store(next, hash: hash, now, database)
      return .success(Grant(user: session.user, sessionID: token.sessionID, kind: kind, refreshToken: next.text))
    }
    let isRecent =
      session.usedAt.map { usedAt in
        // A time far ahead was recorded by a wrong clock: the window would be open until then.
        let usedAt = Microseconds(usedAt)
        return now < usedAt + configuration.reuseWindow && usedAt <= now + ServerConfiguration.clockTolerance
      } ?? false
    guard next.counter == session.newest || isRecent else { return try end(.tokenAlreadyUsed) }
    try database.execute(
      "UPDATE sessions SET refreshed_at = ? WHERE id = ?", .integer(now.value), .text(token.sessionID))
    var newest = next
    while newest.counter < session.newest { newest = newest.next(secret) }
    return .success(Grant(user: session.user, sessionID: token.sessionID, kind: kind, refreshToken: newest.text))
  }

  /// Stores `next` as the session's newest token.
  private func store(_ next: RefreshToken, hash: String, _ now: Microseconds, _ database: Database) throws {
    let session = SQLValue.text(next.sessionID)
    try database.execute(
      "UPDATE refresh_tokens SET used_at = ? WHERE session_id = ? AND used_at IS NULL", .integer(now.value), session)
    try database.execute(
      "UPDATE sessions SET counter = ?, refreshed_at = ? WHERE id = ?", .integer(next.counter), .integer(now.value),
      session)
    // A client with a token this old must sign in again, whether or not its row exists.
    try database.execute(
      "DELETE FROM refresh_tokens WHERE session_id = ? AND (used_at < ? OR counter <= ?)", session,
      .integer((now + -ServerConfiguration.sessionIdleLife).value),
      .integer(next.counter - ServerConfiguration.tokensPerSession))
    try Accounts.insert(next, hash: hash, database)
  }

  static func insert(_ token: RefreshToken, hash: String, _ database: Database) throws {
    try database.execute(
      "INSERT INTO refresh_tokens (session_id, counter, hash) VALUES (?, ?, ?)", .text(token.sessionID),
      .integer(token.counter), .text(hash))
  }

  /// Describes the user of a session that hasn't ended. Metadata can be large, so this counts like a query for rows.
  /// - Parameters:
  ///   - client: its name, see `ClientAddress`.
  ///   - map: runs on a reader's thread.
  /// - Throws: `Rejection`, `RestError` as `ReaderPool.read`.
  func user<Value: Sendable>(
    _ token: VerifiedToken, client: String, map: @escaping @Sendable (User) -> Value
  ) async throws -> Value {
    try await store.queries.read(Requester(account: token.userID, client: client)) { database in
      guard let user = try Accounts.user(id: token.userID, database) else { throw Rejection.userNotFound }
      try Accounts.requireSession(of: token, database)
      return map(user)
    }
  }

  /// Merges `data` into the user metadata. Large data is rejected before it occupies the writer.
  func update(_ token: VerifiedToken, data: JSON) async throws -> User {
    let now = configuration.now()
    let size = data.compactText.utf8.count
    guard size <= ServerConfiguration.metadataChangeLimit else { throw Rejection.metadataTooLarge }
    // The stored metadata is read and written too.
    let share = CommitQueue.Share(account: token.userID, bytes: size + ServerConfiguration.metadataLimit)
    return try await store.commits.commit(share) { database in
      guard var user = try Accounts.user(id: token.userID, database) else { throw Rejection.userNotFound }
      try Accounts.requireSession(of: token, database)
      let old = user.metadata.compactText.utf8.count
      user.metadata = User.merge(data, into: user.metadata)
      let new = user.metadata.compactText.utf8.count
      // Shrinking is always allowed, because the metadata may already exceed the limit.
      guard new <= max(old, ServerConfiguration.metadataLimit) else { throw Rejection.metadataTooLarge }
      user.updatedAt = now
      try database.execute(
        "UPDATE users SET metadata = ?, updated_at = ? WHERE id = ?", .text(user.metadata.compactText),
        .integer(now.value), .text(user.id))
      return user
    }
  }

  private static func requireSession(of token: VerifiedToken, _ database: Database) throws {
    guard try database.integer("SELECT count(*) FROM sessions WHERE id = ?", .text(token.sessionID)) > 0
    else { throw Rejection.sessionNotFound }
  }

  /// The sessions that a sign-out ends.
  enum Scope: String, Sendable {
    case global, local, others
  }

  /// - Throws: `sessionNotFound` if the token's session has ended: an old token can't end the user's other sessions.
  func signOut(_ token: VerifiedToken, scope: Scope) async throws {
    try await store.commits.commit { database in
      try Accounts.requireSession(of: token, database)
      let (user, session) = (SQLValue.text(token.userID), SQLValue.text(token.sessionID))
      switch scope {
      case .global: try database.execute("DELETE FROM sessions WHERE user_id = ?", user)
      case .local: try database.execute("DELETE FROM sessions WHERE id = ?", session)
      case .others: try database.execute("DELETE FROM sessions WHERE user_id = ? AND id <> ?", user, session)
      }
    }
  }
}

/// A refresh token: `<session>.<number>.<secret>`. Session and number serve only to look up the hash of the secret.
struct RefreshToken: Sendable, Equatable {
  let sessionID: String
  let counter: Int64
  let secret: String

  /// Creates the first token of a session.
  init(sessionID: String) {
    self.init(sessionID: sessionID, counter: 1, secret: Base64URL.encode(Secrets.bytes(32)))
  }

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let counter = Int64(parts[1]), parts[2].utf8.count == 43 else { return nil }
    self.init(sessionID: String(parts[0]), counter: counter, secret: String(parts[2]))
  }

  private init(sessionID: String, counter: Int64, secret: String) {
    self.sessionID = sessionID
    self.counter = counter
    self.secret = secret
  }

  var text: String { "\(sessionID).\(counter).\(secret)" }

  /// The next token, derived from this token and the server's key. It can be returned again without being stored, and
  /// can't be computed without both.
  func next(_ key: [UInt8]) -> RefreshToken {
    RefreshToken(
      sessionID: sessionID, counter: counter + 1,
      secret: Base64URL.encode(Secrets.hmac("refresh\n" + text, key: key)))
  }
}
