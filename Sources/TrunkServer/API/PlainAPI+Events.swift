import TrunkModel

/// The events of an account.
extension PlainAPI {
  private static let columns: [EventColumn] = [.id, .type, .payload, .clientID, .clientTimestamp, .createdAt]

  /// Returns events by client id, or the events after a position.
  func read(_ request: Request, _ requester: Requester) async throws -> Response {
    let ids = request.items(plusIsSpace: false).filter { $0.name == "client_id" }.map(\.value)
    if !ids.isEmpty {
      guard ids.count <= RestQuery.valueLimit else { throw RestError.tooComplex("ids", limit: RestQuery.valueLimit) }
      let (page, first) = try await page(requester, .clientIDs(ids), limit: ServerConfiguration.rowLimit)
      return answer(page, first, since: nil)
    }
    let (since, limit, filter) = try requestedPage(request)
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
  func ids(_ request: Request, _ requester: Requester) async throws -> Response {
    let (_, limit, filter) = try requestedPage(request)
    let columns: [EventColumn] = [.id, .clientID, .createdAt]
    let (page, first) = try await page(requester, filter, limit: limit, columns: columns)
    let frame = ResponseRows.Frame(open: "{\"ids\":[", separator: ",\n ", close: "]}")
    return ResponseRows(frame: frame, first: first, count: page.parts.count) { [events] part in
      try await events.rows(of: page, part: part) { $0.json(columns) }
    }.answer(status: 200)
  }

  /// The page that a request asks for.
  private func requestedPage(_ request: Request) throws -> (since: Microseconds?, limit: Int, filter: RestFilter?) {
    let since = try instant(request.item("since")).map(events.cursor)
    let limit = min(request.item("limit").flatMap { Int($0) } ?? .max, ServerConfiguration.rowLimit)
    guard limit > 0 else { throw AuthError.validation("limit is not a number above 0") }
    guard let since else { return (nil, limit, nil) }
    guard let after = request.item("after_id") else { return (since, limit, .after(since)) }
    guard let id = EventColumn.uuid(after) else { throw AuthError.validation("after_id is not a UUID") }
    return (since, limit, .after(since, id: id))
  }

  func write(_ request: Request, userID: String) async throws -> Response {
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

  func deleteAll(_ request: Request, _ requester: Requester) async throws -> Response {
    guard request.item("confirm") == "all" || request.headers["x-confirm"] == "all" else {
      throw AuthError(status: 400, code: "not_confirmed", message: "Deleting all events requires confirm=all")
    }
    let deleted = try await events.delete(requester, filter: nil)
    return .json(.object([.init("deleted", .number(deleted.count))]))
  }

  func status(_ requester: Requester) async throws -> Response {
    let latest = try await events.latest(requester)
    let count = try await events.count(requester, filter: nil)
    return .json(
      .object([
        .init("latestTimestamp", latest.map { .string($0.postgres) } ?? .null), .init("eventCount", .number(count)),
      ]))
  }

  private func answer(_ page: EventTable.Page, _ first: [String], since: Microseconds?) -> Response {
    let latest = (page.keys.last?.createdAt ?? since).map { "\"\($0.postgres)\"" } ?? "null"
    let frame = ResponseRows.Frame(
      open: "{\"events\":[", separator: ",\n ", close: "],\"latestTimestamp\":\(latest)}")
    return ResponseRows(frame: frame, first: first, count: page.parts.count) { [events] part in
      try await events.rows(of: page, part: part) { $0.json(PlainAPI.columns) }
    }.answer(status: 200)
  }

  private func instant(_ text: String?) throws(AuthError) -> Microseconds? {
    // A client that repeats the `latestTimestamp` of an empty answer sends null.
    guard let text, !text.isEmpty, text != "null" else { return nil }
    guard let instant = Microseconds(text) else { throw .validation("since is not an instant") }
    return instant
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
