/// The year and the month that the headings above the days of a file state, else its name and folders.
struct DatedSection {
  private(set) var year: Int32?
  private(set) var month: StatedMonth?
  private var levelOfMonth = 0

  init(_ file: ExportFiles.File) { (year, month) = (file.year, file.month) }

  /// Reads a heading that isn't a day.
  /// - Returns: whether it only begins a year or a month, and so isn't part of a day's text. Without a year, `May`
  ///   beside the headings of days may be a name.
  mutating func begins(with heading: (title: String, level: Int, rest: String), levelOfDays: Int) -> Bool {
    guard heading.level <= levelOfDays else { return false }
    guard let stated = Self.stated(heading.title) else { return false }
    end(at: heading.level)
    year = stated.year ?? year
    if let number = stated.month {
      (month, levelOfMonth) = (StatedMonth(year: stated.year, month: number), heading.level)
    }
    return heading.level < levelOfDays || stated.year != nil
  }

  /// Ends the month before a heading that isn't below its own.
  mutating func end(at level: Int) {
    if level <= levelOfMonth { month = nil }
  }

  /// What a heading states that is only a year, only a month's name, or both.
  private static func stated(_ heading: String) -> (year: Int32?, month: Int32?)? {
    let tokens = DateToken.tokens(heading[...]).tokens
    let (numbers, words) = (tokens.filter { $0.number != nil }, tokens.compactMap(\.word))
    let (years, months) = (numbers.compactMap(ExportFiles.File.year), words.compactMap(DateWords.month))
    guard numbers.count == years.count, words.count == months.count, years.count < 2, months.count < 2,
      years.count + months.count > 0
    else { return nil }
    return (years.first, months.first)
  }
}
