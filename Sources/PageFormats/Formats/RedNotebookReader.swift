import TrunkModel

/// Reads RedNotebook's months: YAML with the days as keys.
struct RedNotebookReader: FormatReader {
  let format = PageFormat.redNotebook
  let months: [ExportFiles.File]

  /// The year and month of `2024-02.txt`.
  static func month(_ file: ExportFiles.File) -> (year: Int32, month: Int32)? {
    let name = file.name.utf8
    guard name.count == 11, file.name.hasSuffix(".txt"), file.name.dropFirst(4).first == "-",
      let year = Int32(file.name.prefix(4)), let month = Int32(file.name.dropFirst(5).prefix(2)),
      (1...12).contains(month)
    else { return nil }
    return (year, month)
  }

  /// Whether a month begins as RedNotebook writes it: with a day, or a mapping in braces.
  static func isMonth(_ head: [UInt8]) -> Bool {
    let lines = PageText.lines(PageText.decode(head).text)
    guard let first = lines.first(where: { !$0.utf8.isBlank && $0.utf8.first != 0x23 }) else { return false }
    return first.utf8.first == UInt8(ascii: "{") || dayKey(first) != nil
  }

  /// The number of a line such as `8:` or `'08': {text: …}`.
  private static func dayKey(_ line: String) -> Int32? {
    let key = line.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard key.count <= 4, key.count < line.utf8.count, line.utf8.first != 0x20 else { return nil }
    return Int32(String(decoding: key.filter { $0 != 0x27 && $0 != 0x22 }, as: UTF8.self))
  }

  func read(_ collector: PageCollector) throws(PageReadError) {
    try collector.forEach(months) { file, bytes throws(PageReadError) in
      guard let (year, month) = Self.month(file) else { return }
      // No month of pages that can be read is longer.
      guard bytes.count <= collector.options.limits.pageBytes * 8 else { return collector.skip(file, .tooLong) }
      let text = collector.text(bytes)
      for (key, day) in days(text, file, collector) {
        let number = Int32(PageText.line(key)) ?? 0
        let date = Day(year: year, month: month, day: number).map { PageDate(day: $0) }
        try collector.add(draft(day, date, label: file.stem + "-" + (number < 10 ? "0" : "") + key, collector))
      }
    }
  }

  /// The days of a month. If it isn't valid, each day is read by itself.
  private func days(
    _ text: String, _ file: ExportFiles.File, _ collector: PageCollector
  ) -> [(key: String, value: YAMLNode)] {
    if let month = YAMLNode(text), case .mapping(let days) = month { return days }
    var parts: [(key: String, text: String)] = []
    for line in PageText.lines(text) {
      if let day = Self.dayKey(line) {
        parts.append((String(day), line))
      } else if !parts.isEmpty {
        parts[parts.count - 1].text += "\n" + line
      }
    }
    if parts.isEmpty { collector.skip(file, .malformed) }
    return parts.flatMap { key, text in
      let days = YAMLNode(text)?.members ?? []
      if days.isEmpty { collector.skip(file.stem + "-" + key, .malformed) }
      return days
    }
  }

  private func draft(_ day: YAMLNode, _ date: PageDate?, label: String, _ collector: PageCollector) -> PageDraft {
    var (text, categories, tags) = ("", [String](), [String]())
    var pictures = 0
    for (name, value) in day.members {
      if name == "text" {
        let source = value.text ?? ""
        guard source.utf8.count <= collector.options.limits.pageBytes else {
          return PageDraft(label: label, isTooLong: true)
        }
        let markup = RedNotebookMarkup(source)
        text = markup.text
        pictures = markup.pictures
        collector.leaveOut(.underlines, markup.underlines)
        tags = HashTags.find(source, sign: UInt8(ascii: "#"), extra: "-_", isTag: Self.isTag) + tags
      } else if name.lowercased() == "tags" {
        tags += Self.entries(value)
      } else {
        tags.append(name)
        let entries = Self.entries(value)
        if !entries.isEmpty {
          categories.append(name + ": " + entries.map { RedNotebookMarkup($0).text }.joined(separator: ", "))
        }
      }
    }
    let heading = MarkdownText.heading(text)
    let body = [heading?.rest ?? text, categories.joined(separator: "\n")]
    return PageDraft(
      label: label, date: date, title: heading?.title ?? "", text: body.joined(separator: "\n\n"), tags: tags,
      pictures: pictures, id: date.map { "\($0)" })
  }

  private static func entries(_ value: YAMLNode) -> [String] {
    switch value {
    case .mapping(let members): members.map(\.key)
    case .sequence(let elements): elements.compactMap(\.text)
    case .scalar: value.text.map { [$0] } ?? []
    }
  }

  /// Numbers and colors such as `#ff0000` are no tags.
  private static func isTag(_ word: String) -> Bool {
    let isColor = [3, 6].contains(word.utf8.count) && word.utf8.allSatisfy { hexadecimal.contains($0) }
    return !isColor && !HashTags.isNumber(word)
  }

  private static let hexadecimal = Set("0123456789abcdefABCDEF".utf8)
}

/// RedNotebook's markup as Markdown.
struct RedNotebookMarkup {
  private(set) var text = ""
  private(set) var pictures = 0
  private(set) var underlines = 0

  init(_ source: String) {
    let lines = PageText.lines(source).map { line in
      let bytes = Array(line.utf8)
      let before = pictures
      let text = heading(bytes) ?? inline(bytes)
      return pictures > before && text.isBlank ? [] : text
    }
    text = String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
  }

  /// `== Title ==`: as many signs on both sides.
  private mutating func heading(_ line: [UInt8]) -> [UInt8]? {
    let trimmed = line.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
    let count = trimmed.prefix { $0 == 0x3D }.count
    guard (1...5).contains(count), trimmed.reversed().prefix(while: { $0 == 0x3D }).count == count,
      trimmed.count > 2 * count
    else { return nil }
    let title = PageText.line(String(decoding: Array(trimmed.dropFirst(count).dropLast(count)), as: UTF8.self))
    return [UInt8](repeating: 0x23, count: count) + [0x20] + inline(Array(title.utf8))
  }

  /// - Parameter depth: how many signs are around this text.
  private mutating func inline(_ line: [UInt8], depth: Int = 0) -> [UInt8] {
    var (out, index, ends) = ([UInt8](), 0, Ends())
    while index < line.count {
      if line.has("://", at: index) {
        // An address may contain signs.
        let end = line[index...].firstIndex { $0 == 0x20 || $0 == 0x22 } ?? line.count
        out += line[index..<end]
        index = end
      } else if line.has("``", at: index), let end = ends.code.next(in: line, from: index + 2) {
        out += line[index..<(end + 2)]
        index = end + 2
      } else if line[index] == 0x5B, let (shown, end) = target(line, index, &ends) {
        out += shown
        index = end
      } else if line.has("\"\"", at: index), let end = ends.quote.next(in: line, from: index + 2) {
        out += line[(index + 2)..<end]
        index = end + 2
      } else if line.has("\\\\", at: index) {
        if line[(index + 2)...].contains(where: { $0 != 0x20 }) { out.append(0x0A) }
        index += 2
      } else if depth < 4, let (sign, end) = pair(line, index, &ends) {
        let inside = inline(Array(line[(index + 2)..<end]), depth: depth + 1)
        if sign == 0x5F { underlines += 1 }
        let mark: [UInt8] = sign == 0x2F ? [0x2A] : sign == 0x2D ? [0x7E, 0x7E] : []
        out += mark + inside + mark
        index = end + 2
      } else {
        out.append(line[index])
        index += 1
      }
    }
    return out
  }

  /// The ends of what opens in a line.
  private struct Ends {
    var code = RepeatedSearch("``")
    var quote = RepeatedSearch("\"\"")
    /// Signs by their character. A sign without an end is in `unpaired`.
    var signs: [UInt8: RepeatedSearch] = [
      0x2F: RepeatedSearch("//"), 0x2D: RepeatedSearch("--"), 0x5F: RepeatedSearch("__"),
    ]
    var unpaired: Set<UInt8> = []
  }

  /// The sign that opens at `start`, `//`, `--` or `__`, and where it closes. It stands next to the words that it
  /// marks.
  private func pair(_ line: [UInt8], _ start: Int, _ ends: inout Ends) -> (sign: UInt8, end: Int)? {
    let sign = line[start]
    guard ends.signs[sign] != nil, !ends.unpaired.contains(sign), start + 4 < line.count, line[start + 1] == sign,
      line[start + 2] != 0x20, line[start + 2] != sign, start == 0 || line[start - 1] != sign
    else { return nil }
    var from = start + 3
    while let end = ends.signs[sign]?.next(in: line, from: from) {
      if line[end - 1] != 0x20, line[end - 1] != 0x3A { return (sign, end) }
      from = end + 2
    }
    ends.unpaired.insert(sign)
    return nil
  }

  /// `[""picture"".png?300]` shows nothing, `[name ""address""]` both.
  private mutating func target(_ line: [UInt8], _ start: Int, _ ends: inout Ends) -> (shown: [UInt8], end: Int)? {
    guard let open = ends.quote.next(in: line, from: start + 1), open - start < 1024,
      let close = line[(open + 2)...].prefix(4096).indices.first(where: { line.has("\"\"", at: $0) }),
      let end = line[close...].prefix(64).firstIndex(of: 0x5D), !line[start..<open].contains(0x5D)
    else { return nil }
    let name = String(decoding: line[(start + 1)..<open], as: UTF8.self)
    let address = String(decoding: line[(open + 2)..<close], as: UTF8.self)
    if PageText.line(name).isEmpty {
      pictures += 1
      return ([], end + 1)
    }
    return (Array((PageText.line(name) + " (" + address + ")").utf8), end + 1)
  }
}
