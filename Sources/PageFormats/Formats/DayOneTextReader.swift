import TrunkModel

/// Reads Day One's plain text, whose entries begin with lines of a tab, a name, a colon and a tab.
struct DayOneTextReader: FormatReader {
  let format = PageFormat.dayOneText
  let journals: [ExportFiles.File]

  /// Whether a line is the first of an entry.
  static func isStart(_ line: String) -> Bool { field(line)?.name == "Date" }

  func read(_ collector: PageCollector) throws(PageReadError) {
    var (entries, evidence) = ([Entry](), DayMonthEvidence())
    try collector.forEach(journals) { file, bytes throws(PageReadError) in
      var isHead = false
      for line in PageText.lines(collector.text(bytes)) {
        if Self.isStart(line), let date = Self.field(line)?.value {
          let written = WrittenDate(date, in: .words)
          if let written { evidence.add(written) }
          entries.append(Entry(label: date, written: written))
          isHead = true
          try collector.checkCount(entries.count)
        } else if entries.isEmpty {
          continue
        } else if isHead, let (name, value) = Self.field(line) {
          entries[entries.count - 1].fields[name] = value
        } else {
          isHead = false
          entries[entries.count - 1].lines.append(line)
        }
      }
    }
    for entry in entries {
      let markdown = collector.markdown(entry.lines.joined(separator: "\n"))
      let heading = MarkdownText.heading(markdown.text)
      if entry.fields["Weather"] != nil { collector.leaveOut(.weather) }
      let tags = entry.fields["Tags"] ?? entry.fields["Keywords"] ?? ""
      try collector.add(
        PageDraft(
          label: entry.label, date: entry.written.flatMap { collector.date($0, entry.label, evidence) },
          title: MarkdownText.unescaped(heading?.title ?? ""),
          text: MarkdownText.unescaped(heading?.rest ?? markdown.text),
          tags: tags.split(separator: ",").map(String.init), place: entry.fields["Location"] ?? "",
          pictures: max(Self.pictures(entry.fields["Photos"] ?? entry.fields["Photo"] ?? ""), markdown.pictures)))
    }
  }

  private struct Entry {
    var label: String
    var written: WrittenDate?
    var fields: [String: String] = [:]
    var lines: [String] = []
  }

  /// The parts of tab, name, colon, tab, value.
  private static func field(_ line: String) -> (name: String, value: String)? {
    guard line.utf8.first == 0x09, let colon = line.utf8.firstIndex(of: 0x3A) else { return nil }
    let value = line[colon...].dropFirst()
    guard value.utf8.first == 0x09 else { return nil }
    let name = PageText.line(line[..<colon])
    return name.isEmpty ? nil : (name, PageText.line(value))
  }

  /// A number, or names of files.
  private static func pictures(_ value: String) -> Int {
    Int(value).map { min($0, 1000) } ?? value.split { $0 == " " || $0 == "," }.count
  }
}
