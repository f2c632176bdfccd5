import Glibc
import Synchronization

/// How the locale writes times and dates: its category LC_TIME, which may be that of another country than the
/// language of the texts.
public struct LocaleTime: Sendable {
  /// The order of the parts of a date in which the month has a name.
  public enum DateOrder: Sendable {
    /// The usual order of the language of the texts.
    case ofLanguage
    /// `November 21, 2026`.
    case monthFirst
    /// `2026 November 21`.
    case yearFirst
  }

  /// A time, a time of a 12-hour clock, a date, and a date with a time, as patterns for strftime(3).
  let time, shortClockTime, date, dateAndTime: String
  /// The names of the halves of a day; empty if the locale has none.
  let morning, afternoon: String
  /// The first day of the week in calendars: 0 = Monday … 6 = Sunday.
  public let firstWeekday: Int32

  /// The conventions of the locale that is set.
  public static var current: LocaleTime {
    guard let name = setlocale(LC_TIME, nil).map({ String(cString: $0) }), !isNeutral(name) else {
      return isAmerican(chosenName) ? american : neutral
    }
    return known.withLock { known in
      if let known, known.name == name { return known.conventions }
      let conventions = LocaleTime(
        time: text(T_FMT), shortClockTime: text(T_FMT_AMPM), date: text(D_FMT), dateAndTime: text(D_T_FMT),
        morning: text(AM_STR), afternoon: text(PM_STR), firstWeekday: systemFirstWeekday)
      known = (name, conventions)
      return conventions
    }
  }

  /// The conventions of the last locale that was asked for: lists format hundreds of dates.
  private static let known = Mutex<(name: String, conventions: LocaleTime)?>(nil)

  /// A time of day: `14:05`, or `2:05 PM` in a locale with a 12-hour clock.
  public func text(hour: Int, minute: Int) -> String {
    let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
    let parts = directives(time)
    guard let clock = parts.firstIndex(where: { "Il".contains($0) }), !morning.isEmpty,
      let half = parts.firstIndex(where: { "pP".contains($0) })
    else { return (hour < 10 ? "0\(hour)" : "\(hour)") + ":" + minutes }
    let time = "\((hour + 11) % 12 + 1):\(minutes)"
    let name = hour < 12 ? morning : afternoon
    return half < clock ? "\(name) \(time)" : "\(time) \(parts[half] == "P" ? name.lowercased() : name)"
  }

  /// The order of the parts of a date. Where the short date is that of ISO 8601, the long one may have another order.
  public var dateOrder: DateOrder {
    let order = dateParts(date)
    if order == "mdy" { return .monthFirst }
    return order == "ymd" && dateParts(dateAndTime) == "ymd" ? .yearFirst : .ofLanguage
  }
}

extension LocaleTime {
  /// For the locale C, and for one that isn't installed: the day begins at 00:00 and the week on Monday.
  private static let neutral = LocaleTime(
    time: "%H:%M", shortClockTime: "", date: "%d/%m/%Y", dateAndTime: "", morning: "", afternoon: "", firstWeekday: 0)

  /// The United States, from glibc's `en_US`. Containers and small installations often choose this locale without
  /// having it, and its conventions differ most from the neutral ones.
  private static let american = LocaleTime(
    time: "%r", shortClockTime: "%I:%M:%S %p", date: "%m/%d/%Y", dateAndTime: "", morning: "AM", afternoon: "PM",
    firstWeekday: 6)

  private static func isNeutral(_ name: String) -> Bool { name == "POSIX" || name == "C" || name.hasPrefix("C.") }

  private static func isAmerican(_ name: String) -> Bool { name == "en_US" || name.hasPrefix("en_US.") }

  /// The name of the locale in the environment, whether or not it is installed.
  private static var chosenName: String {
    let names = ["LC_ALL", "LC_TIME", "LANG"].compactMap { (variable: String) in
      getenv(variable).map { String(cString: $0) }
    }
    return names.first { !$0.isEmpty } ?? ""
  }

  private static func text(_ item: Int) -> String { nl_langinfo(nl_item(item)).map { String(cString: $0) } ?? "" }

  /// glibc counts from a day of reference, which is a Sunday or a Monday: see locale(5).
  private static var systemFirstWeekday: Int32 {
    guard let first = nl_langinfo(nl_item(_NL_TIME_FIRST_WEEKDAY))?.pointee else { return 0 }
    // The date is the value of the pointer.
    let reference = UInt(bitPattern: nl_langinfo(nl_item(_NL_TIME_WEEK_1STDAY)))
    return (Int32(first) + (reference == 19_971_201 ? 6 : 5)) % 7
  }

  /// The letters of a pattern's directives, with those that stand for others replaced.
  private func directives(_ pattern: String) -> [Character] {
    var (letters, rest) = ([Character](), pattern[...])
    while let sign = rest.firstIndex(of: "%") {
      rest = rest[sign...].dropFirst().drop { "-_0^#EO".contains($0) }
      guard let letter = rest.popFirst() else { break }
      switch letter {
      case "r" where pattern != shortClockTime: letters += directives(shortClockTime)
      case "x" where pattern != date: letters += directives(date)
      case "D": letters += "mdy"
      case "F": letters += "Ymd"
      default: letters.append(letter)
      }
    }
    return letters
  }

  /// The order of a pattern's day, month and year, as `dmy`.
  private func dateParts(_ pattern: String) -> String {
    String(
      directives(pattern).compactMap { letter -> Character? in
        switch letter {
        case "d", "e": "d"
        case "m", "b", "B", "h": "m"
        case "y", "Y", "G": "y"
        default: nil
        }
      })
  }
}
