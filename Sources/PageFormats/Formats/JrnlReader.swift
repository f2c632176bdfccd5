import TrunkModel

/// Reads jrnl's text files: one with all entries, or a folder with one for each day.
struct JrnlReader: FormatReader {
  let format = PageFormat.jrnl
  let journals: [ExportFiles.File]
  let isFolder: Bool

  func read(_ collector: PageCollector) throws(PageReadError) {
    var (entries, evidence, linesLikeEntries) = ([JrnlEntry](), DayMonthEvidence(), 0)
    try collector.forEach(journals) { file, bytes throws(PageReadError) in
      var text = JrnlText(collector.text(bytes))
      let day = isFolder ? Self.day(file.fullPath) : nil
      while let entry = try text.next(day, check: collector.check) {
        entries.append(entry)
        try collector.checkCount(entries.count)
        if let written = entry.written { evidence.add(written) }
      }
      linesLikeEntries += text.linesLikeEntries
      if let preamble = text.preamble { collector.skip(preamble, .noDate) }
    }
    if linesLikeEntries > 0 { collector.notes.append(.linesLikeEntries(count: linesLikeEntries)) }
    for entry in entries {
      if entry.isStarred { collector.leaveOut(.stars) }
      // A folder's day is certain; the line then only tells the time.
      let date =
        if let day = entry.day {
          PageDate(day: day, second: entry.written?.second, hasSeconds: entry.written?.hasSeconds ?? false)
        } else {
          entry.written.flatMap { collector.date($0, entry.label, evidence) }
        }
      try collector.add(
        PageDraft(
          label: entry.label, date: date, title: entry.title, text: entry.body,
          tags: Self.tags(entry.title + "\n" + entry.body)))
    }
  }

  static func tags(_ text: String) -> [String] {
    HashTags.find(text, sign: UInt8(ascii: "@"), extra: "-+*#/_") { _ in true }
  }

  /// The day of `2024/01/09.txt`.
  static func day(_ path: String) -> Day? {
    let parts = path.split(separator: "/").suffix(3)
    guard parts.count == 3, let last = parts.last, last.hasSuffix(".txt") else { return nil }
    let digits = [parts[parts.startIndex], parts[parts.startIndex + 1], last.dropLast(4)]
    guard digits.map(\.utf8.count) == [4, 2, 2], let year = Int32(digits[0]), let month = Int32(digits[1]),
      let day = Int32(digits[2])
    else { return nil }
    return Day(year: year, month: month, day: day)
  }
}
