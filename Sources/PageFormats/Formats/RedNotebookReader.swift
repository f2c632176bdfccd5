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

  /// RedNotebook keeps older months and templates beside the months.
  func isPart(_ file: ExportFiles.File) -> Bool { file.ending == "txt" }

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
