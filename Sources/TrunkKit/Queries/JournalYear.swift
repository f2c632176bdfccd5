import TrunkModel

/// The number of entries on each day of a calendar year. Days are reset days, which begin at 06:00.
public struct JournalYear: Sendable, Equatable {
  public let year: Int32
  /// The number of entries on each day of the year, from 1 January.
  public let counts: [Int]
  /// The years with entries, in ascending order.
  public let years: [Int32]

  /// The first day of the year.
  public var first: Day { JournalYear.newYear(year) }

  /// - Returns: the number of entries on a day; `nil` if the day is in another year.
  public func count(on day: Day) -> Int? {
    let index = Int(day.number) - Int(first.number)
    return counts.indices.contains(index) ? counts[index] : nil
  }

  /// The number of entries in each week of a month: its first seven days, the next seven, and so on.
  /// - Parameter month: 1…12.
  public func weeks(ofMonth month: Int32) -> [Int] {
    let days = (Day(year: year, month: month, day: 1) ?? first).daysOfMonth.map { count(on: $0) ?? 0 }
    return stride(from: 0, to: days.count, by: 7).map { days[$0..<min($0 + 7, days.count)].reduce(0, +) }
  }

  /// - Parameter items: the items to count; plantings and uprootings are ignored.
  public init(_ year: Int32, of items: [TimelineItem]) {
    let first = JournalYear.newYear(year)
    var counts = [Int](repeating: 0, count: Int(JournalYear.newYear(year + 1).number - first.number))
    var years = Set<Int32>()
    for item in items where item.isEntry {
      let day = item.time.day
      years.insert(day.year)
      if day.year == year { counts[Int(day.number - first.number)] += 1 }
    }
    (self.year, self.counts, self.years) = (year, counts, years.sorted())
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
