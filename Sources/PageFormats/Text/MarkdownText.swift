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
    var (out, isCode) = ([[UInt8]](), false)
    for line in PageText.normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false) {
      let start = line.drop { $0 == 0x20 || $0 == 0x09 }
      let isFence = start.starts(with: [0x60, 0x60, 0x60]) || start.starts(with: [0x7E, 0x7E, 0x7E])
      if isFence { isCode.toggle() }
      guard !isFence, !isCode, line.contains(0x5B) || line.contains(0x3C) else {
        out.append(Array(line))
        continue
      }
      let before = mediaCount
      var rest = plain(Array(line))
      if mediaCount > before {
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
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
      let byte = line[index]
      if byte == 0x60 {
        // Code stays as it is.
        let end = line[(index + 1)...].firstIndex(of: 0x60).map { $0 + 1 } ?? line.count
        out += line[index..<end]
        index = end
      } else if byte == 0x21, let (target, end) = embedded(line, index, &ends) {
        if let target { media[Self.kind(target), default: 0] += 1 }
        index = end
      } else if hasWikiLinks, line.has("[[", at: index), let end = ends.link.next(in: line, from: index + 2) {
        out += Self.shown(line[(index + 2)..<end])
        links += 1
        index = end + 2
      } else if byte == 0x3C, line.has("<img ", at: index) {
        media[.pictures, default: 0] += 1
        index = line[index...].firstIndex(of: 0x3E).map { $0 + 1 } ?? line.count
      } else {
        out.append(byte)
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

  /// The target of `![text](target)` or `![[target]]` and where it ends. A note that is embedded isn't media: what is
  /// returned then is only the place of its link.
  private func embedded(_ line: [UInt8], _ start: Int, _ ends: inout Ends) -> (target: String?, end: Int)? {
    if hasWikiLinks, line.has("![[", at: start), let end = ends.link.next(in: line, from: start + 3) {
      let target = line[(start + 3)..<end].prefix { $0 != 0x7C && $0 != 0x23 }
      let name = String(decoding: target, as: UTF8.self)
      return Self.ending(name) == nil ? (nil, start + 1) : (name, end + 2)
    }
    guard line.has("![", at: start), let middle = ends.name.next(in: line, from: start + 2),
      var end = ends.target.next(in: line, from: middle + 2)
    else { return nil }
    // A picture can be in the text itself, as `data:image/png;base64,…`.
    if line.has("data:", at: middle + 2) { return ("", end + 1) }
    // Each bracket that opens in an address also closes in it.
    var (opened, from) = (0, middle + 2)
    while end - middle < 4096 {
      opened += line[from..<end].count { $0 == 0x28 }
      if opened == 0 { return (String(decoding: line[(middle + 2)..<end], as: UTF8.self), end + 1) }
      guard opened < 10, let next = line[(end + 1)...].prefix(4096).firstIndex(of: 0x29) else { return nil }
      (opened, from, end) = (opened - 1, end + 1, next)
    }
    return nil
  }

  /// What a link shows: the part after `|`, or after `][` in Org, else the name.
  private static func shown(_ link: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if let place = link.lastIndex(of: 0x5B), place > link.startIndex, link[place - 1] == 0x5D {
      return link[(place + 1)...]
    }
    return link.lastIndex(of: 0x7C).map { link[($0 + 1)...] } ?? link
  }

  private static func ending(_ name: String) -> String? {
    guard let point = name.lastIndex(of: ".") else { return nil }
    let ending = name[point...].dropFirst().prefix { $0 != " " && $0 != "?" && $0 != "\"" }.lowercased()
    return (1...5).contains(ending.utf8.count) && ending != "md" ? ending : nil
  }

  /// The kind of a file, by its name. Without a known ending it is a picture.
  static func kind(_ name: String) -> LeftOut {
    if name.hasPrefix("dayone-moment:/video") { return .videos }
    if name.hasPrefix("dayone-moment:/audio") { return .sounds }
    if name.hasPrefix("dayone-moment:/pdf") { return .documents }
    switch ending(name) ?? "" {
    case "mp4", "mov", "m4v", "avi", "mkv", "webm", "3gp": return .videos
    case "mp3", "m4a", "aac", "wav", "ogg", "opus", "flac", "caf", "3ga", "amr": return .sounds
    case "pdf", "doc", "docx", "odt", "txt", "zip", "canvas", "base": return .documents
    default: return .pictures
    }
  }

  // MARK: - Parts

  /// Lines of front matter. More are text.
  private static let maximumFrontMatter = 1000

  /// The front matter between two lines of `---` and the text below it; `nil` if there is none.
  static func frontMatter(_ text: String) -> (yaml: String, body: String)? {
    let lines = PageText.normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false)
    let isFence = { (line: ArraySlice<UInt8>) in
      line.starts(with: [0x2D, 0x2D, 0x2D]) && line.dropFirst(3).isBlank
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
  static func heading(_ text: String) -> (title: String, rest: String)? {
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
    return name.isEmpty ? nil : (name, String(decoding: bytes[line.endIndex...], as: UTF8.self))
  }

  /// Without the backslashes before signs, except in code.
  static func unescaped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(0x5C) else { return text }
    var (out, isCode) = ([UInt8](), false)
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if !out.isEmpty || line.startIndex > 0 { out.append(0x0A) }
      let isFence = line.starts(with: [0x60, 0x60, 0x60])
      if isFence { isCode.toggle() }
      var (index, isSpan) = (line.startIndex, false)
      while index < line.endIndex {
        let next = index + 1 < line.endIndex ? line[index + 1] : 0
        if line[index] == 0x5C, !isCode, !isFence, !isSpan, isSign(next) {
          out.append(next)
          index += 2
        } else {
          if line[index] == 0x60 { isSpan.toggle() }
          out.append(line[index])
          index += 1
        }
      }
    }
    return String(decoding: out, as: UTF8.self)
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
