import CGLib
import Glibc
import Localization
import TrunkModel

/// Formats numbers, dates and durations in the user's language.
///
/// One rule for soil, so that the same amount looks the same everywhere: how much soil there is has one decimal
/// (`soil`), in the log of the soil two (`exactSoil`); what something costs, returns or adds has as few as it needs
/// (`shortSoil`, with a sign `gain`).
public enum Formats {
  /// How much soil there is, such as the capacity and what is available: `23.4`, `8`. It is rounded down, so that it
  /// never seems enough for what it isn't.
  public static func soil(_ value: Double) -> String {
    // Sums of hundredths have rounding errors.
    let tenths = ((value * 100).rounded() / 10).rounded(.down)
    guard abs(tenths) < 1e15 else { return "\(value)" }
    let whole = tenths / 10
    return Int(exactly: whole).map(localized) ?? String(exactSoil(whole).dropLast())
  }

  /// How much soil there is with two decimals: `23.40`.
  public static func exactSoil(_ value: Double) -> String {
    // An imported file may contain a cost that doesn't fit into an integer number of hundredths.
    guard abs(value) < 1e15 else { return "\(value)" }
    let hundredths = Int64((abs(value) * 100).rounded())
    let fraction = hundredths % 100
    return (value < 0 && hundredths > 0 ? "−" : "") + localized(Int(hundredths / 100)) + decimalPoint
      + (fraction < 10 ? "0\(fraction)" : "\(fraction)")
  }

  /// A price or a change of the soil, or a round number such as the largest capacity: `8`, `0.05`, `1.29`.
  public static func shortSoil(_ value: Double) -> String {
    Int(exactly: (value * 100).rounded() / 100).map(localized) ?? exactSoil(value)
  }

  /// A change of the soil with its sign: `+0.05`, `−8`.
  public static func gain(_ value: Double) -> String {
    // Sums of hundredths have rounding errors.
    let value = (value * 100).rounded() / 100
    return value == 0 ? "0" : (value > 0 ? "+" : "−") + shortSoil(abs(value))
  }

  /// A number of bytes: `64.0 kB`.
  public static func size(_ bytes: Int) -> String {
    guard let text = g_format_size(guint64(max(0, bytes))) else { return "\(bytes)" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// A share in per cent: `43%`.
  /// - Parameter share: 0…1.
  public static func percent(_ share: Double) -> String {
    // Translators: a percentage.
    trc("number", "{n}%", ["n": "\(Int((min(max(share, 0), 1) * 100).rounded()))"])
  }

  /// `21 November 2026`, or `November 21, 2026` where the locale has the month first: the calendar day on which an
  /// instant falls on this computer. For events see `date(_ time:)`.
  public static func date(_ instant: Instant, in zone: Zone) -> String { day(zone.local(instant).day) }

  /// `21 November`.
  public static func dayAndMonth(_ day: Day) -> String {
    guard LocaleTime.current.dateOrder == .ofLanguage else { return format(day, "%B %-d") }
    // Translators: a date without its year, for strftime(3).
    let usual = trc("date", "%-d %B")
    return format(day, day.day == 1 ? trc("first day of a month", "%-d %B") : usual)
  }

  /// `21 November`, with the year if it isn't the current one.
  public static func dayAndYear(_ instant: Instant, now: Instant, in zone: Zone) -> String {
    dayAndYear(zone.local(instant).day, today: zone.local(now).day)
  }

  /// `21 November`, and with the year if it is another one than today's.
  public static func dayAndYear(_ day: Day, today: Day) -> String {
    day.year == today.year ? dayAndMonth(day) : Formats.day(day)
  }

  /// `November 2026` or, where there is little room, `Nov 2026`, as a heading: with a capital letter, also in languages
  /// that write months without one.
  public static func month(_ day: Day, isShort: Bool = false) -> String {
    let isYearFirst = LocaleTime.current.dateOrder == .yearFirst
    // Translators: a month with its year, for strftime(3).
    let whole = isYearFirst ? "%Y %B" : trc("date", "%B %Y")
    let month = format(day, isShort ? (isYearFirst ? "%Y %b" : "%b %Y") : whole)
    return capitalised(month)
  }

  /// `November`, as a heading.
  public static func monthName(_ day: Day) -> String { capitalised(format(day, "%OB")) }

  private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// `21 November 2026`, or `November 21, 2026` where the locale has the month first.
  public static func day(_ day: Day) -> String {
    switch LocaleTime.current.dateOrder {
    case .monthFirst: return format(day, "%B %-d, %Y")
    case .yearFirst: return format(day, "%Y %B %-d")
    case .ofLanguage: break
    }
    // Translators: a date for strftime(3).
    let usual = trc("date", "%-d %B %Y")
    // Translators: a date for strftime(3), as on 1 November: an ordinal number in French, the same as other days in
    // most languages.
    return format(day, day.day == 1 ? trc("first day of a month", "%-d %B %Y") : usual)
  }

  /// `21 Nov`.
  public static func shortDay(_ day: Day) -> String {
    guard LocaleTime.current.dateOrder == .ofLanguage else { return format(day, "%b %-d") }
    // Translators: a short date without its year, for strftime(3).
    let usual = trc("date", "%-d %b")
    return format(day, day.day == 1 ? trc("first day of a month", "%-d %b") : usual)
  }

  /// `November`, in a sentence.
  public static func monthInSentence(_ day: Day) -> String { format(day, "%B") }

  /// `Nov`.
  public static func shortMonth(_ day: Day) -> String { format(day, "%b") }

  /// `Mon`.
  public static func shortWeekday(_ day: Day) -> String { format(day, "%a") }

  /// `Monday`.
  public static func weekday(_ day: Day) -> String { format(day, "%A") }

  /// `14:05`, or `2:05 PM` where the locale has a 12-hour clock.
  public static func time(_ instant: Instant, in zone: Zone) -> String { clock(zone.local(instant).second) }

  /// - Parameter second: the second of the day.
  private static func clock(_ second: Int64) -> String {
    let minutes = Int(second / 60)
    return LocaleTime.current.text(hour: minutes / 60, minute: minutes % 60)
  }

  /// A full hour: `09:00`, or `9:00 AM` where the locale has a 12-hour clock.
  /// - Parameter hour: 0…23.
  public static func time(hour: Int) -> String { LocaleTime.current.text(hour: hour, minute: 0) }

  /// `21 November 2026, 14:05`.
  public static func dateAndTime(_ instant: Instant, in zone: Zone) -> String {
    tr("{date}, {time}", ["date": date(instant, in: zone), "time": time(instant, in: zone)])
  }

  /// `America/New York`.
  public static func place(_ timeZone: String) -> String { String(timeZone.map { $0 == "_" ? " " : $0 }) }

  /// `2026-02-09T14:32:07Z`: the same on all devices, for comparison.
  public static func utcSecond(_ instant: Instant) -> String { instant.description.prefix(19) + "Z" }

  /// `today`, `yesterday`, `4 days ago`, `3 months ago`.
  public static func ago(_ day: Day, today: Day) -> String {
    let days = Int(today.number - day.number)
    switch days {
    case ...0: return tr("today")
    case 1: return tr("yesterday")
    case ..<60: return trn("{n} day ago", "{n} days ago", days)
    case ..<730: return trn("{n} month ago", "{n} months ago", days / 30)
    default: return trn("{n} year ago", "{n} years ago", days / 365)
    }
  }

  /// The time left until an instant: `34 days`, on its own day `5 hours` or `12 minutes`, then `ready`. Days are those
  /// of the calendar, so that a date that is shown beside it agrees.
  static func left(until due: Instant, now: Instant, in zone: Zone) -> String {
    let seconds = due.seconds(since: now)
    if seconds <= 0 { return tr("ready") }
    let days = Int(zone.local(due).day.number - zone.local(now).day.number)
    if days > 0 { return trn("{n} day", "{n} days", days) }
    let minutes = max(1, Int(seconds / 60))
    return minutes < 60
      ? trn("{n} minute", "{n} minutes", minutes) : trn("{n} hour", "{n} hours", minutes / 60)
  }

  public static func season(_ season: Season) -> String {
    switch season {
    case .twoWeeks: tr("2 weeks")
    case .oneMonth: tr("1 month")
    case .threeMonths: tr("3 months")
    case .sixMonths: tr("6 months")
    case .oneYear: tr("1 year")
    }
  }

  public static func ground(_ ground: Ground) -> String {
    switch ground {
    case .fertile: tr("Fertile")
    case .firm: tr("Firm")
    case .barren: tr("Barren")
    }
  }

  /// The season as a word in a sentence: “for *one month*”.
  public static func seasonWord(_ season: Season) -> String {
    switch season {
    case .twoWeeks: trc("for …", "two weeks")
    case .oneMonth: trc("for …", "one month")
    case .threeMonths: trc("for …", "three months")
    case .sixMonths: trc("for …", "six months")
    case .oneYear: trc("for …", "one year")
    }
  }

  /// The ground as a word in a sentence: “on *fertile* ground”.
  public static func groundWord(_ ground: Ground) -> String {
    switch ground {
    case .fertile: trc("on … ground", "fertile")
    case .firm: trc("on … ground", "firm")
    case .barren: trc("on … ground", "barren")
    }
  }

  /// `3 months, firm`.
  public static func ground(_ season: Season, _ ground: Ground) -> String {
    let groundName =
      switch ground {
      case .fertile: trc("ground", "fertile")
      case .firm: trc("ground", "firm")
      case .barren: trc("ground", "barren")
      }
    return tr("{season}, {ground}", ["season": Formats.season(season), "ground": groundName])
  }

  /// The name of a result, 1…5.
  public static func result(_ result: Int) -> String {
    switch result {
    case 1: tr("Withered")
    case 2: tr("Wilted")
    case 3: tr("Budded")
    case 4: tr("Bloomed")
    default: tr("Flourished")
    }
  }

  private static func format(_ day: Day, _ pattern: String) -> String {
    guard let date = g_date_time_new_utc(day.year, day.month, day.day, 12, 0, 0) else { return day.description }
    defer { g_date_time_unref(date) }
    guard let text = g_date_time_format(date, pattern) else { return day.description }
    defer { g_free(text) }
    return String(cString: text)
  }

  private static var decimalPoint: String {
    guard let point = localeconv()?.pointee.decimal_point else { return "." }
    let text = String(cString: point)
    return text.isEmpty ? "." : text
  }
}

extension Formats {
  /// The time of an event, by calendar days: `today 14:32`, `yesterday 14:32`, `9 February, 14:32`, with the year if it
  /// isn't the current one.
  public static func stamp(_ instant: Instant, now: Instant, in zone: Zone) -> String {
    let (day, today) = (zone.local(instant).day, zone.local(now).day)
    let time = time(instant, in: zone)
    if day == today { return tr("today {time}", ["time": time]) }
    if day == today.adding(days: -1) { return tr("yesterday {time}", ["time": time]) }
    if day.year != today.year { return dateAndTime(instant, in: zone) }
    return tr("{date}, {time}", ["date": dayAndMonth(day), "time": time])
  }

  /// When something returns: `today at 06:00`, `tomorrow at 06:00`, `on Monday at 06:00`; from a week on `next Monday,
  /// 7 December`.
  public static func moment(_ instant: Instant, now: Instant, in zone: Zone) -> String {
    let (day, today) = (zone.local(instant).day, zone.local(now).day)
    let time = time(instant, in: zone)
    if day == today { return tr("today at {time}", ["time": time]) }
    if day == today.adding(days: 1) { return tr("tomorrow at {time}", ["time": time]) }
    if today.distance(to: day) >= 7 {
      return tr("next {weekday}, {date}", ["weekday": weekday(day), "date": dayAndMonth(day)])
    }
    return tr("on {weekday} at {time}", ["weekday": weekday(day), "time": time])
  }
}

/// The times of events: with the date of their reset day and the time on clocks where they were written.
extension Formats {
  /// `21 November 2026`.
  public static func date(_ time: EventTime) -> String { day(time.day) }

  /// `21 November`.
  public static func dayAndMonth(_ time: EventTime) -> String { dayAndMonth(time.day) }

  /// `14:05`; `00:30 at night` after midnight, because the date is that of the day before. Empty in the last minute of
  /// the day, which says nothing about the time.
  public static func time(_ time: EventTime) -> String {
    if time.isLastMinute { return "" }
    let clock = clock(time.second)
    return time.isNight ? tr("{time} at night", ["time": clock]) : clock
  }

  /// `21 November 2026, 14:05`.
  public static func dateAndTime(_ time: EventTime) -> String { joined(date(time), Formats.time(time)) }

  /// `21 November, 14:05`.
  public static func dayAndTime(_ time: EventTime) -> String { joined(dayAndMonth(time), Formats.time(time)) }

  /// `3 March 2014 – 21 November 2024`, or one day.
  public static func days(_ days: ClosedRange<Day>) -> String {
    Set([days.lowerBound, days.upperBound]).sorted().map(day).joined(separator: " – ")
  }

  /// The date of an earlier page, and its time if the source has one: `21 November 2016, 14:05`.
  public static func dateAndTime(_ page: PageLine) -> String {
    joined(day(page.day), page.second.map(clock) ?? "")
  }

  /// When a line of the journal was written.
  public static func dateAndTime(_ line: JournalLine) -> String {
    switch line {
    case .item(let item): dateAndTime(item.time)
    case .page(let page): dateAndTime(page)
    }
  }

  private static func joined(_ date: String, _ time: String) -> String {
    time.isEmpty ? date : tr("{date}, {time}", ["date": date, "time": time])
  }
}
