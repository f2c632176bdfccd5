import TrunkModel

/// Finds a date and a time in tokens.
struct DateScanner {
  let tokens: [DateToken]
  let text: Substring
  let places: [Substring.Index]
  private var used: [Bool]

  init(tokens: [DateToken], text: Substring, places: [Substring.Index]) {
    (self.tokens, self.text, self.places) = (tokens, text, places)
    used = Array(repeating: false, count: tokens.count)
  }

  mutating func use(_ range: Range<Int>) {
    for index in range where index < used.count { used[index] = true }
  }

  private func isUsed(_ index: Int) -> Bool { index < used.count && used[index] }

  private func token(_ index: Int) -> DateToken? { tokens.indices.contains(index) ? tokens[index] : nil }

  // MARK: - Date

  func date(at start: Int, isWhole: Bool) -> (date: WrittenDate, end: Int)? {
    guard case .number(_, let digits)? = token(start) else { return named(at: start) }
    if [8, 12, 14].contains(digits), let date = compact(at: start) { return (date, start + 1) }
    return numeric(at: start, isWhole: isWhole) ?? named(at: start)
  }

  /// `20240109`, `202401091830`, `20240109183005`.
  private func compact(at index: Int) -> WrittenDate? {
    let digits = text[places[index]..<places[index + 1]].utf8.map { Int32($0) - 48 }
    func number(_ range: Range<Int>) -> Int32 { digits[range].reduce(0) { $0 * 10 + $1 } }
    let (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
    guard (1900...2199).contains(year), Day(year: year, month: month, day: day) != nil else { return nil }
    guard digits.count > 8 else { return WrittenDate(year: year, .known(month: month, day: day)) }
    let (hour, minute) = (number(8..<10), number(10..<12))
    let second = digits.count == 14 ? number(12..<14) : 0
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return WrittenDate(
      year: year, .known(month: month, day: day), second: hour * 3600 + minute * 60 + second,
      hasSeconds: digits.count == 14)
  }

  /// Three numbers with the same separator.
  private func numeric(at start: Int, isWhole: Bool) -> (date: WrittenDate, end: Int)? {
    guard let first = token(start)?.number, let second = token(start + 2)?.number,
      let third = token(start + 4)?.number, let (left, right) = separators(start + 1, start + 3),
      token(start + 2)?.isNumber(digits: 1...2) == true
    else { return nil }
    if token(start)?.isNumber(digits: 4...4) == true, token(start + 4)?.isNumber(digits: 1...2) == true {
      let end = start + 5 + (right.word != nil && token(start + 5)?.word != nil ? 1 : 0)
      return (WrittenDate(year: first, .known(month: second, day: third)), end)
    }
    guard token(start)?.isNumber(digits: 1...2) == true, left == right, case .mark(let separator) = left,
      separator != " "
    else {
      return nil
    }
    let hasShortYear =
      isWhole && (separator == "." || separator == "/") && token(start + 4)?.isNumber(digits: 2...2) == true
    guard hasShortYear || token(start + 4)?.isNumber(digits: 4...4) == true else { return nil }
    let year = hasShortYear ? third + 2000 : third
    let date =
      switch (first, second) {
      case (1...12, 1...12) where first != second:
        WrittenDate(year: year, .either(first: first, second: second), separator: separator)
      case (13...31, 1...12):
        WrittenDate(year: year, .known(month: second, day: first), shownOrder: .dayFirst, separator: separator)
      case (1...12, 13...31):
        WrittenDate(year: year, .known(month: first, day: second), shownOrder: .monthFirst, separator: separator)
      default: WrittenDate(year: year, .known(month: second, day: first), separator: separator)
      }
    return (date, start + 5)
  }

  private func separators(_ left: Int, _ right: Int) -> (DateToken, DateToken)? {
    guard let left = token(left), let right = token(right) else { return nil }
    switch (left, right) {
    case (.mark(let mark), _) where left == right && "-./_ ".contains(mark): return (left, right)
    case (.word("年"), .word("月")), (.word("년"), .word("월")): return (left, right)
    default: return nil
    }
  }

  /// A day, the name of a month and a year, in one of three orders.
  private func named(at start: Int) -> (date: WrittenDate, end: Int)? {
    var (parts, index) = ([start], start + 1)
    while parts.count < 3, let next = token(index) {
      if next.number != nil || next.word.map({ DateWords.month($0) != nil }) == true {
        parts.append(index)
      } else if index - (parts.last ?? start) > 4 || !mayStandBetween(next) {
        return nil
      }
      index += 1
    }
    guard parts.count == 3 else { return nil }
    let isDay = { (index: Int) in token(index)?.isNumber(digits: 1...2) == true }
    let isYear = { (index: Int) in token(index)?.isNumber(digits: 4...4) == true }
    let month = { (index: Int) in token(index)?.word.flatMap(DateWords.month) }
    let (a, b, c) = (parts[0], parts[1], parts[2])
    let found: (Int, Int32, Int)? =
      if isDay(a), let month = month(b), isYear(c) {
        (c, month, a)
      } else if let month = month(a), isDay(b), isYear(c) {
        (c, month, b)
      } else if isYear(a), let month = month(b), isDay(c) { (a, month, c) } else { nil }
    guard let (yearPlace, month, dayPlace) = found, let year = token(yearPlace)?.number,
      let day = token(dayPlace)?.number
    else { return nil }
    return (WrittenDate(year: year, .known(month: month, day: day)), index)
  }

  private func mayStandBetween(_ token: DateToken) -> Bool {
    switch token {
    case .mark(let mark): " ,.-_/'’".contains(mark)
    case .word(let word): DateWords.isFiller(word) || word == "d" || word == "º" || word == "ª"
    case .number: false
    }
  }

  // MARK: - Time

  mutating func time() -> (second: Int32, hasSeconds: Bool, zoning: PageDate.Zoning)? {
    for start in tokens.indices where !isUsed(start) && !isUsed(start + 1) {
      guard let hour = token(start)?.number, token(start)?.isNumber(digits: 1...2) == true,
        token(start + 1) == .mark(":") || token(start + 1) == .word("h"), let minute = token(start + 2)?.number,
        token(start + 2)?.isNumber(digits: 2...2) == true, minute < 60
      else { continue }
      var (end, second) = (start + 3, Int32?.none)
      if token(end) == .mark(":"), let value = token(end + 1)?.number, value < 60 {
        (second, end) = (value, end + 2)
        if token(end) == .mark(".") || token(end) == .mark(","), token(end + 1)?.number != nil { end += 2 }
      }
      use(start..<end)
      guard let hour = hourOfDay(hour, before: start, &end) else { return nil }
      let zoning = zoning(&end)
      return (hour * 3600 + minute * 60 + (second ?? 0), second != nil, zoning)
    }
    return nil
  }

  private mutating func hourOfDay(_ hour: Int32, before start: Int, _ end: inout Int) -> Int32? {
    var isMorning: Bool?
    let next = end + (token(end)?.isSpace == true ? 1 : 0)
    if let word = token(next)?.word {
      if let found = DateWords.isMorning(word) {
        (isMorning, end) = (found, next + 1)
      } else if word == "a" || word == "p", token(next + 1) == .mark(".") {
        // `a.m.`, with or without a space.
        let letter = next + 2 + (token(next + 2)?.isSpace == true ? 1 : 0)
        if token(letter)?.word == "m" { (isMorning, end) = (word == "a", letter + 1) }
        if isMorning != nil, token(end) == .mark(".") { end += 1 }
      }
    }
    let last = start - (token(start - 1)?.isSpace == true ? 2 : 1)
    if isMorning == nil, let word = token(last)?.word, let found = DateWords.isMorning(word) {
      isMorning = found
      use(last..<start)
    }
    use(start..<end)
    guard let isMorning, hour <= 12 else { return hour < 24 ? hour : nil }
    return hour == 0 ? nil : hour % 12 + (isMorning ? 0 : 12)
  }

  private mutating func zoning(_ end: inout Int) -> PageDate.Zoning {
    let start = end
    defer { use(start..<end) }
    if let minutes = signedOffset(&end) { return .offset(minutes) }
    var next = end
    while token(next)?.isSpace == true || token(next) == .mark("(") || token(next) == .mark("[") { next += 1 }
    guard let word = token(next)?.word else {
      // An offset after a space, as in `07:05:00 +0200`. A minus before fewer digits may be a dash.
      guard token(next) == .mark("+") || hasFullOffset(next), let minutes = signedOffset(&next) else { return .local }
      end = next
      return .offset(minutes)
    }
    if word == "z" {
      end = next + 1
      return .utc
    }
    guard let offset = DateWords.offset(word) else { return .local }
    end = next + 1
    if word == "gmt" || word == "utc", let minutes = signedOffset(&end) { return .offset(minutes) }
    return .offset(offset)
  }

  /// Whether `-0330` or `-03:30` begins here.
  private func hasFullOffset(_ start: Int) -> Bool {
    let isFour = token(start + 1)?.isNumber(digits: 4...4) == true
    let isTwo = [start + 1, start + 3].allSatisfy { token($0)?.isNumber(digits: 2...2) == true }
    return isFour || isTwo && token(start + 2) == .mark(":")
  }

  /// `+8`, `+08:00`, `-0330`.
  private func signedOffset(_ end: inout Int) -> Int16? {
    guard let sign = token(end), [.mark("+"), .mark("-"), .mark("−")].contains(sign),
      case .number(let value, let digits)? = token(end + 1), digits <= 4
    else { return nil }
    var (hours, minutes) = digits > 2 ? (value / 100, value % 100) : (value, 0)
    var next = end + 2
    if digits <= 2, token(next) == .mark(":"), let value = token(next + 1)?.number,
      token(next + 1)?.isNumber(digits: 2...2) == true
    {
      (minutes, next) = (value, next + 2)
    }
    guard hours <= 14, minutes < 60 else { return nil }
    if sign != .mark("+") { (hours, minutes) = (-hours, -minutes) }
    end = next
    return Int16(hours * 60 + minutes)
  }

  /// Whether nothing is left that could mean that this is no date.
  var restSaysNothing: Bool {
    tokens.indices.allSatisfy { index in
      if used[index] { return true }
      switch tokens[index] {
      case .mark(let mark): return " ,.-:;()'’/|@".contains(mark)
      case .word(let word): return DateWords.isWeekday(word) || DateWords.isFiller(word)
      case .number: return false
      }
    }
  }
}
