import TrunkModel

/// Reads Logseq's journals: a file for each day, as an outline in Markdown or Org.
struct LogseqReader: FormatReader {
  let format = PageFormat.logseq
  let journals: [ExportFiles.File]
  /// The text of `config.edn`; empty if only the journals are there.
  let settings: String

  /// Logseq keeps the pages beside the journals, and copies below `logseq`.
  func isPart(_ file: ExportFiles.File) -> Bool { ["md", "org", "markdown", "html"].contains(file.ending) }

  func read(_ collector: PageCollector) throws(PageReadError) {
    let order = Self.order(settings)
    var evidence = DayMonthEvidence()
    for file in journals { WrittenDate(file.stem, in: .name).map { evidence.add($0) } }
    try collector.forEach(journals, isPage: true) { file, bytes throws(PageReadError) in
      let date = WrittenDate(file.stem, in: .name).flatMap { written in
        order.map { written.pageDate($0) } ?? collector.date(written, file.stem, evidence)
      }
      let text = collector.text(bytes)
      // Older versions wrote properties as front matter, with the day as the title.
      let outline = LogseqOutline(MarkdownText.frontMatter(text)?.body ?? text, isOrg: file.ending == "org")
      let markdown = collector.markdown(outline.text, hasWikiLinks: true)
      collector.leaveOut(.properties, outline.properties)
      collector.leaveOut(.tasks, outline.taskTimes)
      collector.leaveOut(.links, outline.references)
      try collector.add(
        PageDraft(
          label: String(file.path), date: date,
          title: outline.title, text: markdown.text, tags: outline.tags, pictures: markdown.pictures,
          id: "journals/" + String(file.name)))
    }
  }

  /// Whether the names of files have the day or the month first, from the settings.
  private static func order(_ settings: String) -> DayMonthOrder? {
    guard let pattern = setting(":journal/file-name-format", settings), let day = pattern.firstIndex(of: "d"),
      let month = pattern.firstIndex(of: "M")
    else { return nil }
    return day < month ? .dayFirst : .monthFirst
  }

  /// The folder of the journals.
  static func folder(_ settings: String) -> String { setting(":journals-directory", settings) ?? "journals" }

  /// A text among the settings, in which `;` begins a comment.
  private static func setting(_ name: StaticString, _ settings: String) -> String? {
    let lines = PageText.lines(settings).map { line in line.prefix { $0 != ";" } }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    guard let key = bytes.firstIndex(of: name), let open = bytes[key...].firstIndex(of: 0x22) else { return nil }
    return String(decoding: bytes[(open + 1)...].prefix { $0 != 0x22 }, as: UTF8.self)
  }

  /// Whether a text has what only Logseq writes.
  static func isOutline(_ text: String) -> Bool {
    PageText.lines(text).contains { line in
      let line = line.trimming(" \t")
      return line == ":LOGBOOK:" || line == "collapsed:: true" || line.hasPrefix("id:: ") && line.utf8.count == 41
    }
  }
}
