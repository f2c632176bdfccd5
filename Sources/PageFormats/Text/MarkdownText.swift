/// Takes what a page can't hold out of Markdown.
struct MarkdownText {
  /// The text without pictures and other media.
  private(set) var text = ""
  /// How many of each kind were taken out.
  private(set) var media: [LeftOut: Int] = [:]
  /// How many links between notes, `[[name]]`, became plain text.
  private(set) var links = 0
  private let hasWikiLinks: Bool

  /// - Parameter hasWikiLinks: whether `[[name|shown]]` is a link and `![[file]]` a picture or another note.
  init(_ text: String, hasWikiLinks: Bool) {
    self.hasWikiLinks = hasWikiLinks
    var (out, code) = ([[UInt8]](), MarkdownCode())
    for line in PageText.normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard !code.isCode(line), line.contains(0x5B) || line.contains(0x3C) else {
        out.append(Array(line))
        continue
      }
      let before = mediaCount
      var rest = plain(Array(line))
      if mediaCount > before {
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        if line.first != 0x20, line.first != 0x09 { rest = Array(rest.drop { $0 == 0x20 || $0 == 0x09 }) }
        // A line or an item of a list that had only a picture.
        if rest.allSatisfy({ " \t-*+>".utf8.contains($0) }) { continue }
      }
      out.append(rest)
    }
    self.text = String(decoding: Array(out.joined(separator: [0x0A])), as: UTF8.self)
  }

  private var mediaCount: Int { media.values.reduce(0, +) }

  private mutating func plain(_ line: [UInt8]) -> [UInt8] {
    var (out, index, ends) = ([UInt8](), 0, Ends())
    while index < line.count {
      if line[index] == 0x60 {
        // Code stays as it is.
        let end = MarkdownCode.span(line, from: index)
        out += line[index..<end]
        index = end
      } else if let (shown, end) = medium(line, index, &ends) ?? wikiLink(line, index, &ends) {
        out += shown
        index = end
      } else {
        out.append(line[index])
        index += 1
      }
    }
    return out
  }

  /// The ends of what opens in a line.
  private struct Ends {
    var link = RepeatedSearch("]]")
    var name = RepeatedSearch("](")
    var target = RepeatedSearch(")")
  }

  /// What stays of a picture or a note that is embedded at `start`.
  private mutating func medium(_ line: [UInt8], _ start: Int, _ ends: inout Ends) -> (shown: [UInt8], end: Int)? {
    switch line[start] {
    case 0x21:
      if let (medium, end) = embedded(line, start, &ends) { return (take(medium), end) }
      return isEmbeddedNote(line, start, &ends) ? ([], start + 1) : nil
    case 0x5B where line.has("[!", at: start):
      guard let (medium, end) = embedded(line, start + 1, &ends), line.has("](", at: end),
        let (address, close) = Self.target(line, from: end + 2, line[end...].firstIndex(of: 0x29))
      else { return nil }
      let caption = take(medium)
      // A small picture often leads to the large one.
      let isPicture = address.isEmpty || MarkdownMedium.knownKind(address) != nil
      if caption.isEmpty { return (isPicture ? [] : Array(address.utf8), close) }
      return ([0x5B] + caption + [0x5D, 0x28] + Array(address.utf8) + [0x29], close)
    case 0x3C where line.has("<img ", at: start):
      let end = line[start...].firstIndex(of: 0x3E) ?? line.count
      let text = { (name: StaticString) in HTMLToken.attribute(name, in: Array(line[start..<end])) ?? "" }
      return (take(MarkdownMedium(target: text("src"), caption: [text("alt")[...]])), min(end + 1, line.count))
    default: return nil
    }
  }

  /// Counts a medium and returns what stays of it.
  private mutating func take(_ medium: MarkdownMedium) -> [UInt8] {
    media[medium.kind, default: 0] += 1
    return Array(medium.caption.utf8)
  }

  private func isEmbeddedNote(_ line: [UInt8], _ start: Int, _ ends: inout Ends) -> Bool {
    hasWikiLinks && line.has("![[", at: start) && ends.link.next(in: line, from: start + 3) != nil
  }

  /// The medium that begins with `!` at `start`, and where it ends; `nil` for other signs and for embedded notes.
  private func embedded(_ line: [UInt8], _ start: Int, _ ends: inout Ends) -> (medium: MarkdownMedium, end: Int)? {
    if hasWikiLinks, line.has("![[", at: start), let end = ends.link.next(in: line, from: start + 3) {
      let parts = String(decoding: line[(start + 3)..<end], as: UTF8.self).split(separator: "|")
      let name = String((parts.first ?? "").prefix { $0 != "#" })
      guard MarkdownMedium.knownKind(name) != nil else { return nil }
      return (MarkdownMedium(target: name, caption: parts.dropFirst()), end + 2)
    }
    guard line.has("![", at: start), let middle = ends.name.next(in: line, from: start + 2),
      let (target, end) = Self.target(line, from: middle + 2, ends.target.next(in: line, from: middle + 2))
    else { return nil }
    let caption = String(decoding: line[(start + 2)..<middle], as: UTF8.self).split(separator: "|")
    return (MarkdownMedium(target: target, caption: caption), Self.endOfAttributes(line, end))
  }

  /// The address in round brackets that begins at `start`, and where its brackets end.
  /// - Parameter first: the first closing bracket.
  private static func target(_ line: [UInt8], from start: Int, _ first: Int?) -> (address: String, end: Int)? {
    guard var end = first else { return nil }
    // A picture can be in the text itself, as `data:image/png;base64,…`.
    if line.has("data:", at: start) { return ("", end + 1) }
    // Each bracket that opens in an address also closes in it.
    var (opened, from) = (0, start)
    while end - start < 4096 {
      opened += line[from..<end].count { $0 == 0x28 }
      if opened == 0 { return (String(decoding: line[start..<end], as: UTF8.self), end + 1) }
      guard opened < 10, let next = line[(end + 1)...].prefix(4096).firstIndex(of: 0x29) else { return nil }
      (opened, from, end) = (opened - 1, end + 1, next)
    }
    return nil
  }

  /// Where the attributes of a picture end: `{:height 497, :width 716}` of Logseq, `{width=50%}` or `{.left}` of
  /// Pandoc.
  private static func endOfAttributes(_ line: [UInt8], _ start: Int) -> Int {
    guard line.has("{", at: start), let end = line[start...].prefix(200).firstIndex(of: 0x7D) else { return start }
    let inside = line[(start + 1)..<end]
    let isAttribute = inside.contains(0x3D) || inside.first.map { ":.#".utf8.contains($0) } == true
    return isAttribute ? end + 1 : start
  }

  /// What `[[name]]` at `start` shows.
  private mutating func wikiLink(_ line: [UInt8], _ start: Int, _ ends: inout Ends) -> (shown: [UInt8], end: Int)? {
    guard hasWikiLinks, line.has("[[", at: start), let end = ends.link.next(in: line, from: start + 2) else {
      return nil
    }
    let link = line[(start + 2)..<end]
    // `rows[[0]]` is code, even outside of a block of code.
    let isIndex = start > 0 && HashTags.isWord(line[start - 1]) && link.allSatisfy { (0x30...0x39).contains($0) }
    if isIndex { return ([0x5B, 0x5B], start + 2) }
    let (name, words) = Self.parts(link)
    if Array(name).firstIndex(of: "://") != nil {
      return (words.map { Array($0) + [0x20, 0x28] + name + [0x29] } ?? Array(name), end + 2)
    }
    links += 1
    return (Array(words ?? name.drop { $0 == 0x23 }), end + 2)
  }

  /// What a link leads to and its words: after `|`, or after `][` in Org; `nil` if it has none.
  private static func parts(_ link: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, words: ArraySlice<UInt8>?) {
    if let place = link.lastIndex(of: 0x5B), place > link.startIndex, link[place - 1] == 0x5D {
      return (link[..<(place - 1)], link[(place + 1)...])
    }
    return link.lastIndex(of: 0x7C).map { (link[..<$0], link[($0 + 1)...]) } ?? (link, nil)
  }

  // MARK: - Parts

  /// Lines of front matter. More are text.
  private static let maximumFrontMatter = 1000

  /// The front matter between two lines of `---` and the text below it; `nil` if there is none.
  /// - Parameter fence: the sign of these lines.
  static func frontMatter(_ text: String, fence: UInt8 = UInt8(ascii: "-")) -> (matter: String, body: String)? {
    let lines = PageText.normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false)
    let isFence = { (line: ArraySlice<UInt8>) in
      line.starts(with: [fence, fence, fence]) && line.dropFirst(3).isBlank
    }
    guard let first = lines.first, isFence(first),
      let end = lines.prefix(maximumFrontMatter).dropFirst().firstIndex(where: isFence)
    else { return nil }
    let text = { (lines: ArraySlice<ArraySlice<UInt8>>) in
      String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
    }
    return (text(lines[1..<end]), text(lines[(end + 1)...]))
  }

  /// The heading in the first line that isn't empty, and the text below it; `nil` if that line is no heading.
  static func heading(_ text: String) -> (title: String, level: Int, rest: String)? {
    let bytes = PageText.normalized(text)
    let start = bytes.firstIndex { $0 != 0x0A && $0 != 0x20 && $0 != 0x09 } ?? bytes.count
    let line = bytes[start...].prefix { $0 != 0x0A }
    let signs = line.prefix { $0 == 0x23 }.count
    guard (1...6).contains(signs), line.dropFirst(signs).first == 0x20 else { return nil }
    var title = line.dropFirst(signs + 1)
    // Closing signs after a space belong to the heading.
    let closed = title.reversed().drop { $0 == 0x20 }.drop { $0 == 0x23 }
    if closed.first == 0x20 { title = title.prefix(closed.count) }
    let name = PageText.line(String(decoding: title, as: UTF8.self))
    return name.isEmpty ? nil : (name, signs, String(decoding: bytes[line.endIndex...], as: UTF8.self))
  }

  /// Without the backslashes before signs, except in code.
  static func unescaped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(0x5C) else { return text }
    var (out, code) = ([UInt8](), MarkdownCode())
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.startIndex > 0 { out.append(0x0A) }
      if code.isCode(line) { out += line } else { appendUnescaped(Array(line), to: &out) }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func appendUnescaped(_ line: [UInt8], to out: inout [UInt8]) {
    var index = 0
    while index < line.count {
      let next = index + 1 < line.count ? line[index + 1] : 0
      if line[index] == 0x60 {
        let end = MarkdownCode.span(line, from: index)
        out += line[index..<end]
        index = end
      } else if line[index] == 0x5C, isSign(next) {
        out.append(next)
        index += 2
      } else {
        out.append(line[index])
        index += 1
      }
    }
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
      || (0x7B...0x7E).contains(byte)
  }
}

extension PageCollector {
  /// Takes media out of Markdown and counts everything but pictures.
  func markdown(_ text: String, hasWikiLinks: Bool = false) -> (text: String, pictures: Int) {
    let markdown = MarkdownText(text, hasWikiLinks: hasWikiLinks)
    leaveOut(.links, markdown.links)
    for (kind, count) in markdown.media where kind != .pictures { leaveOut(kind, count) }
    return (markdown.text, markdown.media[.pictures] ?? 0)
  }
}
