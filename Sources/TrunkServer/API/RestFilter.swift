import SQLiteKit
import TrunkModel

/// A condition on events: SQL with its values.
struct RestFilter {
  var sql: String
  var values: [SQLValue]
  /// In microseconds; no matching row is older. Tells SQLite where to start in the index.
  var earliest: Int64?
  /// The number of comparisons in a query item.
  private(set) var conditionCount = 0
  /// The number of values in its `in` lists.
  private(set) var valueCount = 0

  /// Matches the rows that match every filter.
  static func all(_ filters: [RestFilter]) -> RestFilter { joined(filters, by: " AND ") }

  static func joined(_ filters: [RestFilter], by separator: String) -> RestFilter {
    let bounds = filters.map(\.earliest)
    let isOr = separator == " OR "
    return RestFilter(
      sql: "(" + filters.map(\.sql).joined(separator: separator) + ")", values: filters.flatMap(\.values),
      earliest: isOr ? (bounds.contains(nil) ? nil : bounds.compactMap(\.self).min()) : bounds.compactMap(\.self).max())
  }

  /// Parses a query item such as `created_at=gt.2026-02-09T14:32:07Z`, `client_id=in.(a,b)` or `or=(…,and(…,…))`.
  /// - Parameter cursor: maps the newest instant that a reader has seen to the instant where it continues.
  init(name: String, value: String, cursor: @escaping (Microseconds) -> Microseconds) throws(RestError) {
    var parser = FilterParser(value, cursor: cursor)
    let isNegated = name.hasPrefix("not.")
    let key = isNegated ? String(name.dropFirst(4)) : name
    if key == "or" || key == "and" {
      self = try parser.group(key)
    } else {
      self = try parser.condition(EventColumn(named: key), isNested: false)
    }
    guard parser.isAtEnd else { throw .parse("unexpected text in \"\(value)\"") }
    if isNegated { self = negated }
    conditionCount = parser.conditionCount
    valueCount = parser.valueCount
  }

  init(sql: String, values: [SQLValue], earliest: Int64? = nil) {
    self.sql = sql
    self.values = values
    self.earliest = earliest
  }

  /// As in SQL, NOT of a comparison with NULL is unknown too.
  var negated: RestFilter { RestFilter(sql: "NOT (\(sql))", values: values) }

  /// Matches rows with one of these `client_id`s.
  static func clientIDs(_ ids: [String]) -> RestFilter { list(.clientID, ids.map { .string($0) }) }

  /// Passes the values as one parameter, so that the statement is the same for any number of them.
  static func list(_ column: EventColumn, _ values: [JSON]) -> RestFilter {
    RestFilter(
      sql: "\(column.rawValue) IN (SELECT value FROM json_each(?))", values: [.text(JSON.array(values).compactText)])
  }
}

/// Parses PostgREST's filter syntax.
private struct FilterParser {
  private static let comparisons = ["eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="]
  /// How deep groups can be nested.
  private static let depthLimit = 16

  private let text: String
  private let cursor: (Microseconds) -> Microseconds
  private(set) var conditionCount = 0
  private(set) var valueCount = 0
  /// Unicode scalars, because a quote or comma is a delimiter even if a combining accent follows it.
  private var rest: Substring.UnicodeScalarView
  private var depth = 0

  init(_ text: String, cursor: @escaping (Microseconds) -> Microseconds) {
    self.text = text
    self.cursor = cursor
    rest = text[...].unicodeScalars
  }

  var isAtEnd: Bool { rest.isEmpty }

  private var unexpected: RestError { .parse("unexpected text in \"\(text)\"") }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func word() -> String {
    let word = rest.prefix { $0.properties.isAlphabetic || $0 == "_" }
    rest = rest.dropFirst(word.count)
    return String(word)
  }

  /// Parses `(a.eq.1,or(b.eq.2,c.eq.3))`.
  mutating func group(_ word: String) throws(RestError) -> RestFilter {
    depth += 1
    defer { depth -= 1 }
    guard depth <= FilterParser.depthLimit, take("(") else { throw unexpected }
    var parts: [RestFilter] = []
    repeat { parts.append(try member()) } while take(",")
    guard take(")") else { throw unexpected }
    return .joined(parts, by: word == "or" ? " OR " : " AND ")
  }

  private mutating func member() throws(RestError) -> RestFilter {
    var name = word()
    if let next = rest.first, ":-!".unicodeScalars.contains(next) { throw .unsupported(text) }
    let isNegated = name == "not" && take(".")
    if isNegated { name = word() }
    let filter: RestFilter
    if (name == "or" || name == "and") && rest.first == "(" {
      filter = try group(name)
    } else {
      guard take(".") else { throw unexpected }
      filter = try condition(EventColumn(named: name), isNested: true)
    }
    return isNegated ? filter.negated : filter
  }

  /// Parses `gt.5`, `not.is.null` or `in.(1,2)`.
  mutating func condition(_ column: EventColumn, isNested: Bool) throws(RestError) -> RestFilter {
    conditionCount += 1
    // Checked early, because parsing a long query takes time.
    guard conditionCount <= RestQuery.conditionLimit else {
      throw .tooComplex("conditions", limit: RestQuery.conditionLimit)
    }
    var name = word()
    guard take(".") else { throw unexpected }
    let isNegated = name == "not"
    if isNegated {
      name = word()
      guard take(".") else { throw unexpected }
    }
    let filter: RestFilter
    if let comparison = FilterParser.comparisons[name] {
      var value = try column.value(isNested ? nestedValue() : everything())
      if !isNegated, column == .createdAt, name.hasPrefix("gt"), case .integer(let instant) = value {
        value = .integer(cursor(Microseconds(instant)).value)
      }
      var bound: Int64?
      if column == .createdAt, case .integer(let instant) = value, ["eq", "gt", "gte"].contains(name) {
        bound = instant
      }
      filter = RestFilter(sql: "\(column.rawValue) \(comparison) ?", values: [value], earliest: bound)
    } else if name == "in" {
      filter = try list(column)
    } else if name == "is" {
      guard (isNested ? nestedValue() : everything()).lowercased() == "null" else { throw unexpected }
      filter = RestFilter(sql: "\(column.rawValue) IS NULL", values: [])
    } else {
      throw .parse("unknown operator \"\(name)\" in \"\(text)\"")
    }
    return isNegated ? filter.negated : filter
  }

  private mutating func list(_ column: EventColumn) throws(RestError) -> RestFilter {
    guard take("(") else { throw unexpected }
    var values: [JSON] = []
    if !take(")") {
      repeat {
        switch try column.value(nestedValue()) {
        case .integer(let value): values.append(.number(Int(value)))
        case .text(let value): values.append(.string(value))
        default: throw unexpected
        }
        guard values.count <= RestQuery.valueLimit else { throw .tooManyValues }
      } while take(",")
      guard take(")") else { throw unexpected }
    }
    valueCount += values.count
    return .list(column, values)
  }

  private mutating func everything() -> String {
    defer { rest.removeAll() }
    return String(rest)
  }

  /// Reads a value up to the next `,` or `)`, or a quoted value.
  private mutating func nestedValue() -> String {
    guard take("\"") else {
      let value = rest.prefix { $0 != "," && $0 != ")" }
      rest = rest.dropFirst(value.count)
      return String(value)
    }
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      value.append(scalar == "\\" ? rest.popFirst() ?? "\\" : scalar)
    }
    return String(value)
  }
}
