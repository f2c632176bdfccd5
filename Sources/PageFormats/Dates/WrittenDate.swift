import TrunkModel

/// A date as people and programs write it: `2024-01-09 07:05`, `3. April 2024`, `03/04/2023`, `20240109`.
struct WrittenDate {
  enum DayMonth: Equatable {
    case known(month: Int32, day: Int32)
    /// `03.04`: two numbers up to 12.
    case either(first: Int32, second: Int32)
  }

  var year: Int32
  var dayMonth: DayMonth
  /// The order that a number above 12 shows. `nil` if none does, or if the year or a month's name decides it.
  var shownOrder: DayMonthOrder?
  /// What stands between three numbers of which the year is the last; `nil` for other dates.
  var separator: Character?
  var second: Int32?
  var hasSeconds = false
  var zoning = PageDate.Zoning.local
  /// The day, month and year in the text.
  var range: Range<Substring.Index>

  /// - Returns: `nil` if no calendar has this day, or if its order isn't known.
  func pageDate(_ order: DayMonthOrder? = nil) -> PageDate? {
    let (month, day): (Int32, Int32)
    switch (dayMonth, order) {
    case (.known(let knownMonth, let knownDay), _): (month, day) = (knownMonth, knownDay)
    case (.either(let first, let second), .dayFirst): (month, day) = (second, first)
    case (.either(let first, let second), .monthFirst): (month, day) = (first, second)
    case (.either, nil): return nil
    }
    guard let day = Day(year: year, month: month, day: day) else { return nil }
    return PageDate(day: day, second: second, hasSeconds: hasSeconds, zoning: zoning)
  }

  /// Decides the order by the month in which the date stands, if that is one of the two numbers.
  mutating func place(in stated: StatedMonth?) {
    guard let stated, stated.year ?? year == year, case .either(let first, let second) = dayMonth else { return }
    if stated.month == second {
      dayMonth = .known(month: second, day: first)
    } else if stated.month == first {
      dayMonth = .known(month: first, day: second)
    }
  }

  /// What may stand beside the date and time.
  enum Surroundings {
    /// Only a weekday and words such as `at`.
    case nothing
    /// Other words, as in a file's name. A time isn't read.
    case name
    /// Other words, as in a line that begins with `Date:`.
    case words
  }

  init?(_ text: some StringProtocol, in surroundings: Surroundings) {
    let text = Substring(text)
    guard text.utf8.count < 300 else { return nil }
    let (tokens, places) = DateToken.tokens(text)
    var scanner = DateScanner(tokens: tokens, text: text, places: places)
    guard
      let (date, range) = tokens.indices.lazy.compactMap({ start in
        scanner.date(at: start, isWhole: surroundings == .nothing).map { ($0.date, start..<$0.end) }
      }).first
    else { return nil }
    self = date
    self.range = places[range.lowerBound]..<places[range.upperBound]
    scanner.use(range)
    if surroundings != .name, second == nil, let time = scanner.time() {
      (second, hasSeconds, zoning) = (time.second, time.hasSeconds, time.zoning)
    }
    if surroundings == .nothing, !scanner.restSaysNothing { return nil }
  }

  init(
    year: Int32, _ dayMonth: DayMonth, shownOrder: DayMonthOrder? = nil, separator: Character? = nil,
    second: Int32? = nil,
    hasSeconds: Bool = false
  ) {
    (self.year, self.dayMonth, self.shownOrder, self.separator) = (year, dayMonth, shownOrder, separator)
    (self.second, self.hasSeconds) = (second, hasSeconds)
    let place = "".startIndex
    range = place..<place
  }
}

extension WrittenDate {
  /// Milliseconds since 1970, as programs write them: 13 digits, which no other form of a date has.
  init?(milliseconds text: String) {
    guard text.utf8.count == 13, HashTags.isNumber(text), let number = Double(text),
      let date = PageDate(milliseconds: number, zone: nil)
    else { return nil }
    self.init(
      year: date.day.year, .known(month: date.day.month, day: date.day.day), second: date.second,
      hasSeconds: date.hasSeconds)
    zoning = date.zoning
  }
}
