import TrunkModel

/// The number of entries on each day of a calendar year. Days are reset days, which begin at 06:00.
public struct JournalYear: Sendable, Equatable {
  public let year: Int32
  /// The number of entries on each day of the year, from 1 January.
  public let counts: [Int]
  /// The Mondays of the weeks with a reflection.
  public let sunWeeks: Set<Day>
  /// The years with entries, in ascending order.
  public let years: [Int32]

  /// The first day of the year.
  public var first: Day { JournalYear.newYear(year) }

  /// The number of days with an entry.
  public var daysWritten: Int { counts.count { $0 > 0 } }

  /// - Returns: the number of entries on a day; `nil` if the day is in another year.
  public func count(on day: Day) -> Int? {
    let index = Int(day.number) - Int(first.number)
    return counts.indices.contains(index) ? counts[index] : nil
  }

  /// - Parameter items: the items to count; plantings and uprootings are ignored.
  public init(_ year: Int32, of items: [TimelineItem]) {
    let first = JournalYear.newYear(year)
    var counts = [Int](repeating: 0, count: Int(JournalYear.newYear(year + 1).number - first.number))
    var (sunWeeks, years) = (Set<Day>(), Set<Int32>())
    for item in items where item.isEntry {
      let day = item.time.day
      years.insert(day.year)
      guard day.year == year else { continue }
      counts[Int(day.number - first.number)] += 1
      if item.kind == .reflection { sunWeeks.insert(day.monday) }
    }
    (self.year, self.counts, self.sunWeeks, self.years) = (year, counts, sunWeeks, years.sorted())
  }

  static func newYear(_ year: Int32) -> Day { Day(year: year, month: 1, day: 1) ?? Day(number: 0) }
}
