import MailKit
import TrunkModel

/// Serves `/auth/v1` like Supabase's auth service: sign-in by code, token refresh, the user and sign-out.
struct AuthAPI: Sendable {
  let accounts: Accounts
  let authority: Authority
  let budget: Budget
  let bodies: BodyReader
  let configuration: ServerConfiguration

  func answer(_ request: Request) async throws -> Response {
    do {
      return try await result(request)
    } catch let error as AuthError {
      return error.answer(to: request)
    } catch let rejection as Accounts.Rejection {
      return AuthError(rejection).answer(to: request)
    } catch is JSONError {
      return AuthError.badJSON.answer(to: request)
    } catch is RestError {
      return AuthError.timeout.answer(to: request)
    }
  }

  private func result(_ request: Request) async throws -> Response {
    switch (request.method, request.path.dropFirst("/auth/v1/".count)) {
    case ("POST", "otp"): return try await requestCode(request)
    case ("POST", "verify"): return try await verify(request)
    case ("POST", "token"): return try await refresh(request)
    case ("GET", "user"):
      try budget.count(.requests, request)
      return .json(text: try await accounts.user(token(request), client: request.peer) { $0.json.compactText })
    case ("PUT", "user"): return try await update(request)
    case ("POST", "logout"): return try await signOut(request)
    case ("GET", "health"): return .json(.object([.init("name", .string("trunk-server"))]))
    default: throw AuthError(status: 404, code: "not_found", message: "Not found")
    }
  }

  private func requestCode(_ request: Request) async throws -> Response {
    try budget.count(.codes, request)
    let body = try await bodies.json(request)
    let email = try email(body)
    let data = try AuthAPI.metadata(body)
    guard data.compactText.utf8.count <= ServerConfiguration.requestMetadataLimit else {
      throw AuthError.validation("data must not exceed \(ServerConfiguration.requestMetadataLimit) bytes")
    }
    let creates = if case .bool(false) = body["create_user"] { false } else { true }
    try await accounts.requestCode(email: email, client: request.peer, creates: creates, metadata: data)
    return .json(.object([]))
  }

  private func verify(_ request: Request) async throws -> Response {
    try budget.count(.attempts, request)
    let body = try await bodies.json(request)
    guard let type = body["type"]?.text, !type.isEmpty else {
      throw AuthError.validation("Verify requires a verification type")
    }
    guard let code = body["token"]?.text, !code.isEmpty else { throw AuthError.validation("Verify requires a token") }
    guard ["email", "magiclink", "signup"].contains(type) else { throw AuthError.validation("Unsupported type") }
    let email = try email(body, status: 422)
    return session(try await accounts.verify(email: email, code: code, kind: .supabase, client: request.peer))
  }

  private func refresh(_ request: Request) async throws -> Response {
    try budget.count(.renewals, request)
    guard request.item("grant_type") == "refresh_token" else {
      throw AuthError(status: 400, code: "unsupported_grant_type", message: "unsupported_grant_type")
    }
    guard let token = try await bodies.json(request)["refresh_token"]?.text, !token.isEmpty else {
      throw AuthError.validation("refresh_token is not set")
    }
    return session(try await accounts.refresh(token, kind: .supabase))
  }

  private func update(_ request: Request) async throws -> Response {
    try budget.count(.attempts, request)
    let token = try token(request)
    let body = try await bodies.json(request)
    if body["app_metadata"] != nil {
      throw AuthError(status: 403, code: "not_admin", message: "Updating app_metadata requires admin privileges")
    }
    if body["email"] != nil || body["password"] != nil || body["phone"] != nil {
      throw AuthError.validation("Only data can be updated", status: 422)
    }
    return .json(try await accounts.update(token, data: AuthAPI.metadata(body)).json)
  }

  private func signOut(_ request: Request) async throws -> Response {
    try budget.count(.requests, request)
    guard let scope = Accounts.Scope(rawValue: request.item("scope") ?? "global") else {
      throw AuthError.validation("Unsupported logout scope")
    }
    try await accounts.signOut(token(request), scope: scope)
    return Response(status: 204)
  }

  /// The user metadata in a body; empty if there is none.
  private static func metadata(_ body: JSON) throws(AuthError) -> JSON {
    switch body["data"] {
    case nil, .null?: .object([])
    case .object(let members)?: .object(members)
    default: throw .badJSON
    }
  }

  private func email(_ body: JSON, status: Int = 400) throws(AuthError) -> String {
    guard let email = EmailAddress.normalized(body["email"]?.text) else {
      throw .validation("Unable to validate email address: invalid format", status: status)
    }
    return email
  }

  private func token(_ request: Request) throws(AuthError) -> VerifiedToken {
    guard let bearer = request.bearer else { throw AuthError(nil as VerifiedToken.Problem?) }
    do {
      return try authority.token(bearer)
    } catch {
      throw AuthError(error)
    }
  }

  private func session(_ grant: Accounts.Grant) -> Response {
    let now = configuration.now()
    let token = VerifiedToken.sign(
      user: grant.user, sessionID: grant.sessionID, issuedAt: now, life: configuration.accessTokenLife,
      secret: authority.secret)
    return .json(
      .object([
        .init("access_token", .string(token)),
        .init("token_type", .string("bearer")),
        .init("expires_in", .number(Int(configuration.accessTokenLife))),
        .init("expires_at", .number(Int(now.seconds + configuration.accessTokenLife))),
        .init("refresh_token", .string(grant.refreshToken)),
        .init("user", grant.user.json),
      ]))
  }
}
