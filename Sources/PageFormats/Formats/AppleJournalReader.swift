import TrunkModel

/// Reads the pages of Apple Journal: HTML whose tags may be nested wrongly.
struct AppleJournalReader: FormatReader {
  let format = PageFormat.appleJournal
  let entries: [ExportFiles.File]

  /// Whether a file is one of the pages.
  static func isEntry(_ file: ExportFiles.File) -> Bool {
    file.ending == "html" && file.fullPath.split(separator: "/").dropLast().last == "Entries"
  }

  /// Whether HTML is one of the pages, for a page or folder of them that was taken out of the export.
  static func isEntry(_ head: [UInt8]) -> Bool { head.firstIndex(of: "pageContainer") != nil }

  func read(_ collector: PageCollector) throws(PageReadError) {
    var pages: [(page: AppleJournalPage, stem: String, header: String, date: WrittenDate?)] = []
    var evidence = DayMonthEvidence()
    try collector.forEach(entries, isPage: true) { file, bytes throws(PageReadError) in
      let page = AppleJournalPage(collector.text(bytes))
      // The header is in the user's language; the name has the same day.
      let named = WrittenDate(file.stem.prefix(10), in: .nothing)
      let header = PageText.line(page.header)
      let date = named ?? WrittenDate(header, in: .words)
      if let date { evidence.add(date) }
      pages.append((page, String(file.stem), header, date))
    }
    for (page, stem, header, written) in pages {
      let date = written.flatMap { collector.date($0, header, evidence) }
      for (kind, count) in page.assets where kind != .pictures { collector.leaveOut(kind, count) }
      try collector.add(
        PageDraft(
          label: stem, date: (date?.day).map { PageDate(day: $0) }, title: page.title,
          text: page.prompt + "\n\n" + page.body, place: page.place, pictures: page.assets[.pictures] ?? 0, id: stem))
    }
  }
}
