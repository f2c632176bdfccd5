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

  /// `2:33 nachm.` as `2:33 pm`: Daylio writes the time in the user's language. `14.33` becomes `14:33`.
  private static func englishTime(_ time: String) -> String {
    let digits = time.filter { $0.isASCII && $0.isNumber || ":.h".contains($0) }.trimming(".:h")
    let word = time.lowercased().filter(\.isLetter)
    guard let isMorning = DateWords.isMorning(word) ?? halves[word] else { return word.isEmpty ? digits.colons : time }
    return digits.colons + (isMorning ? " am" : " pm")
  }

  /// The halves of the day, without points. In a sentence these words can mean something else.
  /// Source: Unicode CLDR, `dayPeriods`.
  private static let halves: [String: Bool] = {
    let pairs = """
      vorm nachm, fm em, ap ip, dop odp, dop pop, öö ös, de du, sa ch, πμ μμ, vm nm, ص م, \
      prijepodne poslijepodne, prepodne popodne
      """
    var halves: [String: Bool] = [:]
    for pair in pairs.split(separator: ",") {
      let words = pair.split(separator: " ")
      halves[String(words[0])] = true
      halves[String(words[1])] = false
    }
    return halves
  }()

  private static func draft(_ value: (String) -> String) -> PageDraft {
    let day = value("full_date")
    let written = day.isEmpty ? value("date") + " " + value("year") : day
    let time = value("time")
    let date = WrittenDate(written, in: .words)?.pageDate()
    // A time in an unknown form doesn't spoil the day.
    let timed = date.flatMap { WrittenDate("\($0.day) " + Self.englishTime(time), in: .words)?.pageDate() }
    let note = value("note")
    return PageDraft(
      label: written + " " + time, date: timed ?? date, title: value("note_title"),
      text: HTMLText.plain(note, keepsLines: true, names: HTMLText.closedNames(note)),
      tags: [value("mood")] + value("activities").split(separator: "|").map(String.init))
  }
}

extension String {
  /// With colons in place of points and `h`.
  fileprivate var colons: String { String(map { ".h".contains($0) ? ":" : $0 }) }
}
