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
        let high = JSONString.unit(in: bytes, at: index) ?? 0xFFFD
        if let scalar = Unicode.Scalar(UInt32(high)) {
          out += Array(String(Character(scalar)).utf8)
        } else if high < 0xDC00, let low = JSONString.unit(in: bytes, at: index + 6), (0xDC00..<0xE000).contains(low),
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

  /// Reads a `\uXXXX` escape; `nil` if there is none.
  private static func unit(in bytes: [UInt8], at start: Int) -> UInt16? {
    guard start + 6 <= bytes.count, bytes[start] == 0x5C, bytes[start + 1] == UInt8(ascii: "u") else { return nil }
    return bytes[(start + 2)..<(start + 6)].reduce(UInt16(0)) { $0 << 4 | UInt16(JSONScanner.hexValue($1) ?? 0) }
  }
}
