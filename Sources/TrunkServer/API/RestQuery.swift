import SQLiteKit

/// The rows and columns that a request selects.
struct RestQuery {
  /// The maximum number of comparisons in one query.
  static let conditionLimit = 50
  /// The maximum number of values in the `in` lists of one query.
  static let valueLimit = 1000
  /// The maximum number of columns to order by.
  static let orderLimit = EventColumn.allCases.count
  /// The maximum size of a list of columns in bytes. Splitting a long one would keep other clients waiting.
  static let listByteLimit = 2048

  var columns = EventColumn.allCases
  var filters: [RestFilter] = []
  var order = ""
  var limit: Int?
  var offset = 0
  var conflictTarget: String?
  /// The columns to read from the objects of a body.
  var bodyColumns: Set<String>?

  /// - Parameter cursor: maps the newest instant that a reader has seen to the instant where it continues; `nil`
  ///   compares with the instant itself.
  init(_ request: Request, cursor: ((Microseconds) -> Microseconds)? = nil) throws(RestError) {
    for (name, value) in request.items(plusIsSpace: true) {
      if ["select", "order", "columns"].contains(name), value.utf8.count > RestQuery.listByteLimit {
        throw .tooComplex("bytes in a list of columns", limit: RestQuery.listByteLimit)
      }
      switch name {
      case "select": columns = try RestQuery.columns(value)
      case "order": order = try RestQuery.order(value)
      case "limit": limit = try RestQuery.number(value)
      case "offset": offset = try RestQuery.number(value)
      case "on_conflict": conflictTarget = value
      case "columns": bodyColumns = Set(RestQuery.list(value).map(RestQuery.unquoted))
      case "apikey": break
      default:
        filters.append(try RestFilter(name: name, value: value, cursor: cursor ?? { $0 }))
        // Checked early, because parsing a long query takes time.
        guard filters.reduce(0, { $0 + $1.conditionCount }) <= RestQuery.conditionLimit else {
          throw .tooComplex("conditions", limit: RestQuery.conditionLimit)
        }
        guard filters.reduce(0, { $0 + $1.valueCount }) <= RestQuery.valueLimit else {
          throw .tooManyValues
        }
      }
    }
    if request.method == "GET", let range = request.headers["range"] { try narrow(to: range) }
  }

  /// Narrows `limit` and `offset` to a `Range` header such as `0-99`.
  private mutating func narrow(to range: String) throws(RestError) {
    let text = range.hasPrefix("items=") ? range.dropFirst(6) : range[...]
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    // PostgREST ignores malformed ranges too.
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
      // Select each column once: repeating a large column many times would make a huge response.
      columns += added.filter { !columns.contains($0) }
    }
    return columns.isEmpty ? EventColumn.allCases : columns
  }

  /// Translates `created_at.asc,id.desc.nullslast` to SQL.
  private static func order(_ text: String) throws(RestError) -> String {
    var terms: [String] = []
    let parts = list(text)
    guard parts.count <= orderLimit else { throw .tooComplex("orderings", limit: orderLimit) }
    for term in parts {
      var parts = term.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
      let column = try EventColumn(named: unquoted(parts.popFirst() ?? ""))
      guard column != .payload else { throw .parse("payload can't be ordered by") }
      let direction = ["asc", "desc"].contains(parts.first) ? parts.popFirst() : nil
      let nulls = ["nullsfirst", "nullslast"].contains(parts.first) ? parts.popFirst() : nil
      if let part = parts.first { throw .parse("unexpected \"\(part)\" in the order \"\(term)\"") }
      let isDescending = direction == "desc"
      var sql = column.rawValue + (isDescending ? " DESC" : "")
      // NULL sorts as the largest value. Added only for nullable columns, because it keeps SQLite from using an index.
      if nulls != nil || column.isNullable {
        let isFirst = nulls.map { $0 == "nullsfirst" } ?? isDescending
        sql += isFirst ? " NULLS FIRST" : " NULLS LAST"
      }
      terms.append(sql)
    }
    return terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
  }
}
