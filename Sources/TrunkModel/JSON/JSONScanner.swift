/// Reads JSON values from UTF-8 bytes, strictly by RFC 8259, one at a time.
///
/// The library decoders can't replace it: the log needs the exact text of every event (see `Event.raw`), which none of
/// them provides.
struct JSONScanner {
  /// The maximum nesting depth, so that recursion on a hostile file can't exhaust the stack.
  static let maximumDepth = 200

  private let bytes: UnsafeBufferPointer<UInt8>
  private let isValidated: Bool
  private(set) var offset = 0

  /// - Parameters:
  ///   - bytes: must outlive the scanner.
  ///   - isValidated: whether the bytes are known to be UTF-8; otherwise strings are validated.
  init(_ bytes: UnsafeBufferPointer<UInt8>, isValidated: Bool) {
    self.bytes = bytes
    self.isValidated = isValidated
  }

  /// The text from `start` to the current position.
  /// - Parameter isASCII: whether the text is known to be ASCII; such strings are hashed and compared much faster.
  func text(from start: Int, isASCII: Bool = false) -> String {
    // All bytes have been validated and are cut only next to ASCII. Checking each piece again would cost time.
    let span = bytes.span.extracting(start..<offset)
    return String(copying: unsafe UTF8Span(unchecked: span, isKnownASCII: isASCII))
  }

  mutating func skipWhitespace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  /// Throws unless only white space follows.
  mutating func end() throws(JSONError) {
    skipWhitespace()
    if offset < bytes.count { throw problem("unexpected text after the value") }
  }

  /// Skips white space, and `byte` if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    skipWhitespace()
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// Skips white space and returns the next byte without consuming it.
  mutating func peek() -> UInt8? {
    skipWhitespace()
    return offset < bytes.count ? bytes[offset] : nil
  }

  /// Reads a member's name and the following colon.
  mutating func name() throws(JSONError) -> JSONString {
    guard peek() == UInt8(ascii: "\"") else { throw problem("expected a name in quotes") }
    let name = try string()
    guard take(UInt8(ascii: ":")) else { throw problem("expected : after a name") }
    return name
  }

  func problem(_ text: String) -> JSONError { JSONError(problem: text, offset: offset) }

  mutating func value(depth: Int) throws(JSONError) -> JSON {
    guard depth < Self.maximumDepth else { throw problem("nested too deeply") }
    skipWhitespace()
    guard offset < bytes.count else { throw problem("the text ends where a value should be") }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["):
      offset += 1
      var elements: [JSON] = []
      if take(UInt8(ascii: "]")) { return .array(elements) }
      repeat { elements.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw problem("expected , or ] in an array") }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  /// Reads an object from its opening brace.
  mutating func members(depth: Int) throws(JSONError) -> [JSON.Member] {
    guard take(UInt8(ascii: "{")) else { throw problem("expected an object") }
    var members: [JSON.Member] = []
    if take(UInt8(ascii: "}")) { return members }
    members.reserveCapacity(8)
    repeat {
      members.append(JSON.Member(name: try name(), value: try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw problem("expected , or } in an object") }
    return members
  }

  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension JSONScanner {
  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    let matches = word.withUTF8Buffer { expected in
      offset + expected.count <= bytes.count && expected.elementsEqual(bytes[offset..<(offset + expected.count)])
    }
    guard matches else { throw problem("expected a value") }
    offset += word.utf8CodeUnitCount
    return value
  }

  private mutating func string() throws(JSONError) -> JSONString {
    offset += 1
    let start = offset
    var hasEscapes = false
    var isASCII = true
    while true {
      skipPlainText(&isASCII)
      guard offset < bytes.count else { throw problem("a string without its closing quote") }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        if !isASCII, !isValidated { try validate(from: start) }
        let literal = text(from: start, isASCII: isASCII)
        offset += 1
        return JSONString(literal: literal, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try escape()
      default: throw problem("a control character in a string")
      }
    }
  }

  /// Skips unescaped text in a string, eight bytes at a time, because most of a file is such text.
  private mutating func skipPlainText(_ isASCII: inout Bool) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones << 7
    let text = UnsafeRawBufferPointer(bytes)
    var (place, bits) = (offset, UInt64(0))
    while place + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      // Sets the high bit of each byte that ends plain text: one below 0x20, a quote or a backslash. XOR makes the
      // latter two 0. A borrow can mark later bytes wrongly, but only the first mark is used.
      let (quotes, slashes) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
      let ends = (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
      let count = (ends & highs).trailingZeroBitCount / 8
      bits |= count < 8 ? word & (1 << (8 * UInt64(count)) - 1) : word
      place += count
      if count < 8 { break }
    }
    while place < text.count, text[place] >= 0x20, text[place] != 0x22, text[place] != 0x5C {
      bits |= UInt64(text[place])
      place += 1
    }
    offset = place
    if bits & highs != 0 { isASCII = false }
  }

  /// Throws unless the text from `start` to the current position is UTF-8.
  private func validate(from start: Int) throws(JSONError) {
    do { _ = try UTF8Span(validating: bytes.span.extracting(start..<offset)) } catch {
      throw JSONError(problem: "not UTF-8", offset: start)
    }
  }

  private mutating func escape() throws(JSONError) {
    guard offset + 1 < bytes.count else { throw problem("a string without its closing quote") }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
    case UInt8(ascii: "u"):
      guard offset + 6 <= bytes.count,
        bytes[(offset + 2)..<(offset + 6)].allSatisfy({ Self.hexValue($0) != nil })
      else { throw problem("\\u needs four hexadecimal digits") }
      offset += 6
    default: throw problem("an unknown escape in a string")
    }
  }

  private mutating func digits() throws(JSONError) {
    let start = offset
    while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
    if offset == start { throw problem("expected a digit") }
  }

  private mutating func number() throws(JSONError) -> String {
    let start = offset
    func next(_ byte: UInt8) -> Bool { offset < bytes.count && bytes[offset] == byte }
    if next(UInt8(ascii: "-")) { offset += 1 }
    guard offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 else { throw problem("expected a value") }
    if next(UInt8(ascii: "0")) { offset += 1 } else { try digits() }
    if next(UInt8(ascii: ".")) {
      offset += 1
      try digits()
    }
    if next(UInt8(ascii: "e")) || next(UInt8(ascii: "E")) {
      offset += 1
      if next(UInt8(ascii: "+")) || next(UInt8(ascii: "-")) { offset += 1 }
      try digits()
    }
    return text(from: start, isASCII: true)
  }
}
