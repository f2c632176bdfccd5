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
    guard case .object(let members) = self else { return nil }
    return members.value(name)
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

/// The inside of a JSON string literal, with its escapes as written.
public struct JSONString: Sendable, Hashable {
  /// The text between the quotes.
  let literal: String
  /// If false, `literal` is its own decoded form.
  let hasEscapes: Bool

  public init(_ text: String) {
    var text = text
    let needsEscapes = text.withUTF8 { $0.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C } }
    guard needsEscapes else {
      literal = text
      hasEscapes = false
      return
    }
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count + 8)
    for byte in text.utf8 { JSONString.appendEscaped(byte, to: &out) }
    literal = String(decoding: out, as: UTF8.self)
    hasEscapes = true
  }

  init(literal: String, hasEscapes: Bool) {
    self.literal = literal
    self.hasEscapes = hasEscapes
  }

  package func isEqual(to text: String) -> Bool {
    hasEscapes ? decoded.hasSameBytes(as: text) : literal.hasSameBytes(as: text)
  }

  /// The text that the literal represents. A lone surrogate becomes U+FFFD, because Swift strings can't contain it.
  public var decoded: String {
    guard hasEscapes else { return literal }
    return String(decoding: unescaped(loneSurrogate: { _, out in out += [0xEF, 0xBF, 0xBD] }), as: UTF8.self)
  }

  /// The literal with as few escapes as possible, equal for all spellings of the same text.
  var canonicalLiteral: String {
    guard hasEscapes else { return literal }
    var out: [UInt8] = []
    let marker: UInt8 = 0xFF  // never part of UTF-8; stands before a lone surrogate's escape
    for byte in unescaped(loneSurrogate: { unit, out in
      out.append(marker)
      out += Array("u".utf8) + Array(String(unit, radix: 16).utf8)
    }) {
      if byte == marker { out.append(0x5C) } else { JSONString.appendEscaped(byte, to: &out) }
    }
    return String(decoding: out, as: UTF8.self)
  }
}

extension JSONString {
  fileprivate static let hexDigits = Array("0123456789abcdef".utf8)

  fileprivate static func appendEscaped(_ byte: UInt8, to out: inout [UInt8]) {
    switch byte {
    case 0x22, 0x5C: out += [0x5C, byte]
    case 0x0A: out += [0x5C, UInt8(ascii: "n")]
    case 0x0D: out += [0x5C, UInt8(ascii: "r")]
    case 0x09: out += [0x5C, UInt8(ascii: "t")]
    case 0x08: out += [0x5C, UInt8(ascii: "b")]
    case 0x0C: out += [0x5C, UInt8(ascii: "f")]
    case 0..<0x20:
      out += Array("\\u00".utf8) + [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
    default: out.append(byte)
    }
  }

  fileprivate func unescaped(loneSurrogate: (UInt16, inout [UInt8]) -> Void) -> [UInt8] {
    let bytes = Array(literal.utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = 0
    // The scanner has checked the escapes: a known letter follows each backslash, and four hex digits follow each `u`.
    func unit(at start: Int) -> UInt16? {
      guard start + 6 <= bytes.count, bytes[start] == 0x5C, bytes[start + 1] == UInt8(ascii: "u") else { return nil }
      return bytes[(start + 2)..<(start + 6)].reduce(UInt16(0)) { $0 << 4 | UInt16(JSONScanner.hexValue($1) ?? 0) }
    }
    while index < bytes.count {
      guard bytes[index] == 0x5C, index + 1 < bytes.count else {
        out.append(bytes[index])
        index += 1
        continue
      }
      switch bytes[index + 1] {
      case UInt8(ascii: "n"): out.append(0x0A)
      case UInt8(ascii: "r"): out.append(0x0D)
      case UInt8(ascii: "t"): out.append(0x09)
      case UInt8(ascii: "b"): out.append(0x08)
      case UInt8(ascii: "f"): out.append(0x0C)
      case UInt8(ascii: "u"):
        let high = unit(at: index) ?? 0xFFFD
        if let scalar = Unicode.Scalar(UInt32(high)) {
          out += Array(String(Character(scalar)).utf8)
        } else if high < 0xDC00, let low = unit(at: index + 6), (0xDC00..<0xE000).contains(low),
          let scalar = Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        {
          out += Array(String(Character(scalar)).utf8)
          index += 6
        } else {
          loneSurrogate(high, &out)
        }
        index += 4
      default: out.append(bytes[index + 1])
      }
      index += 2
    }
    return out
  }
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
