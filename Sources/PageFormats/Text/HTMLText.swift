/// Turns HTML into plain text, whatever it is: tags may be nested wrongly, left open or cut.
enum HTMLText {
  /// - Parameter keepsLines: whether line breaks of the source stay, for texts in which they mean something.
  static func plain(_ html: String, keepsLines: Bool = false) -> String {
    var writer = HTMLWriter(keepsLines: keepsLines)
    for token in HTMLTokens(html) { writer.add(token) }
    return writer.text
  }
}

/// A part of HTML.
enum HTMLToken {
  /// With its entities decoded.
  case text(String)
  /// The name is in lower case.
  case open(String, attributes: [UInt8])
  case close(String)

  /// The value of an attribute of an opening tag.
  static func attribute(_ name: StaticString, in attributes: [UInt8]) -> String? {
    var start = 0
    while let found = attributes.firstIndex(of: name, from: start) {
      start = found + name.utf8CodeUnitCount
      guard found > 0, " \t\n\"'/".utf8.contains(attributes[found - 1]), start < attributes.count,
        attributes[start] == UInt8(ascii: "=")
      else { continue }
      let value = attributes[(start + 1)...]
      guard let quote = value.first, quote == 0x22 || quote == 0x27 else {
        return String(decoding: value.prefix { $0 != 0x20 }, as: UTF8.self)
      }
      return String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
    }
    return nil
  }

  /// Whether an opening tag has one of its classes.
  static func hasClass(_ name: String, in attributes: [UInt8]) -> Bool {
    attribute("class", in: attributes)?.split(separator: " ").contains { $0 == name } ?? false
  }
}

/// The tokens of HTML. `<` is a tag only before a letter, `/` or `!`, so that `3 < 5` stays.
struct HTMLTokens: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var index = 0

  init(_ html: String) { bytes = Array(html.utf8) }

  mutating func next() -> HTMLToken? {
    while index < bytes.count {
      if bytes[index] == 0x3C, isTag(index) {
        if let token = tag() { return token }
        continue
      }
      var end = index + 1
      while end < bytes.count, bytes[end] != 0x3C || !isTag(end) { end += 1 }
      defer { index = end }
      return .text(HTMLEntities.decode(bytes[index..<end]))
    }
    return nil
  }

  private func isTag(_ place: Int) -> Bool {
    guard place + 1 < bytes.count else { return false }
    let next = bytes[place + 1]
    let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) }
    return isLetter(next) || next == 0x21 || next == 0x2F && place + 2 < bytes.count && isLetter(bytes[place + 2])
  }

  /// Reads a tag; `nil` for a comment or declaration, and for a script or style with its content.
  private mutating func tag() -> HTMLToken? {
    if bytes.has("<!--", at: index) {
      index = bytes.firstIndex(of: "-->", from: index).map { $0 + 3 } ?? bytes.count
      return nil
    }
    var (end, quote) = (index + 1, UInt8?.none)
    while end < bytes.count, quote != nil || bytes[end] != 0x3E {
      if bytes[end] == quote {
        quote = nil
      } else if quote == nil, (bytes[end] == 0x22 || bytes[end] == 0x27) && bytes[end - 1] == 0x3D {
        quote = bytes[end]
      }
      end += 1
    }
    let inside = bytes[(index + 1)..<Swift.min(end, bytes.count)]
    index = Swift.min(end + 1, bytes.count)
    guard let first = inside.first, first != 0x21 else { return nil }
    let body = first == 0x2F ? inside.dropFirst() : inside
    let name = String(decoding: body.prefix { $0 > 0x20 && $0 != 0x2F }, as: UTF8.self).lowercased()
    if first == 0x2F { return .close(name) }
    if name == "script" || name == "style" { skip(past: name == "style" ? "</style" : "</script") }
    return .open(name, attributes: Array(body))
  }

  private mutating func skip(past name: StaticString) {
    index = bytes.firstIndex(of: name, from: index) ?? bytes.count
  }
}

enum HTMLEntities {
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(0x26) else { return String(decoding: bytes, as: UTF8.self) }
    var (out, rest) = ([UInt8](), bytes)
    out.reserveCapacity(bytes.count)
    while let sign = rest.firstIndex(of: 0x26) {
      out += rest[..<sign]
      rest = rest[sign...]
      if let end = rest.prefix(12).firstIndex(of: 0x3B),
        let text = decoded(String(decoding: rest[(sign + 1)..<end], as: UTF8.self))
      {
        out += text.utf8
        rest = rest[(end + 1)...]
      } else {
        out.append(0x26)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: out + rest, as: UTF8.self)
  }

  private static func decoded(_ name: String) -> String? {
    guard name.utf8.first == UInt8(ascii: "#") else { return named[name] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.utf8.first.map { $0 & 0xDF } == UInt8(ascii: "X")
    guard let number = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10) else {
      return nil
    }
    return Unicode.Scalar(number).map { String(Character($0)) }
  }

  /// Those that programs write for the letters and signs of Western languages.
  private static let named: [String: String] = {
    let pairs = """
      amp & lt < gt > quot " apos ' nbsp   copy © reg ® trade ™ hellip … ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ \
      ldquo “ rdquo ” bdquo „ laquo « raquo » lsaquo ‹ rsaquo › bull • middot · deg ° euro € pound £ cent ¢ yen ¥ \
      sect § para ¶ times × divide ÷ plusmn ± frac12 ½ frac14 ¼ frac34 ¾ sup2 ² sup3 ³ micro µ iexcl ¡ iquest ¿ \
      agrave à aacute á acirc â atilde ã auml ä aring å aelig æ ccedil ç egrave è eacute é ecirc ê euml ë igrave ì \
      iacute í icirc î iuml ï ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö oslash ø ugrave ù uacute ú ucirc û \
      uuml ü yacute ý yuml ÿ szlig ß oelig œ Agrave À Aacute Á Acirc Â Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È \
      Eacute É Ecirc Ê Euml Ë Iacute Í Icirc Î Ntilde Ñ Oacute Ó Ocirc Ô Ouml Ö Oslash Ø Uacute Ú Ucirc Û Uuml Ü \
      OElig Œ larr ← rarr → uarr ↑ darr ↓ hearts ♥
      """.split(separator: " ")
    var named = [
      "nbsp": " ", "ensp": " ", "emsp": " ", "thinsp": " ", "zwj": "\u{200D}", "zwnj": "\u{200C}", "shy": "",
    ]
    for index in stride(from: 0, to: pairs.count - 1, by: 2) where named[String(pairs[index])] == nil {
      named[String(pairs[index])] = String(pairs[index + 1])
    }
    return named
  }()
}

/// Writes the text of tokens: blocks with an empty line between them, lists with `- ` and `1. `.
struct HTMLWriter {
  let keepsLines: Bool
  private var out: [UInt8] = []
  /// The line ends to write before the next text.
  private var pendingLines = 0
  private var hasPendingSpace = false
  /// For each open list, the number of its last item; `nil` if its items have no numbers.
  private var lists: [Int?] = []

  init(keepsLines: Bool = false) { self.keepsLines = keepsLines }

  var text: String { String(decoding: out, as: UTF8.self) }

  mutating func add(_ token: HTMLToken) {
    switch token {
    case .text(let text): add(text)
    case .open(let name, _):
      switch name {
      case "br":
        // A single break within a paragraph, or one more at its end.
        pendingLines += 1
        hasPendingSpace = false
      case "ul", "ol":
        separate(lists.isEmpty ? 2 : 1)
        // Deeper lists look like this one.
        if lists.count < 20 { lists.append(name == "ol" ? 0 : nil) }
      case "li": item()
      default: separate(Self.distance(name))
      }
    case .close(let name):
      if name == "ul" || name == "ol" {
        _ = lists.popLast()
        separate(lists.isEmpty ? 2 : 1)
      } else if name != "li" {
        separate(Self.distance(name))
      }
    }
  }

  private mutating func separate(_ count: Int) {
    guard count > 0 else { return }
    pendingLines = max(pendingLines, count)
    hasPendingSpace = false
  }

  private mutating func item() {
    separate(1)
    var mark = "- "
    if let last = lists.last, let number = last {
      lists[lists.count - 1] = number + 1
      mark = "\(number + 1). "
    }
    write(Array((String(repeating: "  ", count: max(0, lists.count - 1)) + mark).utf8)[...])
  }

  private static func distance(_ name: String) -> Int {
    switch name {
    case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "table", "hr", "section", "article": 2
    case "div", "tr", "dt", "dd", "header", "footer", "figure", "figcaption", "body": 1
    default: 0
    }
  }

  private mutating func add(_ text: String) {
    for line in PageText.normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if line.offset > 0 {
        if keepsLines { pendingLines += 1 } else { hasPendingSpace = true }
      }
      var rest = line.element
      if rest.first == 0x20 || rest.first == 0x09 { hasPendingSpace = true }
      while let start = rest.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) {
        let end = rest[start...].firstIndex { $0 == 0x20 || $0 == 0x09 } ?? rest.endIndex
        write(rest[start..<end])
        hasPendingSpace = end < rest.endIndex
        rest = rest[end...]
      }
    }
  }

  private mutating func write(_ bytes: ArraySlice<UInt8>) {
    if out.isEmpty {
      (pendingLines, hasPendingSpace) = (0, false)
    } else if pendingLines > 0 {
      out += [UInt8](repeating: 0x0A, count: min(pendingLines, 2))
    } else if hasPendingSpace {
      out.append(0x20)
    }
    (pendingLines, hasPendingSpace) = (0, false)
    out += bytes
  }
}
