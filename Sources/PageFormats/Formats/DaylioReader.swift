import TrunkModel

/// Reads Daylio's CSV, which has its newest row first.
struct DaylioReader: FormatReader {
  let format = PageFormat.daylio
  let table: ExportFiles.File

  /// Whether a file begins with the names of Daylio's columns.
  static func isHeader(_ head: [UInt8]) -> Bool {
    var rows = CSVRows(PageText.decode(head).text)
    let names = rows.next()?.map { $0.lowercased() } ?? []
    return names.contains("mood") && names.contains("activities") && (names.contains("full_date") || names[0] == "year")
  }

  func read(_ collector: PageCollector) throws(PageReadError) {
    try collector.forEach([table]) { file, bytes throws(PageReadError) in
      var rows = CSVRows(collector.text(bytes))
      let names = rows.next()?.map { PageText.line($0).lowercased() } ?? []
      let columns = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
      var drafts: [PageDraft] = []
      while let row = rows.next() {
        let value = { (name: String) in
          columns[name].flatMap { $0 < row.count ? row[$0] : nil } ?? ""
        }
        let isLong = row.contains { $0.utf8.count > collector.options.limits.pageBytes }
        drafts.append(isLong ? PageDraft(label: value("full_date"), isTooLong: true) : Self.draft(value))
        if !value("scales").isEmpty { collector.leaveOut(.scales) }
        try collector.checkCount(drafts.count)
      }
      for draft in drafts.reversed() { try collector.add(draft) }
    }
  }

  private static func draft(_ value: (String) -> String) -> PageDraft {
    let day = value("full_date")
    let written = day.isEmpty ? value("date") + " " + value("year") : day
    let time = value("time")
    let date = WrittenDate(written, in: .words)?.pageDate()
    // A time in an unknown form doesn't spoil the day.
    let timed = date.flatMap { WrittenDate("\($0.day) " + time, in: .words)?.pageDate() }
    return PageDraft(
      label: written + " " + time, date: timed ?? date, title: value("note_title"),
      text: HTMLText.plain(value("note"), keepsLines: true),
      tags: [value("mood")] + value("activities").split(separator: "|").map(String.init))
  }
}
