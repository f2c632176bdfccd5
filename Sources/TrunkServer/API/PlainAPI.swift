import MailKit
import TrunkModel

/// Serves `/api`, the plain interface, which is smaller than Supabase's.
struct PlainAPI: Sendable {
  let accounts: Accounts
  let events: EventTable
  let authority: Authority
  let budget: Budget
  let bodies: BodyReader
  let configuration: ServerConfiguration

  func answer(_ request: Request) async throws -> Response {
    do {
      return try await result(request)
    } catch let error as AuthError {
      return error.plainResponse
    } catch let rejection as Accounts.Rejection {
      return AuthError(rejection).plainResponse
    } catch let error as RestError {
      return PlainAPI.answer(to: error)
    } catch is JSONError {
      return AuthError.badJSON.plainResponse
    }
  }

  static func answer(to error: RestError) -> Response {
    let status = error == .diskFull ? 507 : error.status
    var response = AuthError(status: status, code: error.code, message: error.message).plainResponse
    response.rejection = error.rejection
    return response
  }

  private func result(_ request: Request) async throws -> Response {
    switch (request.method, request.path) {
    case ("POST", "/api/auth/request-code"):
      try budget.count(.codes, request)
      try await accounts.requestCode(email: email(bodies.json(request)), client: request.peer)
      return .json(.object([.init("success", .bool(true))]))
    case ("POST", "/api/auth/verify-code"):
      try budget.count(.attempts, request)
      let body = try await bodies.json(request)
      guard let code = body["code"]?.text else { throw AuthError.validation("code is missing") }
      return session(
        try await accounts.verify(email: email(body), code: code, kind: .trunk, client: request.peer))
    case ("POST", "/api/auth/refresh"):
      try budget.count(.renewals, request)
      guard let token = try await bodies.json(request)["refreshToken"]?.text else {
        throw AuthError.validation("refreshToken is missing")
      }
      return session(try await accounts.refresh(token, kind: .trunk))
    case ("POST", "/api/auth/logout"):
      try budget.count(.requests, request)
      try await accounts.signOut(token(request), scope: .local)
      return Response(status: 204)
    case ("GET", "/api/auth/profile"):
      try budget.count(.requests, request)
      return .json(text: try await accounts.user(token(request), client: request.peer) { $0.metadata.compactText })
    case ("PUT", "/api/auth/profile"):
      try budget.count(.attempts, request)
      let changes = try await bodies.json(request)
      guard case .object = changes else { throw AuthError.validation("The body is not an object") }
      return .json(try await accounts.update(token(request), data: changes).metadata)
    case ("GET", "/api/sync/events"): return try await read(request, requester(request))
    case ("GET", "/api/sync/ids"): return try await ids(request, requester(request))
    case ("POST", "/api/sync/events"): return try await write(request, userID: owner(request))
    case ("DELETE", "/api/sync/events"): return try await deleteAll(request, requester(request))
    case ("GET", "/api/sync/status"): return try await status(requester(request))
    default: throw AuthError(status: 404, code: "not_found", message: "Not found")
    }
  }
}

extension PlainAPI {
  private func email(_ body: JSON) throws(AuthError) -> String {
    guard let email = EmailAddress.normalized(body["email"]?.text) else {
      throw .validation("email is not an address")
    }
    return email
  }

  private func requester(_ request: Request) throws(AuthError) -> Requester {
    Requester(account: try owner(request), client: request.peer)
  }

  /// The id of the account whose events a request is about.
  private func owner(_ request: Request) throws(AuthError) -> String {
    try token(request, leeway: Authority.dataLeeway).userID
  }

  private func token(_ request: Request, leeway: Int64 = 0) throws(AuthError) -> VerifiedToken {
    guard let bearer = request.bearer else { throw AuthError(nil as VerifiedToken.Problem?, status: 401) }
    do {
      return try authority.token(bearer, leeway: leeway)
    } catch {
      throw AuthError(error, status: 401)
    }
  }

  private func session(_ grant: Accounts.Grant) -> Response {
    let life = min(configuration.accessTokenLife, ServerConfiguration.plainTokenLife)
    let token = VerifiedToken.sign(
      user: grant.user, sessionID: grant.sessionID, issuedAt: configuration.now(), life: life, secret: authority.secret)
    return .json(
      .object([
        .init("accessToken", .string(token)),
        .init("refreshToken", .string(grant.refreshToken)),
        .init("expiresIn", .number(Int(life))),
        .init(
          "user",
          .object([
            .init("id", .string(grant.user.id)), .init("email", .string(grant.user.email)),
            .init("createdAt", .string(grant.user.createdAt.rfc3339)), .init("profile", grant.user.metadata),
          ])),
      ]))
  }
}
