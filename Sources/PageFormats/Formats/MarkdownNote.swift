/// A Markdown file with what its front matter says.
struct MarkdownNote {
  private(set) var body: String
  private(set) var date: DatedName?
  /// Whether the date is the one that the user gave the note, and not that of its file.
  private(set) var isDateOfNote = false
  private(set) var title: String?
  private(set) var tags: [String] = []
  private(set) var place = ""
  private var others: [LeftOut: Int] = [:]

  init(_ text: String, isJoplin: Bool) {
    body = text
    guard let matter = FrontMatter.read(text) else { return }
    body = matter.body
    var dates: [String: DatedName] = [:]
    for (key, value) in matter.members {
      // `Date Created`, `created_at` and `creationDate` mean the same as `created`.
      let name = key.lowercased().filter { $0 != " " && $0 != "_" && $0 != "-" }
      switch name {
      case "title": title = value.text
      case "tags", "tag": tags += Self.tags(value, isJoplin: isJoplin)
      case "location", "place": place = value.text ?? ""
      case "date", "day", "created", "datecreated", "createdat", "creationdate":
        let kind = ["date", "day"].contains(name) ? "date" : "created"
        // A day of the week or a number of days is no date, and must not replace one.
        dates[kind] = value.link.flatMap { DatedName(property: $0) } ?? (name == "day" ? dates[kind] : nil)
      case "updated", "modified", "datemodified", "updatedat", "altitude", "aliases", "completed?": break
      case "latitude": others[.coordinates, default: 0] += 1
      case "longitude": break
      case "due", "scheduled": others[.tasks, default: 0] += 1
      default: others[.properties, default: 0] += 1
      }
    }
    isDateOfNote = !isJoplin && dates["date"] != nil
    date = isDateOfNote ? dates["date"] : dates["created"]
    if title?.isEmpty == true { title = nil }
  }

  /// The date of a note in a file. A day in the file's name goes before the day on which the file was created, which
  /// may still tell the time.
  func date(in file: ExportFiles.File) -> DatedName? {
    let name = DatedName(file)
    guard var date else { return name }
    date.place(in: file.month)
    guard !isDateOfNote, let name, name.isInName else { return date }
    let isSameDay = date.written.pageDate().map { $0.day == name.written.pageDate()?.day } ?? false
    return isSameDay ? date.with(name) : name
  }

  /// A part of a file, with what the front matter says of all of it.
  private init(body: String, of file: MarkdownNote) {
    (self.body, tags, place) = (body, file.tags, file.place)
  }

  /// The days of a file whose headings are dates.
  struct Days {
    /// What stands before the first of them, without a title.
    var beginning = ""
    var days: [(note: MarkdownNote, date: DatedName)] = []
    /// Whether a heading is a date without a year, and the year isn't known.
    var lacksYear = false
  }

  /// Finds the days of a file whose headings are dates. A heading may also have a title beside the date, unless it is
  /// below the first heading of a day. A date without a year is of the year in the heading above it, else of the one
  /// that the file or its folders name.
  /// - Parameter completesYears: whether dates without a year count.
  func headed(in file: ExportFiles.File, completesYears: Bool = true) -> Days {
    var parts: [(date: DatedName?, lines: [Substring])] = [(nil, [])]
    var (code, level, result) = (MarkdownCode(), 6, Days())
    var section = DatedSection(file)
    var completed: [(day: Int32, year: Int32)] = []
    for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
      guard !code.isCode(line.utf8), let heading = MarkdownText.heading(String(line)) else {
        parts[parts.count - 1].lines.append(line)
        continue
      }
      if section.begins(with: heading, levelOfDays: parts.count == 1 ? 7 : level) {
        if parts.count == 1 { parts[0].lines.append(line) }
        continue
      }
      let year = section.year
      let yearless =
        completesYears ? DatedName(heading: heading.title, year: year ?? 2000) : nil  // A leap year.
      if yearless != nil, year == nil { result.lacksYear = true }
      if var date = DatedName(heading: heading.title) ?? (year == nil ? nil : yearless),
        date.rest.isEmpty || heading.level <= level
      {
        if let yearless, case .known(_, let day) = yearless.written.dayMonth {
          completed.append((day, yearless.written.year))
        }
        if parts.count == 1 { level = heading.level }
        date.place(in: section.month)
        parts.append((date, []))
      } else {
        if parts.count == 1 || heading.level < level { section.end(at: heading.level) }
        parts[parts.count - 1].lines.append(line)
      }
    }
    // `March 19` may be the month of 2019.
    if !completed.isEmpty, completed.allSatisfy({ $0.day == $0.year % 100 }) {
      return headed(in: file, completesYears: false)
    }
    let texts = parts.map { $0.lines.joined(separator: "\n") }
    result.days = zip(parts, texts).compactMap { part, text in
      part.date.map { (MarkdownNote(body: text, of: self), $0) }
    }
    result.beginning = MarkdownText.heading(texts[0])?.rest ?? texts[0]
    return result
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
