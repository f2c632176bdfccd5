import Glibc

/// An instant in microseconds since 1970 (UTC), the precision of PostgreSQL's `timestamptz`.
struct Microseconds: Sendable, Hashable, Comparable {
  let value: Int64

  init(_ value: Int64) {
    self.value = value
  }

  static func < (left: Microseconds, right: Microseconds) -> Bool { left.value < right.value }

  static func + (instant: Microseconds, seconds: Int64) -> Microseconds {
    Microseconds(instant.value + seconds * 1_000_000)
  }

  static var now: Microseconds {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Microseconds(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// Whole seconds since 1970.
  var seconds: Int64 { value.dividedRoundingDown(by: 1_000_000) }

  /// The form that PostgreSQL writes in JSON, for example `2026-02-09T14:32:07.12+00:00`, without trailing zeros.
  var postgres: String { text(zone: "+00:00") }

  /// The form that Go writes, for example `2026-02-09T14:32:07.12Z`.
  var rfc3339: String { text(zone: "Z") }

  /// The form of live changes, with milliseconds: `2026-02-09T14:32:07.120Z`.
  var milliseconds: String {
    let fraction = value - seconds * 1_000_000
    return secondText + "." + padded(fraction / 1000, to: 3) + "Z"
  }

  private func text(zone: String) -> String {
    var fraction = padded(value - seconds * 1_000_000, to: 6)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return secondText + (fraction.isEmpty ? "" : "." + fraction) + zone
  }

  private var secondText: String {
    let days = seconds.dividedRoundingDown(by: 86_400)
    let time = seconds - days * 86_400
    let (year, month, day) = civil(days)
    let date = padded(year, to: 4) + "-" + padded(month, to: 2) + "-" + padded(day, to: 2)
    return date + "T" + padded(time / 3600, to: 2) + ":" + padded(time / 60 % 60, to: 2) + ":"
      + padded(time % 60, to: 2)
  }
}

extension Microseconds {
  /// Parses a date, a time and an offset like `timestamptz`. A space in place of a lost `+` is not an offset.
  /// - Returns: `nil` for text that PostgreSQL refuses with 22007 or 22008.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    func digits(_ count: Int) -> Int64? {
      guard rest.count >= count else { return nil }
      let part = rest.prefix(count)
      guard part.allSatisfy({ (48...57).contains($0) }) else { return nil }
      rest = rest.dropFirst(count)
      return part.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }
    func take(_ character: Character) -> Bool {
      guard let first = rest.first, first == character.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
      (1...12).contains(month), day >= 1, day <= daysIn(month: month, year: year)
    else { return nil }
    var micros = days(year: year, month: month, day: day) * 86_400_000_000
    if take("T") || take(" ") {
      guard let hour = digits(2), take(":"), let minute = digits(2), hour <= 24, minute < 60 else { return nil }
      micros += (hour * 3600 + minute * 60) * 1_000_000
      if take(":") {
        guard let second = digits(2), second <= 60 else { return nil }
        micros += second * 1_000_000
        if take(".") {
          let fraction = rest.prefix { (48...57).contains($0) }
          guard !fraction.isEmpty else { return nil }
          rest = rest.dropFirst(fraction.count)
          let six = fraction.prefix(6).reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
          micros += (0..<max(0, 6 - fraction.count)).reduce(six) { value, _ in value * 10 }
          if fraction.count > 6, fraction[fraction.startIndex + 6] >= 53 { micros += 1 }
        }
      }
    }
    if !take("Z") && !take("z"), !rest.isEmpty {
      let sign: Int64
      if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
      guard let hours = digits(2), hours < 16 else { return nil }
      let hasColon = take(":")
      let minutes = rest.isEmpty && !hasColon ? 0 : digits(2)
      guard let minutes, minutes < 60 else { return nil }
      micros -= sign * (hours * 3600 + minutes * 60) * 1_000_000
    }
    guard rest.isEmpty else { return nil }
    value = micros
  }
}

private func padded(_ value: Int64, to count: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, count - digits.count)) + digits
}

private func daysIn(month: Int64, year: Int64) -> Int64 {
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month - 1)]
}

/// Days since 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the leap day is the last day.
private func days(year: Int64, month: Int64, day: Int64) -> Int64 {
  let year = month <= 2 ? year - 1 : year
  let era = year.dividedRoundingDown(by: 400)
  let yearOfEra = year - era * 400
  let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
  return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

private func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = days + 719_468
  let era = shifted.dividedRoundingDown(by: 146_097)
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let part = (5 * dayOfYear + 2) / 153
  let month = part < 10 ? part + 3 : part - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
}

extension Int64 {
  fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
