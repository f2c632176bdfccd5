import Garden
import Storage

extension EventTable {
  /// A row that a query found, without its texts.
  struct Key: Sendable {
    let seq: Int64
    let id: String
    let createdAt: Microseconds
    let bytes: Int
  }

  /// The rows that a query found, in their order. Rows don't change, so they can be read part by part: a row that is
  /// deleted before its part is read is left out.
  struct Page: Sendable {
    let userID: String
    let keys: [Key]
    /// Ranges of `keys` whose rows are read together.
    let parts: [Range<Int>]

    init(userID: String, keys: [Key]) {
      self.userID = userID
      self.keys = keys
      parts = EventTable.parts(keys.map(\.bytes), count: .max, bytes: ServerConfiguration.partSize)
    }
  }

  /// Finds rows of one user.
  /// - Parameter limit: `nil` for all.
  /// - Throws: `RestError` 57014 if it takes too long.
  func page(
    userID: String, filter: RestFilter?, order: String, limit: Int?, offset: Int = 0
  ) async throws -> Page {
    let (sql, values) = EventTable.condition(userID, filter)
    let keys = try await store.queries.read(account: userID) { database in
      var keys: [Key] = []
      try database.rows(
        "SELECT seq, id, created_at, bytes FROM events WHERE \(sql)\(order) LIMIT ? OFFSET ?",
        values + [.integer(limit ?? -1), .integer(offset)]
      ) { row in
        keys.append(
          Key(
            seq: row.integer(0), id: row.text(1), createdAt: Microseconds(row.integer(2)), bytes: Int(row.integer(3))))
        return true
      }
      return keys
    }
    return Page(userID: userID, keys: keys)
  }

  /// Reads one part of a page.
  /// - Returns: what `map` makes of each row.
  func rows<Value: Sendable>(
    of page: Page, part: Int, map: @escaping @Sendable (EventRow) -> Value
  ) async throws -> [Value] {
    let seqs = page.keys[page.parts[part]].map(\.seq)
    return try await store.queries.read(account: page.userID) { database in
      try seqs.compactMap { seq in
        try database.first(
          "SELECT \(EventRow.columns) FROM events WHERE seq = ? AND user_id = ?", .integer(seq), .text(page.userID)
        ) { map(EventRow($0)) }
      }
    }
  }

  func count(userID: String, filter: RestFilter?) async throws -> Int {
    guard let filter else {
      return try await store.queries.read(account: userID) { database in
        Int(try database.integer("SELECT row_count FROM usage WHERE user_id = ?", .text(userID)))
      }
    }
    let (sql, values) = EventTable.condition(userID, filter)
    return try await store.queries.read(account: userID) { database in
      Int(try database.integer("SELECT count(*) FROM events WHERE \(sql)", values))
    }
  }

  /// The instant of the newest row of a user; `nil` without rows.
  func latest(userID: String) async throws -> Microseconds? {
    try await store.queries.read(account: userID) { database in
      try database.first("SELECT max(created_at) FROM events WHERE user_id = ?", .text(userID)) {
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

  /// Cuts a list of sizes into ranges of at most `count` elements and `bytes` bytes, with one element at least.
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
