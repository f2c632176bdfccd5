import SQLiteKit
import TrunkModel

extension EventTable {
  /// A row that a query found, without its text.
  struct Key: Sendable {
    let seq: Int64
    let id: String
    let createdAt: Microseconds
    let bytes: Int

    /// - Parameter row: a row of `seq`, `id`, `created_at` and a size.
    init(_ row: Row) {
      seq = row.integer(0)
      id = row.text(1)
      createdAt = Microseconds(row.integer(2))
      bytes = Int(row.integer(3))
    }
  }

  /// The rows that a query found, in order. Rows don't change, so they can be read part by part; a row that is deleted
  /// before its part is read is left out.
  struct Page: Sendable {
    let requester: Requester
    let keys: [Key]
    /// Whether the rows are read with their payloads, which are empty otherwise.
    let hasPayloads: Bool
    /// Ranges of `keys` whose rows are read together.
    let parts: [Range<Int>]

    init(requester: Requester, keys: [Key], hasPayloads: Bool) {
      self.requester = requester
      self.keys = keys
      self.hasPayloads = hasPayloads
      parts = EventTable.parts(keys.map(\.bytes), count: .max, bytes: ServerConfiguration.partSize)
    }
  }

  /// Finds rows of one account and reads the first part of them. Most pages have only one part, and a second query
  /// would have to wait for its turn.
  /// - Parameters:
  ///   - limit: `nil` for all.
  ///   - hasPayloads: whether to read the payloads.
  ///   - map: applied to each row of the first part.
  /// - Throws: `RestError` 57014 if the query takes too long.
  func page<Value: Sendable>(
    _ requester: Requester, filter: RestFilter?, order: String, limit: Int?, offset: Int = 0, hasPayloads: Bool = true,
    map: @escaping @Sendable (EventRow) -> Value
  ) async throws -> (page: Page, first: [Value]) {
    let (sql, values) = EventTable.condition(requester.account, filter)
    let size = hasPayloads ? "bytes" : EventTable.sizeWithoutPayload
    return try await store.queries.read(requester) { database in
      var keys: [Key] = []
      try database.rows(
        "SELECT seq, id, created_at, \(size) FROM events WHERE \(sql)\(order) LIMIT ? OFFSET ?",
        values + [.integer(limit ?? -1), .integer(offset)]
      ) { row in
        keys.append(Key(row))
        return true
      }
      let page = Page(requester: requester, keys: keys, hasPayloads: hasPayloads)
      return (page, keys.isEmpty ? [] : try EventTable.rows(of: page, part: 0, database, map: map))
    }
  }

  /// Reads one part of a page.
  /// - Returns: the result of `map` for each row.
  func rows<Value: Sendable>(
    of page: Page, part: Int, map: @escaping @Sendable (EventRow) -> Value
  ) async throws -> [Value] {
    try await store.queries.read(page.requester) { database in
      try EventTable.rows(of: page, part: part, database, map: map)
    }
  }

  /// As the column `bytes` counts it.
  private static let sizeWithoutPayload = """
    200 + length(CAST(type AS BLOB)) + coalesce(length(CAST(client_id AS BLOB)), 0) \
    + coalesce(length(CAST(client_timestamp AS BLOB)), 0)
    """

  private static func rows<Value>(
    of page: Page, part: Int, _ database: Database, map: (EventRow) -> Value
  ) throws -> [Value] {
    let columns = page.hasPayloads ? EventRow.columns : EventRow.columnsWithoutPayload
    return try page.keys[page.parts[part]].compactMap { key in
      try database.first(
        "SELECT \(columns) FROM events WHERE seq = ? AND user_id = ?", .integer(key.seq), .text(page.requester.account)
      ) { map(EventRow($0)) }
    }
  }

  func count(_ requester: Requester, filter: RestFilter?) async throws -> Int {
    guard let filter else {
      return try await store.queries.read(requester) { database in
        Int(try database.integer("SELECT row_count FROM usage WHERE user_id = ?", .text(requester.account)))
      }
    }
    let (sql, values) = EventTable.condition(requester.account, filter)
    return try await store.queries.read(requester) { database in
      Int(try database.integer("SELECT count(*) FROM events WHERE \(sql)", values))
    }
  }

  /// The `created_at` of an account's newest row; `nil` without rows.
  func latest(_ requester: Requester) async throws -> Microseconds? {
    try await store.queries.read(requester) { database in
      try database.first("SELECT max(created_at) FROM events WHERE user_id = ?", .text(requester.account)) {
        $0.optionalInteger(0).map { Microseconds($0) }
      } ?? nil
    }
  }

  static func condition(_ userID: String, _ filter: RestFilter?) -> (String, [SQLValue]) {
    var (sql, values) = ("user_id = ?", [SQLValue.text(userID)])
    guard let filter else { return (sql, values) }
    if let earliest = filter.earliest {
      sql += " AND created_at >= ?"
      values.append(.integer(earliest))
    }
    return (sql + " AND " + filter.sql, values + filter.values)
  }

  /// Splits a list of sizes into ranges of at most `count` elements and `bytes` bytes, but at least one element each.
  static func parts(_ sizes: [Int], count: Int, bytes: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var (start, total) = (0, 0)
    for (index, size) in sizes.enumerated() {
      if index > start, total + size > bytes || index - start >= count {
        parts.append(start..<index)
        (start, total) = (index, 0)
      }
      total += size
    }
    if start < sizes.count { parts.append(start..<sizes.count) }
    return parts
  }
}
