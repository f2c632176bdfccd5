/// A Markdown file with what its front matter says.
struct MarkdownNote {
  private(set) var body: String
  private(set) var date: DatedName?
  private(set) var title: String?
  private(set) var tags: [String] = []
  private(set) var place = ""
  private var others: [LeftOut: Int] = [:]

  init(_ text: String, isJoplin: Bool) {
    body = text
    guard let parts = MarkdownText.frontMatter(text), let node = YAMLNode(parts.yaml), case .mapping(let members) = node
    else { return }
    body = parts.body
    var dates: [String: DatedName] = [:]
    for (key, value) in members {
      let key = key.lowercased()
      switch key {
      case "title": title = value.text
      case "tags", "tag": tags += Self.tags(value, isJoplin: isJoplin)
      case "location", "place": place = value.text ?? ""
      case "date", "created", "date created", "created_at", "creation date":
        dates[key] = value.text.flatMap { DatedName(property: $0) }
      case "updated", "modified", "altitude", "aliases", "completed?": break
      case "latitude": others[.coordinates, default: 0] += 1
      case "longitude": break
      case "due", "scheduled": others[.tasks, default: 0] += 1
      default: others[.properties, default: 0] += 1
      }
    }
    let names = isJoplin ? ["created"] : ["date", "created", "date created", "created_at", "creation date"]
    date = names.lazy.compactMap { dates[$0] }.first
    if title?.isEmpty == true { title = nil }
  }

  /// A part of a file, with what the front matter says of all of it.
  private init(body: String, of file: MarkdownNote) {
    (self.body, tags, place) = (body, file.tags, file.place)
  }

  /// The days of a file whose headings are dates, and what stands before the first of them, without a title.
  var headed: (beginning: String, days: [(note: MarkdownNote, date: DatedName)]) {
    var parts: [(date: DatedName?, lines: [Substring])] = [(nil, [])]
    for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
      if let date = MarkdownText.heading(String(line)).flatMap({ DatedName(property: $0.title) }) {
        parts.append((date, []))
      } else {
        parts[parts.count - 1].lines.append(line)
      }
    }
    let texts = parts.map { $0.lines.joined(separator: "\n") }
    let days = zip(parts, texts).compactMap { part, text in part.date.map { (MarkdownNote(body: text, of: self), $0) } }
    return (MarkdownText.heading(texts[0])?.rest ?? texts[0], days)
  }

  /// A list, or words in one line.
  private static func tags(_ value: YAMLNode, isJoplin: Bool) -> [String] {
    if case .sequence(let elements) = value { return elements.compactMap(\.text) }
    let text = value.text ?? ""
    return text.split(whereSeparator: { text.contains(",") ? $0 == "," : !isJoplin && $0.isWhitespace }).map(
      String.init)
  }

  /// `#word`, but no number.
  static func hashTags(_ text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "#")) else { return [] }
    return HashTags.find(MarkdownCode.removed(from: text), sign: UInt8(ascii: "#"), extra: "-_/") {
      !HashTags.isNumber($0)
    }
  }

  func count(_ collector: PageCollector) {
    for (kind, count) in others { collector.leaveOut(kind, count) }
  }
}
