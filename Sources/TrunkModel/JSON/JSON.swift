/// A JSON value that preserves its source: numbers keep their literal and strings their escapes, so that text from
/// another client is written as it was read.
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  /// The literal as written, for example `1.50`.
  case number(String)
  case string(JSONString)
  case array([JSON])
  case object([Member])

  /// A member of an object. Members keep their order, and duplicate names are kept; look-ups return the last one, as in
  /// PostgreSQL's jsonb and in JavaScript.
  public struct Member: Sendable, Hashable {
    public let name: JSONString
    public let value: JSON

    public init(_ name: String, _ value: JSON) {
      self.name = JSONString(name)
      self.value = value
    }

    init(name: JSONString, value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// Parses a JSON text.
  /// - Throws: `JSONError` with the position of the first error.
  public init(_ text: String) throws(JSONError) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(JSONError) in
        var scanner = JSONScanner(bytes, isValidated: true)
        let value = try scanner.value(depth: 0)
        try scanner.end()
        return value
      }
    }
    self = try result.get()
  }

  /// A number in JavaScript's format: without a fraction if there is none.
  public static func number(_ value: Double) -> JSON {
    if let integer = Int64(exactly: value), abs(value) < 1e15 { return .number(String(integer)) }
    return value.isFinite ? .number("\(value)") : .null
  }

  public static func number(_ value: Int) -> JSON { .number(String(value)) }

  public static func string(_ value: String) -> JSON { .string(JSONString(value)) }

  /// The value of the last member with this name; `nil` if it is missing or this is not an object.
  public subscript(name: String) -> JSON? {
    members?.value(name)
  }

  /// The decoded text of a string; `nil` for other values.
  public var text: String? {
    if case .string(let string) = self { string.decoded } else { nil }
  }

  /// The value of a finite number; `nil` for other values.
  public var double: Double? {
    guard case .number(let literal) = self, let value = Double(literal), value.isFinite else { return nil }
    return value
  }

  /// The members of an object as written; `nil` for other values.
  public var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array; `nil` for other values.
  public var elements: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text with sorted keys and without white space, the same for all spellings of a value. Numbers keep their
  /// literals.
  public var canonicalText: String {
    var out = ""
    writeCanonical(to: &out)
    return out
  }

  /// The text without white space, with members in their order.
  public var compactText: String {
    var out = ""
    write(to: &out, indent: nil, sorted: false)
    return out
  }

  /// The text with sorted keys, indented by two spaces: the format of export files and of `--json` output.
  public var prettyText: String { prettyText(level: 0) }

  /// - Parameter level: the indentation level of the value in a larger text.
  func prettyText(level: Int) -> String {
    var out = ""
    write(to: &out, indent: level, sorted: true)
    return out
  }
}

extension [JSON.Member] {
  /// The value of the last member with this name; `nil` if it is missing.
  package func value(_ name: String) -> JSON? {
    // Uses the buffer directly: iterating with a closure would retain and release each element for every name.
    withUnsafeBufferPointer { members in
      for index in members.indices.reversed() where members[index].name.isEqual(to: name) {
        return members[index].value
      }
      return nil
    }
  }
}

/// A syntax error in a JSON text.
public struct JSONError: Error, Equatable, CustomStringConvertible {
  /// What the parser expected, or what is wrong.
  public let problem: String
  /// The offset in bytes from the start of the text.
  public let offset: Int

  public var description: String { "not valid JSON at byte \(offset): \(problem)" }
}

extension JSON {
  /// Members without overridden duplicates, sorted by the bytes of their names. A dictionary can't be used: Swift
  /// considers two spellings of é equal, other parsers don't, and one of two members would be lost.
  fileprivate static func sorted(_ members: [Member]) -> [Member] {
    let named = members.enumerated().map { (name: $1.name.decoded, index: $0) }.sorted { left, right in
      left.name.hasSameBytes(as: right.name) ? left.index < right.index : left.name.precedesInBytes(right.name)
    }
    return named.indices.filter { $0 + 1 == named.count || !named[$0].name.hasSameBytes(as: named[$0 + 1].name) }
      .map { members[named[$0].index] }
  }

  fileprivate func writeCanonical(to out: inout String) {
    switch self {
    case .string(let string): out += "\"\(string.canonicalLiteral)\""
    case .array(let elements):
      out += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { out += "," }
        element.writeCanonical(to: &out)
      }
      out += "]"
    case .object(let members):
      out += "{"
      for (index, member) in JSON.sorted(members).enumerated() {
        if index > 0 { out += "," }
        out += "\"\(member.name.canonicalLiteral)\":"
        member.value.writeCanonical(to: &out)
      }
      out += "}"
    default: write(to: &out, indent: nil, sorted: true)
    }
  }

  /// - Parameter indent: the indentation level; `nil` for a text without white space.
  fileprivate func write(to out: inout String, indent: Int?, sorted: Bool) {
    func newLine(_ level: Int?) {
      guard let level else { return }
      out += "\n" + String(repeating: "  ", count: level)
    }
    let inner = indent.map { $0 + 1 }
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .number(let literal): out += literal
    case .string(let string): out += "\"\(string.literal)\""
    case .array(let elements):
      guard !elements.isEmpty else { return out += "[]" }
      out += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { out += "," }
        newLine(inner)
        element.write(to: &out, indent: inner, sorted: sorted)
      }
      newLine(indent)
      out += "]"
    case .object(let members):
      guard !members.isEmpty else { return out += "{}" }
      out += "{"
      for (index, member) in (sorted ? JSON.sorted(members) : members).enumerated() {
        if index > 0 { out += "," }
        newLine(inner)
        out += "\"\(member.name.literal)\":"
        if indent != nil { out += " " }
        member.value.write(to: &out, indent: inner, sorted: sorted)
      }
      newLine(indent)
      out += "}"
    }
  }
}
