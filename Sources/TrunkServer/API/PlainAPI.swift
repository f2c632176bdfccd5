import TrunkModel

/// Serves `/api`, the plain interface, which is smaller than Supabase's.
struct PlainAPI: Sendable {
  let accounts: Accounts
  let events: EventTable
  let authority: Authority
  let limiter: RateLimiter
  let bodies: BodyReader
  let configuration: ServerConfiguration

  func answer(_ request: Request) async throws -> Response {
    do {
      return try await result(request)
    } catch let error as AuthError {
      return error.plainResponse
    } catch let refusal as Accounts.Refusal {
      return AuthError(refusal).plainResponse
    } catch let error as RestError {
      return PlainAPI.answer(to: error)
    } catch is JSONError {
      return AuthError.badJSON.plainResponse
    }
  }

  static func answer(to error: RestError) -> Response {
    let status = error == .diskFull ? 507 : error.status
    return AuthError(status: status, code: error.code, message: error.message).plainResponse
  }

  private func result(_ request: Request) async throws -> Response {
    switch (request.method, request.path) {
    case ("POST", "/api/auth/request-code"):
      try limiter.count(.codes, request)
      try await accounts.requestCode(email: email(bodies.json(request)), client: request.peer)
      return .json(.object([.init("success", .bool(true))]))
    case ("POST", "/api/auth/verify-code"):
      try limiter.count(.attempts, request)
      let body = try await bodies.json(request)
      guard let code = body["code"]?.text else { throw AuthError.validation("code is missing") }
      return session(
        try await accounts.verify(email: email(body), code: code, kind: .trunk, client: request.peer))
    case ("POST", "/api/auth/refresh"):
      try limiter.count(.renewals, request)
      guard let token = try await bodies.json(request)["refreshToken"]?.text else {
        throw AuthError.validation("refreshToken is missing")
      }
      return session(try await accounts.refresh(token, kind: .trunk))
    case ("POST", "/api/auth/logout"):
      try limiter.count(.data, request)
      try await accounts.signOut(token(request), scope: .local)
      return Response(status: 204)
    case ("GET", "/api/auth/profile"):
      try limiter.count(.data, request)
      return .json(text: try await accounts.user(token(request), client: request.peer) { $0.metadata.compactText })
    case ("PUT", "/api/auth/profile"):
      try limiter.count(.attempts, request)
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

  /// Returns events by client id, or the events after a position.
  private func read(_ request: Request, _ requester: Requester) async throws -> Response {
    let ids = request.items(plusIsSpace: false).filter { $0.name == "client_id" }.map(\.value)
    if !ids.isEmpty {
      guard ids.count <= RestQuery.valueLimit else { throw RestError.tooComplex("ids", limit: RestQuery.valueLimit) }
      let (page, first) = try await page(requester, .clientIDs(ids), limit: ServerConfiguration.rowLimit)
      return answer(page, first, since: nil)
    }
    let (since, limit, filter) = try place(request)
    var (page, first) = try await page(requester, filter, limit: limit)
    if let last = page.keys.last, page.keys.count == limit, request.item("after_id") == nil {
      // Earlier versions gave all rows of a batch the same instant. A client that continues from this instant must not
      // miss the other rows of the batch.
      let rest = try await self.page(requester, .rest(of: last), limit: nil).page
      if !rest.keys.isEmpty {
        page = EventTable.Page(requester: requester, keys: page.keys + rest.keys, hasPayloads: true)
        first = try await events.rows(of: page, part: 0) { $0.json(PlainAPI.columns) }
      }
    }
    return answer(page, first, since: since)
  }

  private func page(
    _ requester: Requester, _ filter: RestFilter?, limit: Int?, columns: [EventColumn] = PlainAPI.columns
  ) async throws -> (page: EventTable.Page, first: [String]) {
    try await events.page(
      requester, filter: filter, order: " ORDER BY created_at, id", limit: limit,
      hasPayloads: columns.contains(.payload)
    ) { $0.json(columns) }
  }

  /// Returns the ids of the events after a position, so that a client can compare its log without reading everything.
  private func ids(_ request: Request, _ requester: Requester) async throws -> Response {
    let (_, limit, filter) = try place(request)
    let columns: [EventColumn] = [.id, .clientID, .createdAt]
    let (page, first) = try await page(requester, filter, limit: limit, columns: columns)
    let frame = ResponseRows.Frame(open: "{\"ids\":[", separator: ",\n ", close: "]}")
    return ResponseRows(frame: frame, first: first, count: page.parts.count) { [events] part in
      try await events.rows(of: page, part: part) { $0.json(columns) }
    }.answer(status: 200)
  }

  /// The page that a request asks for.
  private func place(_ request: Request) throws -> (since: Microseconds?, limit: Int, filter: RestFilter?) {
    let since = try instant(request.item("since")).map(events.cursor)
    let limit = min(request.item("limit").flatMap { Int($0) } ?? .max, ServerConfiguration.rowLimit)
    guard limit > 0 else { throw AuthError.validation("limit is not a number above 0") }
    guard let since else { return (nil, limit, nil) }
    guard let after = request.item("after_id") else { return (since, limit, .after(since)) }
    guard let id = EventColumn.uuid(after) else { throw AuthError.validation("after_id is not a UUID") }
    return (since, limit, .after(since, id: id))
  }

  private func write(_ request: Request, userID: String) async throws -> Response {
    let rows = try await bodies.read(request) { try PlainBody.rows($0) }
    let stored = rows.isEmpty ? [] : try await events.insert(rows, userID: userID, conflict: .skipsClientID)
    // Compare bytes: Swift considers two spellings of one letter equal, the table doesn't.
    let accepted = Set(stored.compactMap(\.clientID).map { Array($0.utf8) })
    let duplicates = rows.compactMap(\.clientID).filter { !accepted.contains(Array($0.utf8)) }
    return .json(
      .object([
        .init("accepted", .array(stored.compactMap(\.clientID).map { .string($0) })),
        .init("duplicates", .array(duplicates.map { .string($0) })),
      ]))
  }

  private func deleteAll(_ request: Request, _ requester: Requester) async throws -> Response {
    guard request.item("confirm") == "all" || request.headers["x-confirm"] == "all" else {
      throw AuthError(status: 400, code: "not_confirmed", message: "Deleting all events requires confirm=all")
    }
    let deleted = try await events.delete(requester, filter: nil)
    return .json(.object([.init("deleted", .number(deleted.count))]))
  }

  private func status(_ requester: Requester) async throws -> Response {
    let latest = try await events.latest(requester)
    let count = try await events.count(requester, filter: nil)
    return .json(
      .object([
        .init("latestTimestamp", latest.map { .string($0.postgres) } ?? .null), .init("eventCount", .number(count)),
      ]))
  }
}

extension PlainAPI {
  private static let columns: [EventColumn] = [.id, .type, .payload, .clientID, .clientTimestamp, .createdAt]

  private func answer(_ page: EventTable.Page, _ first: [String], since: Microseconds?) -> Response {
    let latest = (page.keys.last?.createdAt ?? since).map { "\"\($0.postgres)\"" } ?? "null"
    let frame = ResponseRows.Frame(
      open: "{\"events\":[", separator: ",\n ", close: "],\"latestTimestamp\":\(latest)}")
    return ResponseRows(frame: frame, first: first, count: page.parts.count) { [events] part in
      try await events.rows(of: page, part: part) { $0.json(PlainAPI.columns) }
    }.answer(status: 200)
  }

  private func instant(_ text: String?) throws(AuthError) -> Microseconds? {
    guard let text, !text.isEmpty else { return nil }
    guard let instant = Microseconds(text) else { throw .validation("since is not an instant") }
    return instant
  }

  private func email(_ body: JSON) throws(AuthError) -> String {
    guard let email = EmailAddress.normalized((body["email"]?.text?.trimmed).map(String.init)) else {
      throw .validation("email is not an address")
    }
    return email
  }

  private func requester(_ request: Request) throws(AuthError) -> Requester {
    Requester(account: try owner(request), client: request.peer, side: request.side)
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

/// Parses `{"events": […]}`.
private enum PlainBody {
  static func rows(_ body: [UInt8]) throws -> [EventTable.NewRow] {
    guard let elements = try StrictJSON.value(body)["events"]?.elements else {
      throw AuthError.validation("events is not a list")
    }
    return try elements.enumerated().map { index, element in
      func text(_ name: String) throws(AuthError) -> String {
        guard let text = element[name]?.text else {
          throw .validation("events[\(index)].\(name) is not a text")
        }
        return text
      }
      guard let payload = element["payload"], case .object = payload else {
        throw AuthError.validation("events[\(index)].payload is not an object")
      }
      var row = EventTable.NewRow()
      row.type = try text("type")
      row.payload = payload.compactText
      row.clientID = try text("client_id")
      if element["client_timestamp"] != nil { row.clientTimestamp = try text("client_timestamp") }
      return row
    }
  }
}

extension RestFilter {
  /// Matches rows stored after an instant.
  fileprivate static func after(_ instant: Microseconds) -> RestFilter {
    RestFilter(sql: "created_at > ?", values: [.integer(instant.value)])
  }

  /// Matches rows after a row, in the order of `created_at` and `id`.
  fileprivate static func after(_ instant: Microseconds, id: String) -> RestFilter {
    RestFilter(
      sql: "(created_at, id) > (?, ?)", values: [.integer(instant.value), .text(id)])
  }

  /// Matches rows with the same instant and a higher id.
  fileprivate static func rest(of row: EventTable.Key) -> RestFilter {
    RestFilter(sql: "created_at = ? AND id > ?", values: [.integer(row.createdAt.value), .text(row.id)])
  }
}
