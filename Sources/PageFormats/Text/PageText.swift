/// Cleans the text of other programs. Works on bytes: Swift's functions that search a text in a text belong to its
/// engine for regular expressions, which would make the window larger.
enum PageText {
  /// How a text was read.
  enum Encoding { case unicode, damagedUTF8, windows1252 }

  /// Decodes UTF-8 or UTF-16 with a byte order mark. Everything else is read as Windows-1252, unless it is UTF-8 with a
  /// few bad bytes: those become U+FFFD.
  static func decode(_ bytes: [UInt8]) -> (text: String, encoding: Encoding) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isLittle = bytes[0] == 0xFF
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[isLittle ? $0 + 1 : $0]) << 8 | UInt16(bytes[isLittle ? $0 : $0 + 1])
      }
      return (String(decoding: units, as: UTF16.self), .unicode)
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if let text = String(validating: bytes[start...], as: UTF8.self) { return (text, .unicode) }
    if isMostlyUTF8(bytes) { return (String(decoding: bytes[start...], as: UTF8.self), .damagedUTF8) }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      text.append((0x80...0x9F).contains(byte) ? windows1252[Int(byte - 0x80)] : Unicode.Scalar(byte))
    }
    return (String(text), .windows1252)
  }

  /// Whether twice as many characters of several bytes are whole as not. In other encodings almost none are.
  private static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
    var (whole, broken, index) = (0, 0, 0)
    while index < bytes.count {
      let length = length(of: bytes[index])
      let rest = bytes[min(index + 1, bytes.count)...].prefix(max(0, length - 1))
      let isWhole = length > 0 && rest.count == length - 1 && rest.allSatisfy { $0 & 0xC0 == 0x80 }
      if !isWhole { broken += 1 } else if length > 1 { whole += 1 }
      index += isWhole ? length : 1
      // The rest of a character that was cut counts with it.
      while !isWhole, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    }
    return whole >= broken * 2
  }

  /// How many bytes a character of UTF-8 has that begins with this one; 0 if none does.
  private static func length(of first: UInt8) -> Int {
    switch first {
    case 0..<0x80: 1
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 0
    }
  }

  /// The first bytes of a longer text, without a character of UTF-8 that was cut.
  static func withoutCutCharacter(_ bytes: [UInt8]) -> [UInt8] {
    guard let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes }
    return length(of: bytes[start]) > bytes.count - start ? Array(bytes[..<start]) : bytes
  }

  /// 0x80…0x9F of Windows-1252; the rest is that of Unicode. Unused places become a replacement character.
  private static let windows1252 = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

  /// Lines end with LF, at most one empty line is in a row, and there is none at the start or end. Without characters
  /// that can't be seen: control characters, U+200B and U+FEFF.
  static func cleaned(_ text: String) -> String {
    let lines = normalized(text)
    var out: [UInt8] = []
    out.reserveCapacity(lines.count)
    var emptyLines = 0
    for line in lines.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        emptyLines += 1
        continue
      }
      if !out.isEmpty { out += emptyLines > 0 ? [0x0A, 0x0A] : [0x0A] }
      out += line
      emptyLines = 0
    }
    while let last = out.last, last == 0x20 || last == 0x09 { out.removeLast() }
    return String(decoding: out, as: UTF8.self)
  }

  /// One line without space at its ends and without two spaces in a row.
  static func line(_ text: some StringProtocol) -> String {
    var words = normalized(String(text)).split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A })[...]
    var out = words.popFirst().map(Array.init) ?? []
    for word in words { out += [0x20] + word }
    return String(decoding: out, as: UTF8.self)
  }

  /// The bytes with LF as the only end of a line, and without invisible characters.
  static func normalized(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    // Most texts have none of the bytes that may need a change.
    let isPlain = bytes.allSatisfy { byte in
      byte >= 0x20 ? byte != 0x7F && byte != 0xC2 && byte != 0xE2 && byte != 0xEF : byte == 0x09 || byte == 0x0A
    }
    if isPlain { return bytes }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = 0
    func at(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case 0x0D:
        out.append(0x0A)
        index += at(1) == 0x0A ? 2 : 1
      case 0x09, 0x0A, 0x20..<0x7F:
        out.append(byte)
        index += 1
      case 0..<0x20, 0x7F: index += 1
      // U+0085 ends a line; the other control characters up to U+009F are removed.
      case 0xC2 where (0x80..<0xA0).contains(at(1)):
        if at(1) == 0x85 { out.append(0x0A) }
        index += 2
      // U+2028 and U+2029 end a line.
      case 0xE2 where at(1) == 0x80 && (at(2) == 0xA8 || at(2) == 0xA9):
        out.append(0x0A)
        index += 3
      case 0xE2 where at(1) == 0x80 && at(2) == 0x8B, 0xEF where at(1) == 0xBB && at(2) == 0xBF: index += 3
      default:
        out.append(byte)
        index += 1
      }
    }
    return out
  }

  /// The lines of a text, without their ends.
  static func lines(_ text: String) -> [String] {
    normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

extension Sequence<UInt8> {
  /// Whether all are spaces or tabs.
  var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

extension Array<UInt8> {
  /// Where `other` begins at or after `start`.
  func firstIndex(of other: StaticString, from start: Int = 0) -> Int? {
    other.withUTF8Buffer { other in
      guard let first = other.first, count >= other.count else { return nil }
      var index = start
      while index <= count - other.count {
        if self[index] == first, other.indices.allSatisfy({ self[index + $0] == other[$0] }) { return index }
        index += 1
      }
      return nil
    }
  }

  /// Whether `other` begins at `index`.
  func has(_ other: StaticString, at index: Int) -> Bool {
    other.withUTF8Buffer { other in
      index >= 0 && index + other.count <= count && other.indices.allSatisfy { self[index + $0] == other[$0] }
    }
  }
}
