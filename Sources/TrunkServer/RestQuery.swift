import Storage

/// Which rows and columns a request is about.
struct RestQuery {
  /// Comparisons in one query, at most.
  static let conditionLimit = 50
  /// Values in the `in` lists of one query, at most.
  static let valueLimit = 1000
  /// Columns to order by, at most.
  static let orderLimit = EventColumn.allCases.count

  var columns = EventColumn.allCases
  var filters: [RestFilter] = []
  var order = ""
  var limit: Int?
  var offset = 0
  var conflictTarget: String?
  /// The columns that the rows of a body are to have.
  var bodyColumns: [String]?

  /// - Parameter cursor: where a reader goes on that has seen everything up to an instant; `nil` compares with the
  ///   instant itself.
  init(_ request: Request, cursor: ((Microseconds) -> Microseconds)? = nil) throws(RestError) {
    for (name, value) in request.items(plusIsSpace: true) {
      switch name {
      case "select": columns = try RestQuery.columns(value)
      case "order": order = try RestQuery.order(value)
      case "limit": limit = try RestQuery.number(value)
      case "offset": offset = try RestQuery.number(value)
      case "on_conflict": conflictTarget = value
      case "columns": bodyColumns = RestQuery.list(value).map(RestQuery.unquoted)
      case "apikey": break
      default: filters.append(try RestFilter(name: name, value: value, cursor: cursor ?? { $0 }))
      }
    }
    guard filters.reduce(0, { $0 + $1.conditionCount }) <= RestQuery.conditionLimit else {
      throw .tooComplex("conditions", limit: RestQuery.conditionLimit)
    }
    guard filters.reduce(0, { $0 + $1.valueCount }) <= RestQuery.valueLimit else {
      throw .tooComplex("values in lists", limit: RestQuery.valueLimit)
    }
    if request.method == "GET", let range = request.headers["range"] { try narrow(to: range) }
  }

  /// `Range: 0-99`, which narrows `limit` and `offset`.
  private mutating func narrow(to range: String) throws(RestError) {
    let text = range.hasPrefix("items=") ? range.dropFirst(6) : range[...]
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    // Not a range of rows: PostgREST ignores it too.
    guard parts.count == 2, let first = Int(parts[0]), first >= 0 else { return }
    let last = Int(parts[1])
    if !parts[1].isEmpty, last == nil { return }
    if let last, last < first { throw .rangeNotSatisfiable }
    let end = min(limit.map { offset + $0 } ?? .max, last.map { min($0, .max - 1) + 1 } ?? .max)
    offset = max(offset, first)
    if end != .max { limit = max(0, end - offset) }
  }

  private static func number(_ text: String) throws(RestError) -> Int {
    guard let number = Int(text) else { throw .parse("\"\(text)\" is not a number") }
    guard number >= 0, number < 1 << 40 else { throw .rangeNotSatisfiable }
    return number
  }

  private static func list(_ text: String) -> [String] { text.split(separator: ",").map { String($0.trimmed) } }

  private static func unquoted(_ name: String) -> String {
    name.count >= 2 && name.hasPrefix("\"") && name.hasSuffix("\"") ? String(name.dropFirst().dropLast()) : name
  }

  private static func columns(_ text: String) throws(RestError) -> [EventColumn] {
    var columns: [EventColumn] = []
    for name in list(text) {
      let added = name == "*" ? EventColumn.allCases : [try EventColumn(named: unquoted(name))]
      // Each once: a large column that is asked for many times would make a huge answer.
      columns += added.filter { !columns.contains($0) }
    }
    return columns.isEmpty ? EventColumn.allCases : columns
  }

  /// `created_at.asc,id.desc.nullslast` as SQL.
  private static func order(_ text: String) throws(RestError) -> String {
    var terms: [String] = []
    let parts = list(text)
    guard parts.count <= orderLimit else { throw .tooComplex("orderings", limit: orderLimit) }
    for term in parts {
      let parts = term.split(separator: ".").map(String.init)
      let column = try EventColumn(named: unquoted(parts.first ?? ""))
      guard column != .payload else { throw .parse("payload can't be ordered by") }
      var sql = column.rawValue
      if parts.contains("desc") { sql += " DESC" }
      // Missing values count as the largest. Said only where there are any: it keeps SQLite from using an index.
      if column.isNullable, !parts.contains(where: { $0.hasPrefix("nulls") }) {
        sql += parts.contains("desc") ? " NULLS FIRST" : " NULLS LAST"
      }
      for part in parts.dropFirst() {
        switch part {
        case "asc", "desc": break
        case "nullsfirst": sql += " NULLS FIRST"
        case "nullslast": sql += " NULLS LAST"
        default: throw .parse("unknown order \"\(part)\"")
        }
      }
      terms.append(sql)
    }
    return terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
  }
}
