/// The tokens of HTML. `<` is a tag only before a letter, `/` or `!`, so that `3 < 5` stays.
struct HTMLTokens: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private let names: Set<String>?
  private var index = 0

  /// - Parameter names: tags with other names are text; `nil` for none.
  init(_ html: String, names: Set<String>? = nil) { (bytes, self.names) = (Array(html.utf8), names) }

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
    if let names {
      let name = bytes[(next == 0x2F ? place + 2 : place + 1)...].prefix { isLetter($0) || (0x30...0x39).contains($0) }
      return names.contains(String(decoding: name, as: UTF8.self).lowercased())
    }
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
