import TrunkModel

/// Reads Logseq's journals: a file for each day, as an outline in Markdown or Org.
struct LogseqReader: FormatReader {
  let format = PageFormat.logseq
  let journals: [ExportFiles.File]
  let settings: ExportFiles.File?

  func read(_ collector: PageCollector) throws(PageReadError) {
    var order = DayMonthOrder?.none
    if let settings, let bytes = try collector.files.bytes(of: settings) {
      order = Self.order(PageText.decode(bytes).text)
    }
    try collector.forEach(journals, isPage: true) { file, bytes throws(PageReadError) in
      let text = collector.text(bytes)
      // Older versions wrote properties as front matter, with the day as the title.
      let outline = LogseqOutline(MarkdownText.frontMatter(text)?.body ?? text, isOrg: file.ending == "org")
      let markdown = collector.markdown(outline.text, hasWikiLinks: true)
      collector.leaveOut(.properties, outline.properties)
      collector.leaveOut(.tasks, outline.taskTimes)
      collector.leaveOut(.links, outline.references)
      try collector.add(
        PageDraft(
          label: String(file.path), date: WrittenDate(file.stem, in: .name)?.pageDate(order ?? .dayFirst),
          title: outline.title, text: markdown.text, tags: outline.tags, pictures: markdown.pictures,
          id: "journals/" + String(file.name)))
    }
  }

  /// Whether the names of files have the day or the month first, from the settings, in which `;` begins a comment.
  private static func order(_ settings: String) -> DayMonthOrder? {
    let lines = PageText.lines(settings).map { line in line.prefix { $0 != ";" } }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    guard let key = bytes.firstIndex(of: ":journal/file-name-format"), let open = bytes[key...].firstIndex(of: 0x22)
    else { return nil }
    let pattern = bytes[(open + 1)...].prefix { $0 != 0x22 }
    guard let day = pattern.firstIndex(of: UInt8(ascii: "d")), let month = pattern.firstIndex(of: UInt8(ascii: "M"))
    else { return nil }
    return day < month ? .dayFirst : .monthFirst
  }
}
