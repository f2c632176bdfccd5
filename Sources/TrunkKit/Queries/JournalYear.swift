import TrunkModel

/// The number of entries and of earlier pages on each day of a calendar year. Days are reset days, which begin at
/// 06:00.
public struct JournalYear: Sendable, Equatable {
  public let year: Int32
  /// The number of entries on each day of the year, from 1 January.
  public let counts: [Int]
  /// The number of earlier pages on each day of the year.
  public let pages: [Int]
  /// The years with entries or pages, in ascending order.
  public let years: [Int32]

  /// The first day of the year.
  public var first: Day { JournalYear.newYear(year) }

  /// - Returns: the number of entries on a day; `nil` if the day is in another year.
  public func count(on day: Day) -> Int? { count(counts, on: day) }

  /// - Returns: the number of earlier pages on a day; `nil` if the day is in another year.
  public func pages(on day: Day) -> Int? { count(pages, on: day) }

  private func count(_ counts: [Int], on day: Day) -> Int? {
    let index = Int(day.number) - Int(first.number)
    return counts.indices.contains(index) ? counts[index] : nil
  }

  /// The number of entries in each week of a month: its first seven days, the next seven, and so on.
  /// - Parameter month: 1…12.
  public func weeks(ofMonth month: Int32) -> [Int] { weeks(counts, ofMonth: month) }

  /// The number of earlier pages in each week of a month.
  /// - Parameter month: 1…12.
  public func pageWeeks(ofMonth month: Int32) -> [Int] { weeks(pages, ofMonth: month) }

  private func weeks(_ counts: [Int], ofMonth month: Int32) -> [Int] {
    let days = (Day(year: year, month: month, day: 1) ?? first).daysOfMonth.map { count(counts, on: $0) ?? 0 }
    return stride(from: 0, to: days.count, by: 7).map { days[$0..<min($0 + 7, days.count)].reduce(0, +) }
  }

  /// - Parameter lines: the lines to count; plantings and uprootings are ignored.
  public init(_ year: Int32, of lines: [JournalLine]) {
    let first = JournalYear.newYear(year)
    let none = [Int](repeating: 0, count: Int(JournalYear.newYear(year + 1).number - first.number))
    var (counts, pages) = (none, none)
    var years = Set<Int32>()
    for line in lines where line.isEntry {
      let day = line.day
      years.insert(day.year)
      guard day.year == year else { continue }
      let index = Int(day.number - first.number)
      if case .page = line { pages[index] += 1 } else { counts[index] += 1 }
    }
    (self.year, self.counts, self.pages, self.years) = (year, counts, pages, years.sorted())
  }

  static func newYear(_ year: Int32) -> Day { Day(year: year, month: 1, day: 1) ?? Day(number: 0) }
}

extension Day {
  /// The days of its month.
  public var daysOfMonth: [Day] {
    let first = adding(days: 1 - day)
    return (0..<first.distance(to: first.adding(months: 1))).map { first.adding(days: $0) }
  }

  /// The last day of its month.
  public var monthEnd: Day { daysOfMonth.last ?? self }
}
