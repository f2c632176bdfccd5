import TrunkModel

/// A signed token (JSON Web Token, HS256) that identifies the user and session of a request.
struct VerifiedToken: Sendable, Equatable {
  let userID: String
  let sessionID: String
  /// Seconds since 1970.
  let issuedAt: Int64
  let expiresAt: Int64

  enum Problem: Error, Equatable {
    /// Not a token, not signed by this server, or altered. `parts` is the number of parts between dots.
    case invalid(parts: Int)
    /// Expired this many seconds ago, or 0 if it was issued by a clock that was ahead.
    case expired(seconds: Int64)
  }

  /// Whether the token can be used. One from the future was issued while the clock was ahead: it would be valid until
  /// the clock reaches its end, even after its session has ended. The client can renew it.
  func isValid(at now: Microseconds) -> Bool {
    now.seconds < expiresAt && issuedAt <= now.seconds + ServerConfiguration.clockTolerance
  }

  /// - Parameter secret: the server's key.
  static func sign(
    user: User, sessionID: String, issuedAt: Microseconds, life: Int64, secret: [UInt8]
  ) -> String {
    let claims = JSON.object([
      .init("iss", .string("trunk-server")),
      .init("sub", .string(user.id)),
      .init("aud", .string("authenticated")),
      .init("exp", .number(Int(issuedAt.seconds + life))),
      .init("iat", .number(Int(issuedAt.seconds))),
      .init("email", .string(user.email)),
      .init("phone", .string("")),
      .init("app_metadata", User.appMetadata),
      // Empty, because user metadata can be large and a token must fit into the headers of every request. Clients read
      // the metadata from the session and from `/user`.
      .init("user_metadata", .object([])),
      .init("role", .string("authenticated")),
      .init("aal", .string("aal1")),
      .init(
        "amr",
        .array([
          .object([.init("method", .string("otp")), .init("timestamp", .number(Int(user.lastSignInAt.seconds)))])
        ])),
      .init("session_id", .string(sessionID)),
      .init("is_anonymous", .bool(false)),
    ])
    let signed = header + "." + Base64URL.encode(claims.compactText.utf8)
    return signed + "." + Base64URL.encode(Secrets.hmac(signed, key: secret))
  }

  /// Verifies signature and expiry. Trusts only signed data, and accepts no algorithm but HS256.
  init(_ text: String, secret: [UInt8], now: Microseconds) throws(Problem) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let broken = Problem.invalid(parts: parts.count)
    guard parts.count == 3, parts[0] == VerifiedToken.header, let signature = Base64URL.decode(parts[2]),
      Secrets.areEqual(signature, Secrets.hmac(parts[0] + "." + parts[1], key: secret)),
      let claims = Base64URL.decode(parts[1]), let json = try? JSON(String(decoding: claims, as: UTF8.self)),
      let user = json["sub"]?.text, let session = json["session_id"]?.text, let expiry = json["exp"]?.double,
      let expiresAt = Int64(exactly: expiry.rounded(.down)), let issue = json["iat"]?.double,
      let issuedAt = Int64(exactly: issue.rounded(.down))
    else { throw broken }
    userID = user
    sessionID = session
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    guard isValid(at: now) else { throw .expired(seconds: max(0, now.seconds - expiresAt)) }
  }

  private static let header = Base64URL.encode(#"{"alg":"HS256","typ":"JWT"}"#.utf8)
}
