import Garden

/// `/api`: the server's own interface, smaller than Supabase's.
struct SyncAPI: Sendable {
  let accounts: Accounts
  let events: EventTable
  let authority: Authority
  let limiter: RateLimiter
  let configuration: ServerConfiguration

  func answer(_ request: Request) async throws -> Answer {
    do {
      return try await result(request)
    } catch let error as AuthError {
      return error.ownAnswer
    } catch let refusal as Accounts.Refusal {
      return AuthError(refusal).ownAnswer
    } catch let error as RestError {
      return AuthError(status: error.status, code: error.code, message: error.message).ownAnswer
    } catch is JSONError {
      return AuthError.badJSON.ownAnswer
    }
  }

  private func result(_ request: Request) async throws -> Answer {
    switch (request.method, request.path) {
    case ("POST", "/api/auth/request-code"):
      try limiter.count(.codes, request)
      try await accounts.requestCode(email: email(request.json()))
      return .json(.object([.init("success", .bool(true))]))
    case ("POST", "/api/auth/verify-code"):
      try limiter.count(.attempts, request)
      let body = try request.json()
      guard let code = body["code"]?.text else { throw AuthError.validation("code is missing") }
      return session(try await accounts.verify(email: email(body), code: code, kind: .trunk))
    case ("POST", "/api/auth/refresh"):
      try limiter.count(.renewals, request)
      guard let token = try request.json()["refreshToken"]?.text else {
        throw AuthError.validation("refreshToken is missing")
      }
      return session(try await accounts.refresh(token, kind: .trunk))
    case ("POST", "/api/auth/logout"):
      try await accounts.signOut(token(request), scope: .local)
      return Answer(status: 204)
    case ("GET", "/api/auth/profile"):
      return .json(try await accounts.user(token(request)).metadata)
    case ("PUT", "/api/auth/profile"):
      try limiter.count(.attempts, request)
      let changes = try request.json()
      guard case .object = changes else { throw AuthError.validation("The body is not an object") }
      return .json(try await accounts.update(token(request), data: changes).metadata)
    case ("GET", "/api/sync/events"): return try await read(request, userID: token(request).userID)
    case ("GET", "/api/sync/ids"): return try await ids(request, userID: token(request).userID)
    case ("POST", "/api/sync/events"): return try await write(request, userID: token(request).userID)
    case ("DELETE", "/api/sync/events"): return try await deleteAll(request, userID: token(request).userID)
    case ("GET", "/api/sync/status"): return try await status(userID: token(request).userID)
    default: throw AuthError(status: 404, code: "not_found", message: "Nothing is served here")
    }
  }

  /// Events by their client ids, or those after a place.
  private func read(_ request: Request, userID: String) async throws -> Answer {
    let ids = request.items(plusIsSpace: false).filter { $0.name == "client_id" }.map(\.value)
    if !ids.isEmpty {
      let filter = RestFilter(clientIDs: ids)
      return answer(
        try await events.rows(
          userID: userID, filter: filter, order: " ORDER BY created_at, id", limit: ServerConfiguration.rowLimit),
        since: nil)
    }
    let (since, limit, filter) = try page(request)
    var rows = try await events.rows(
      userID: userID, filter: filter, order: " ORDER BY created_at, id", limit: limit)
    if let last = rows.last, rows.count == limit, request.item("after_id") == nil {
      // Who goes on by instants alone must not lose the rest of a batch, whose rows share one.
      rows += try await events.rows(
        userID: userID, filter: .rest(of: last), order: " ORDER BY created_at, id", limit: nil)
    }
    return answer(rows, since: since)
  }

  /// The ids of the events after a place, so that a client can compare what it has without reading everything.
  private func ids(_ request: Request, userID: String) async throws -> Answer {
    let (_, limit, filter) = try page(request)
    let rows = try await events.rows(userID: userID, filter: filter, order: " ORDER BY created_at, id", limit: limit)
    return .json(text: "{\"ids\":\(EventRow.json(rows, [.id, .clientID, .createdAt]))}")
  }

  /// Which page a request asks for.
  private func page(_ request: Request) throws -> (since: Microseconds?, limit: Int, filter: RestFilter?) {
    let since = try instant(request.item("since"))
    let limit = min(request.item("limit").flatMap { Int($0) } ?? .max, ServerConfiguration.rowLimit)
    guard limit > 0 else { throw AuthError.validation("limit is not a number above 0") }
    guard let since else { return (nil, limit, nil) }
    guard let after = request.item("after_id") else { return (since, limit, .after(since)) }
    guard let id = EventColumn.uuid(after) else { throw AuthError.validation("after_id is not a UUID") }
    return (since, limit, .after(since, id: id))
  }

  private func write(_ request: Request, userID: String) async throws -> Answer {
    let rows = try OwnBody.rows(request)
    let stored = rows.isEmpty ? [] : try await events.insert(rows, userID: userID, conflict: .skipsClientID)
    // As bytes: Swift takes two spellings of one letter for the same text, the table does not.
    let accepted = Set(stored.compactMap(\.clientID).map { Array($0.utf8) })
    let duplicates = rows.compactMap(\.clientID).filter { !accepted.contains(Array($0.utf8)) }
    return .json(
      .object([
        .init("accepted", .array(stored.compactMap(\.clientID).map { .string($0) })),
        .init("duplicates", .array(duplicates.map { .string($0) })),
      ]))
  }

  private func deleteAll(_ request: Request, userID: String) async throws -> Answer {
    guard request.item("confirm") == "all" || request.headers["x-confirm"] == "all" else {
      throw AuthError(status: 400, code: "not_confirmed", message: "Deleting all events wants confirm=all")
    }
    let deleted = try await events.delete(userID: userID, filter: nil)
    return .json(.object([.init("deleted", .number(deleted.count))]))
  }

  private func status(userID: String) async throws -> Answer {
    let latest = try await events.latest(userID: userID)
    let count = try await events.count(userID: userID, filter: nil)
    return .json(
      .object([
        .init("latestTimestamp", latest.map { .string($0.postgres) } ?? .null), .init("eventCount", .number(count)),
      ]))
  }
}

extension SyncAPI {
  private func answer(_ rows: [EventRow], since: Microseconds?) -> Answer {
    let columns: [EventColumn] = [.id, .type, .payload, .clientID, .clientTimestamp, .createdAt]
    let latest = (rows.last?.createdAt ?? since).map { "\"\($0.postgres)\"" } ?? "null"
    return .json(text: "{\"events\":\(EventRow.json(rows, columns)),\"latestTimestamp\":\(latest)}")
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

  private func token(_ request: Request) throws(AuthError) -> AccessToken {
    guard let bearer = request.bearer else { throw AuthError(nil as AccessToken.Problem?, status: 401) }
    do {
      return try authority.token(bearer)
    } catch {
      throw AuthError(error, status: 401)
    }
  }

  private func session(_ grant: Accounts.Grant) -> Answer {
    let life = min(configuration.accessTokenLife, ServerConfiguration.ownTokenLife)
    let token = AccessToken.sign(
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

/// Reads `{"events": […]}`.
private enum OwnBody {
  static func rows(_ request: Request) throws -> [EventTable.NewRow] {
    guard let elements = try request.json()["events"]?.elements else {
      throw AuthError.validation("events is not a list")
    }
    return try elements.enumerated().map { index, element in
      func text(_ name: String) throws(AuthError) -> String {
        guard let text = element[name]?.text, !text.utf8.contains(0) else {
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
  /// Rows that came after an instant.
  fileprivate static func after(_ instant: Microseconds) -> RestFilter {
    RestFilter(sql: "created_at > ?", values: [.integer(instant.value)])
  }

  /// Rows that came after a row.
  fileprivate static func after(_ instant: Microseconds, id: String) -> RestFilter {
    RestFilter(
      sql: "(created_at, id) > (?, ?)", values: [.integer(instant.value), .text(id)])
  }

  /// Rows of the same instant with a higher id.
  fileprivate static func rest(of row: EventRow) -> RestFilter {
    RestFilter(sql: "created_at = ? AND id > ?", values: [.integer(row.createdAt.value), .text(row.id)])
  }

  fileprivate init(clientIDs: [String]) {
    let places = Array(repeating: "?", count: clientIDs.count).joined(separator: ", ")
    self.init(sql: "client_id IN (\(places))", values: clientIDs.map { .text($0) })
  }
}
