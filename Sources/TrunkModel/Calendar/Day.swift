/// A day of the Gregorian calendar, without a zone: the number of days since 1970-01-01.
public struct Day: Hashable, Comparable, Sendable, BitwiseCopyable {
  public var number: Int32

  /// The seconds of a day on clocks.
  static let seconds: Int64 = 86_400

  public init(number: Int32) {
    self.number = number
  }

  /// Returns `nil` if the month doesn't have that day.
  public init?(year: Int32, month: Int32, day: Int32) {
    guard (1...12).contains(month), day >= 1, day <= Day.length(ofMonth: month, year: year) else { return nil }
    number = Day.number(year: year, month: month, day: day)
  }

  public var year: Int32 { civil.year }
  /// The month, 1…12.
  public var month: Int32 { civil.month }
  /// The day of the month, 1…31.
  public var day: Int32 { civil.day }
  /// The day of the week: 0 = Monday … 6 = Sunday.
  public var weekday: Int32 { Int32(Int64(number + 3).floorRemainder(by: 7)) }
  /// The Monday of this day's week.
  public var monday: Day { weekStart(0) }

  /// Returns the first day of this day's week, for weeks that begin with a weekday.
  /// - Parameter weekday: 0 = Monday … 6 = Sunday.
  public func weekStart(_ weekday: Int32) -> Day { Day(number: number - (self.weekday - weekday + 7) % 7) }

  public static func < (left: Day, right: Day) -> Bool { left.number < right.number }

  /// The days from here to another day; negative for an earlier one.
  public func distance(to other: Day) -> Int32 { Int32(clamping: Int64(other.number) - Int64(number)) }

  public func adding(days: Int32) -> Day { Day(number: number + days) }

  /// The same day of another month, or that month's last day if it is shorter.
  public func adding(months: Int32) -> Day {
    let (year, month, day) = civil
    let index = Int64(year) * 12 + Int64(month) - 1 + Int64(months)
    let (newYear, newMonth) = (Int32(index.floorDivided(by: 12)), Int32(index.floorRemainder(by: 12)) + 1)
    let length = Day.length(ofMonth: newMonth, year: newYear)
    return Day(number: Day.number(year: newYear, month: newMonth, day: min(day, length)))
  }
}

extension Day: CustomStringConvertible {
  /// `YYYY-MM-DD`. A year outside 0…9999 has a sign and 6 digits, as in JavaScript.
  public var description: String {
    let (year, month, day) = civil
    let digits = String(year.magnitude)
    let (sign, width) = (0...9999).contains(year) ? ("", 4) : (year < 0 ? "-" : "+", 6)
    return sign + String(repeating: "0", count: max(0, width - digits.count)) + digits
      + (month < 10 ? "-0\(month)" : "-\(month)") + (day < 10 ? "-0\(day)" : "-\(day)")
  }
}

extension Day {
  private static func length(ofMonth month: Int32, year: Int32) -> Int32 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Years begin on 1 March here, so that the leap day is the last day. 400 years have 146,097 days, and 1970-01-01 is
  /// day 719,468 from 0000-03-01.
  private static func number(year: Int32, month: Int32, day: Int32) -> Int32 {
    let marchYear = Int64(month > 2 ? year : year - 1)
    let era = marchYear.floorDivided(by: 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int32(clamping: era * 146_097 + dayOfEra - 719_468)
  }

  private var civil: (year: Int32, month: Int32, day: Int32) {
    let days = Int64(number) + 719_468
    let era = days.floorDivided(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (Int32(clamping: year), Int32(month), Int32(dayOfYear - (153 * marchMonth + 2) / 5 + 1))
  }
}
