/// The month of which a folder, a file or the part below a heading is.
struct StatedMonth {
  /// `nil` if only the month is stated.
  var year: Int32?
  var month: Int32
}

/// A day that the folders of a file name: `2019/05/12`, `2019/05-May/2019-05-12`.
enum FolderDate {
  /// Names of files that say nothing.
  static let plainNames: Set<String> = ["note", "notes", "index", "entry", "day", "text", "readme", "journal"]

  /// A year, a month and a day as the last parts of a path. A whole date alone may be that of a backup, so a folder of
  /// its year must be above it, and all parts must agree.
  static func day(_ parts: some BidirectionalCollection<Substring>) -> WrittenDate? {
    guard let last = parts.last, let above = yearAndMonth(parts.dropLast()) else { return nil }
    if let date = WrittenDate(last, in: .nothing), case .known(let month, _) = date.dayMonth, date.second == nil {
      return date.year == above.year && month == above.month ?? month ? date : nil
    }
    guard let month = above.month, last.utf8.count <= 2, HashTags.isNumber(String(last)), let day = Int32(last) else {
      return nil
    }
    return WrittenDate(year: above.year, .known(month: month, day: day))
  }

  /// Whether a path has a year: `19/05/12` may be of 2012 or 2019.
  static func hasYear(_ path: Substring) -> Bool {
    DateToken.tokens(path).tokens.contains { $0.isNumber(digits: 4...14) }
  }

  /// What the last folders say: a year, perhaps with a month below it or in the same name.
  private static func yearAndMonth(
    _ folders: some BidirectionalCollection<Substring>
  ) -> (year: Int32, month: Int32?)? {
    guard let last = folders.last else { return nil }
    if let year = year(last) { return (year, nil) }
    guard let (stated, month) = month(last) else { return nil }
    let above = folders.dropLast().last.flatMap(year)
    guard let year = stated ?? above, year == above ?? year else { return nil }
    return (year, month)
  }

  /// The month that the innermost of these names states. A number is one only below a year.
  static func month(around path: [Substring]) -> StatedMonth? {
    for index in path.indices.reversed() {
      guard let (stated, month) = month(path[index]) else { continue }
      let year = stated ?? path[..<index].last.flatMap(year)
      if year != nil || path[index].contains(where: \.isLetter) { return StatedMonth(year: year, month: month) }
    }
    return nil
  }

  private static func year(_ name: Substring) -> Int32? {
    name.utf8.count == 4 && HashTags.isNumber(String(name)) ? Int32(name) : nil
  }

  /// `05`, `May`, `05-May`, `2019-05`.
  private static func month(_ name: Substring) -> (year: Int32?, month: Int32)? {
    let tokens = DateToken.tokens(name).tokens
    let years = tokens.filter { $0.isNumber(digits: 4...4) }.compactMap(\.number)
    let words = tokens.compactMap(\.word)
    let named = words.compactMap(DateWords.month)
    let numbers = tokens.filter { $0.isNumber(digits: 1...2) }.compactMap(\.number)
    let months = Set(named + numbers)
    guard named.count == words.count, years.count < 2, months.count == 1, let month = months.first,
      (1...12).contains(month), tokens.count(where: { $0.number != nil }) == years.count + numbers.count
    else { return nil }
    return (years.first, month)
  }
}

extension ExportFiles.File {
  /// The month that the name or the folders state.
  var month: StatedMonth? { FolderDate.month(around: fullPath.split(separator: "/").dropLast() + [stem]) }

  /// The year that the name or the folders have; `nil` if they have several.
  var year: Int32? {
    let years = Set(DateToken.tokens(path).tokens.compactMap(Self.year))
    return years.count == 1 ? years.first : nil
  }

  static func year(_ token: DateToken) -> Int32? {
    guard token.isNumber(digits: 4...4), let year = token.number, (1900...2100).contains(year) else { return nil }
    return year
  }
}
