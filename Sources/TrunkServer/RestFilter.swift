import Storage

/// A condition on events, as SQL with its values.
struct RestFilter {
  var sql: String
  var values: [SQLValue]
  /// No row that it lets through is older, in microseconds: tells SQLite where in the index to begin.
  var earliest: Int64?

  /// The rows that every one of the conditions lets through.
  static func all(_ filters: [RestFilter]) -> RestFilter { joined(filters, by: " AND ") }

  static func joined(_ filters: [RestFilter], by word: String) -> RestFilter {
    let bounds = filters.map(\.earliest)
    let isOr = word == " OR "
    return RestFilter(
      sql: "(" + filters.map(\.sql).joined(separator: word) + ")", values: filters.flatMap(\.values),
      earliest: isOr ? (bounds.contains(nil) ? nil : bounds.compactMap(\.self).min()) : bounds.compactMap(\.self).max())
  }

  /// A query item such as `created_at=gt.2026-02-09T14:32:07Z`, `client_id=in.(a,b)` or `or=(…,and(…,…))`.
  init(name: String, value: String) throws(RestError) {
    var parser = FilterParser(value)
    let isNegated = name.hasPrefix("not.")
    let word = isNegated ? String(name.dropFirst(4)) : name
    if word == "or" || word == "and" {
      self = try parser.group(word)
    } else {
      self = try parser.condition(EventColumn(named: word), isNested: false)
    }
    guard parser.isAtEnd else { throw .parse("unexpected text in \"\(value)\"") }
    if isNegated { self = negated }
  }

  init(sql: String, values: [SQLValue], earliest: Int64? = nil) {
    self.sql = sql
    self.values = values
    self.earliest = earliest
  }

  var negated: RestFilter { RestFilter(sql: "NOT coalesce(\(sql), 0)", values: values) }
}

/// Reads conditions in the language of PostgREST.
private struct FilterParser {
  private static let comparisons = ["eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="]
  /// Groups in groups, at most.
  private static let depthLimit = 16

  private let text: String
  /// By scalars: a quote or a comma is one, whatever accent follows it.
  private var rest: Substring.UnicodeScalarView
  private var depth = 0

  init(_ text: String) {
    self.text = text
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

  /// `(a.eq.1,or(b.eq.2,c.eq.3))`
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

  /// `gt.5`, `not.is.null`, `in.(1,2)`
  mutating func condition(_ column: EventColumn, isNested: Bool) throws(RestError) -> RestFilter {
    var name = word()
    guard take(".") else { throw unexpected }
    let isNegated = name == "not"
    if isNegated {
      name = word()
      guard take(".") else { throw unexpected }
    }
    let filter: RestFilter
    if let comparison = FilterParser.comparisons[name] {
      let value = try column.value(isNested ? nestedValue() : everything())
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
    var values: [SQLValue] = []
    if !take(")") {
      repeat { values.append(try column.value(nestedValue())) } while take(",")
      guard take(")") else { throw unexpected }
    }
    let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
    return RestFilter(sql: "\(column.rawValue) IN (\(places))", values: values)
  }

  private mutating func everything() -> String {
    defer { rest.removeAll() }
    return String(rest)
  }

  /// A value up to the next `,` or `)`, or in quotes.
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
