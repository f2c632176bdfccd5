import TrunkModel

/// Reads folders of Markdown and text files, such as those of Obsidian, and Joplin's export with front matter.
struct MarkdownReader: FormatReader {
  let format: PageFormat
  let notes: [ExportFiles.File]

  func read(_ collector: PageCollector) throws(PageReadError) {
    var (drafts, evidence) = ([(draft: PageDraft, date: DatedName)](), FolderEvidence())
    try collector.forEach(notes, isPage: true) { file, bytes throws(PageReadError) in
      let text = collector.text(bytes)
      let note = MarkdownNote(text, isJoplin: format == .joplin)
      note.count(collector)
      guard let date = note.date ?? (format == .joplin ? nil : DatedName(file)) else {
        return collector.skip(file, .noDate)
      }
      evidence.add(date)
      drafts.append((draft(note, file, date, collector), date))
    }
    for (draft, date) in drafts {
      var draft = draft
      let order = evidence.order(date, collector.options.dayMonthOrder)
      if order == nil, case .either = date.written.dayMonth { collector.question = evidence.question(date) }
      draft.date = date.written.pageDate(order)
      try collector.add(draft)
    }
  }

  private func draft(
    _ note: MarkdownNote, _ file: ExportFiles.File, _ date: DatedName, _ collector: PageCollector
  ) -> PageDraft {
    let tags = note.tags + (format == .joplin ? [] : MarkdownNote.hashTags(note.body))
    let markdown = collector.markdown(note.body, hasWikiLinks: format != .joplin)
    var (title, text) = (note.title ?? date.rest, markdown.text)
    if let heading = MarkdownText.heading(text), title.isEmpty || PageText.line(heading.title) == PageText.line(title) {
      (title, text) = (heading.title, heading.rest)
    }
    return PageDraft(
      label: String(file.path), title: title, text: text, tags: tags, place: note.place,
      pictures: markdown.pictures, id: String(file.path))
  }
}

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
    return HashTags.find(text, sign: UInt8(ascii: "#"), extra: "-_/") { !HashTags.isNumber($0) }
  }

  func count(_ collector: PageCollector) {
    for (kind, count) in others { collector.leaveOut(kind, count) }
  }
}

/// A date in front matter, or in the name of a file with what else the name says.
struct DatedName {
  let written: WrittenDate
  /// The date as it is written.
  let text: String
  /// The name without the date.
  let rest: String
  let folder: Substring

  /// A date in front matter.
  init?(property text: String) {
    guard let date = WrittenDate(text, in: .nothing) else { return nil }
    (written, self.text, rest, folder) = (date, text, "", Self.frontMatter)
  }

  /// Stands for the folder of dates in front matter, because their order is that of another program's settings.
  private static let frontMatter: Substring = "/"

  /// - Returns: `nil` if neither the name nor the folders have a date.
  init?(_ file: ExportFiles.File) {
    folder = file.folder
    if let date = WrittenDate(file.stem, in: .name) {
      written = date
      text = String(file.stem[date.range])
      let words = [file.stem[..<date.range.lowerBound], file.stem[date.range.upperBound...]]
        .map { PageText.line($0.trimming(" -–—_.,:")) }
      // The day of the week belongs to the date.
      rest = words.filter { !$0.isEmpty && ($0.utf8.count < 3 || !DateWords.isWeekday($0.lowercased())) }
        .joined(separator: " ")
      return
    }
    // `2023/January/05.md`, `2023/01/05.md`, `2023-01/05.md`
    let folders = file.fullPath.split(separator: "/").dropLast()
    let paths = [folders.suffix(2).joined(separator: "/") + "/" + file.stem, (folders.last ?? "") + "-" + file.stem]
    guard let date = paths.lazy.compactMap({ WrittenDate($0, in: .nothing) }).first else { return nil }
    written = date
    text = String(file.stem)
    rest = ""
  }
}

/// Whether names write the day or the month first: the folder decides, else all folders, else points, else the user.
private struct FolderEvidence {
  private var all = DayMonthEvidence()
  private var folders: [Substring: DayMonthEvidence] = [:]

  mutating func add(_ name: DatedName) {
    all.add(name.written, name.text)
    folders[name.folder, default: DayMonthEvidence()].add(name.written, name.text)
  }

  func order(_ name: DatedName, _ answer: DayMonthOrder?) -> DayMonthOrder? {
    folders[name.folder]?.order(nil) ?? folderOrder(name) ?? all.order(nil)
      ?? (name.written.isDotted ? .dayFirst : answer)
  }

  func question(_ name: DatedName) -> DayMonthQuestion? { folders[name.folder]?.question ?? all.question }

  /// A folder such as `2024/10` or `January` shows which number is the month.
  private func folderOrder(_ name: DatedName) -> DayMonthOrder? {
    guard case .either(let first, let second) = name.written.dayMonth else { return nil }
    for part in name.folder.split(separator: "/").reversed() {
      let tokens = DateToken.tokens(part).tokens
      let months = tokens.compactMap { token in
        token.word.flatMap(DateWords.month) ?? (token.isNumber(digits: 1...2) ? token.number : nil)
      }
      guard let month = months.first, month == first || month == second else { continue }
      return month == first ? .monthFirst : .dayFirst
    }
    return nil
  }
}

extension StringProtocol {
  /// Without these characters at both ends.
  func trimming(_ characters: String) -> String {
    let start = drop { characters.contains($0) }
    return String(start.reversed().drop { characters.contains($0) }.reversed())
  }
}
