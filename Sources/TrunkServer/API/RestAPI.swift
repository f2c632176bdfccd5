import TrunkModel

/// `/rest/v1/events`: the subset of PostgREST that clients of the table use.
struct RestAPI: Sendable {
  let events: EventTable
  let authority: Authority
  let bodies: BodyReader

  func answer(_ request: Request) async throws -> Response {
    do {
      return try await result(request)
    } catch let error as RestError {
      return error.response
    }
  }

  private func result(_ request: Request) async throws -> Response {
    let table = request.path.dropFirst("/rest/v1/".count)
    let token = try token(request)
    if table.hasPrefix("rpc/") { throw RestError.unsupportedFunction(table.dropFirst("rpc/".count)) }
    guard table == "events" else {
      throw RestError(
        status: 404, code: "PGRST205", message: "Could not find the table 'public.\(table)' in the schema cache")
    }
    guard let token else { throw RestError.denied(isAnonymous: true) }
    try checkSchema(request)
    let requester = Requester(account: token.userID, client: request.peer)
    switch request.method {
    case "GET", "HEAD": return try await select(request, requester)
    case "POST": return try await insert(request, requester)
    case "DELETE": return try await delete(request, requester)
    case "PATCH", "PUT": throw RestError.denied(isAnonymous: false)
    default:
      throw RestError(status: 405, code: "PGRST117", message: "Unsupported HTTP method: \(request.method)")
    }
  }

  /// Checks that the request names the only schema: `Accept-Profile` names it for reads, `Content-Profile` for writes.
  private func checkSchema(_ request: Request) throws(RestError) {
    let isReading = request.method == "GET" || request.method == "HEAD"
    guard let schema = request.headers[isReading ? "accept-profile" : "content-profile"], schema != "public" else {
      return
    }
    throw RestError(
      status: 406, code: "PGRST106", message: "Invalid schema: \(schema)",
      hint: "Only the following schemas are exposed: public")
  }

  /// The caller's token; `nil` for anonymous callers, who send no token or the API key in its place.
  private func token(_ request: Request) throws -> VerifiedToken? {
    guard let bearer = request.bearer, !authority.isKey(bearer) else { return nil }
    do {
      return try authority.token(bearer, leeway: Authority.dataLeeway)
    } catch .expired {
      throw RestError(status: 401, code: "PGRST303", message: "JWT expired")
    } catch .invalid(let parts) {
      throw parts == 3
        ? RestError(
          status: 401, code: "PGRST301", message: "No suitable key or wrong key type",
          details: "None of the keys was able to decode the JWT")
        : RestError(status: 401, code: "PGRST301", message: "Expected 3 parts in JWT; got \(parts)")
    }
  }

  private func select(_ request: Request, _ requester: Requester) async throws -> Response {
    let query = try RestQuery(request, cursor: events.cursor)
    let format = try RestFormat(request)
    let preferences = Preferences(request)
    let filter = query.filters.isEmpty ? nil : RestFilter.all(query.filters)
    let limit = min(query.limit ?? .max, ServerConfiguration.rowLimit)
    let isCounted = preferences["count"] != nil
    let total = isCounted ? try await events.count(requester, filter: filter) : nil
    if let total, query.offset > 0, query.offset >= total {
      var error = RestError.rangeNotSatisfiable
      error.details = "An offset of \(query.offset) was requested, but there are only \(total) rows."
      var response = error.response
      response.headers["Content-Range"] = "*/\(total)"
      return response
    }
    let (page, first) = try await events.page(
      requester, filter: filter, order: query.order, limit: limit, offset: query.offset,
      hasPayloads: query.columns.contains(.payload)
    ) { format.text($0, query.columns) }
    let count = page.keys.count
    if format.isSingle, count != 1 { throw RestError.notSingle(count) }
    let isPart = total.map { count < $0 } ?? false
    let status = isPart && !format.isSingle ? 206 : 200
    var response = format.answer(query.columns, status: status, first: first, parts: page.parts.count) { part in
      try await events.rows(of: page, part: part) { format.text($0, query.columns) }
    }
    let range = count == 0 ? "*" : "\(query.offset)-\(query.offset + count - 1)"
    response.headers["Content-Range"] = range + "/" + (total.map(String.init) ?? "*")
    return response
  }

  private func insert(_ request: Request, _ requester: Requester) async throws -> Response {
    let query = try RestQuery(request)
    let format = try RestFormat(request)
    let preferences = Preferences(request)
    let rows = try await bodies.read(request) {
      try RestBody.rows($0, columns: query.bodyColumns, userID: requester.account)
    }
    let conflict = try conflict(query, preferences)
    let stored =
      rows.isEmpty && !format.isSingle
      ? [] : try await events.insert(rows, userID: requester.account, conflict: conflict, isSingle: format.isSingle)
    var response = Response(status: 201)
    if preferences["return"] == "representation" {
      response = try await inserted(stored, query.columns, format, requester)
    }
    response.headers["Content-Range"] = "*/" + (preferences["count"] != nil ? "\(stored.count)" : "*")
    preferences.note(["return", "resolution", "count", "missing"], in: &response)
    return response
  }

  /// A response with inserted rows. Many large ones are read again as fast as the client receives them, so that they
  /// don't wait in memory.
  private func inserted(
    _ rows: [EventRow], _ columns: [EventColumn], _ format: RestFormat, _ requester: Requester
  ) async throws -> Response {
    guard columns.contains(.payload), let first = rows.first, let last = rows.last,
      rows.reduce(0, { $0 + $1.payload.utf8.count }) > ServerConfiguration.partSize
    else { return format.answer(rows, columns, status: 201) }
    // Each row has its own instant, and none of another request lies between them.
    let filter = RestFilter(
      sql: "created_at BETWEEN ? AND ?", values: [.integer(first.createdAt.value), .integer(last.createdAt.value)])
    do {
      let (page, texts) = try await events.page(requester, filter: filter, order: " ORDER BY created_at", limit: nil) {
        format.text($0, columns)
      }
      return format.answer(columns, status: 201, first: texts, parts: page.parts.count) { [events] part in
        try await events.rows(of: page, part: part) { format.text($0, columns) }
      }
    } catch is RestError {
      // Too many of the account's queries are waiting. The rows are stored, so the insertion must not fail.
      return format.answer(rows, columns, status: 201)
    }
  }

  private func conflict(_ query: RestQuery, _ preferences: Preferences) throws -> EventTable.Conflict {
    let target = query.conflictTarget?.split(separator: ",").map { String($0.trimmed) }
    // The key is unique per account. Clients written for a table where `client_id` alone is unique name only that
    // column.
    let isClientID = target == ["client_id"] || target.map { Set($0) } == ["user_id", "client_id"]
    if target != nil, !isClientID, target != ["id"], preferences["resolution"] != nil {
      throw RestError(
        status: 400, code: "42P10",
        message: "there is no unique or exclusion constraint matching the ON CONFLICT specification")
    }
    switch preferences["resolution"] {
    case "ignore-duplicates": return isClientID ? .skipsClientID : .skipsID
    // Rows are immutable.
    case "merge-duplicates": throw RestError.denied(isAnonymous: false)
    default: return .fails
    }
  }

  private func delete(_ request: Request, _ requester: Requester) async throws -> Response {
    let query = try RestQuery(request)
    let format = try RestFormat(request)
    let preferences = Preferences(request)
    guard !query.filters.isEmpty else {
      throw RestError(status: 400, code: "21000", message: "DELETE requires a WHERE clause")
    }
    let isReturned = preferences["return"] == "representation"
    let deletion = try await events.delete(
      requester, filter: .all(query.filters), returning: isReturned, isSingle: format.isSingle)
    var response = Response(status: 204)
    if isReturned { response = format.answer(deletion.rows, query.columns, status: 200, memory: deletion.memory) }
    response.headers["Content-Range"] = "*/" + (preferences["count"] != nil ? "\(deletion.count)" : "*")
    preferences.note(["return", "count"], in: &response)
    return response
  }
}

/// The preferences in the `Prefer` header.
private struct Preferences {
  private var values: [String: String] = [:]

  init(_ request: Request) {
    for part in (request.headers["prefer"] ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map { String($0.trimmed) }
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// Adds a header that lists the preferences that were applied.
  func note(_ names: [String], in response: inout Response) {
    let heeded = names.compactMap { name in values[name].map { "\(name)=\($0)" } }
    if !heeded.isEmpty { response.headers["Preference-Applied"] = heeded.joined(separator: ", ") }
  }
}
