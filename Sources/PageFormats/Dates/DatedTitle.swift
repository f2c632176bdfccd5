/// A date with a title before or behind it, as in a heading: `2022-03-05 Lunch with Anna`, `Lunch (5 March 2022)`.
struct DatedTitle {
  let written: WrittenDate
  /// The date as it is written.
  let text: String
  let title: String

  /// - Returns: `nil` if the text neither begins with a date nor ends with one that a sign sets apart.
  init?(_ text: String) {
    guard text.utf8.count < 300 else { return nil }
    // Some programs make a link of the day.
    let text = text.filter { $0 != "[" && $0 != "]" }
    let words = text.split(separator: " ")
    if let (written, count) = Self.beginning(words) {
      self.written = written
      self.text = words[..<count].joined(separator: " ").trimming(Self.signs)
      title = words[count...].joined(separator: " ").trimming(Self.signs)
    } else if let (written, count) = Self.end(words) {
      self.written = written
      self.text = words[count...].joined(separator: " ").trimming(Self.signs)
      title = words[..<count].joined(separator: " ").trimming(Self.signs)
    } else {
      return nil
    }
  }

  private static let signs = " -–—_:,|()·"
  /// The longest written date has a weekday, a day, a month, a year, and words between them.
  private static let longest = 8

  /// The date in the first words, and how many words it has with a time and a weekday behind it.
  private static func beginning(_ words: [Substring]) -> (date: WrittenDate, count: Int)? {
    let lengths = 1...max(1, min(words.count, longest))
    guard
      var (date, count) = lengths.lazy.compactMap({ length in Self.date(words.prefix(length)).map { ($0, length) } })
        .first
    else { return nil }
    if let day = weekday(words, count) { count = day }
    for end in (count + 1)...(count + 3) where end <= words.count && date.second == nil {
      if let timed = Self.date(words[..<end]), timed.second != nil { (date, count) = (timed, end) }
    }
    // The half of the day follows the time.
    if date.second != nil, count < words.count, let timed = Self.date(words[...count]),
      DateWords.isMorning(words[count].lowercased().trimming(signs + ".")) != nil
    {
      (date, count) = (timed, count + 1)
    }
    return (date, count)
  }

  /// The date in the last words, and how many words stand before it.
  private static func end(_ words: [Substring]) -> (date: WrittenDate, count: Int)? {
    for count in 1..<max(2, words.count) where count < words.count && words.count - count <= longest {
      let isApart =
        words[count].hasPrefix("(") || ["-", "–", "—", "|", "·"].contains(words[count - 1])
        || words[count - 1].hasSuffix(":")
      if isApart, let date = Self.date(words[count...]) { return (date, count) }
    }
    return nil
  }

  private static func date(_ words: ArraySlice<Substring>) -> WrittenDate? {
    WrittenDate(words.joined(separator: " ").trimming(signs), in: .nothing)
  }

  /// The words up to a weekday behind the date. A short name such as `So` or `Sun` may begin the title, unless a sign
  /// sets it apart.
  private static func weekday(_ words: [Substring], _ index: Int) -> Int? {
    guard index < words.count else { return nil }
    let word = words[index].lowercased()
    let name = word.trimming(signs + ".")
    return DateWords.isWeekday(name) && (name.utf8.count >= 6 || name != word) ? index + 1 : nil
  }
}
