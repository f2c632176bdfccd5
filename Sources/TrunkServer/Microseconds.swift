import Glibc
import TrunkModel

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
  var seconds: Int64 { value.floorDivided(by: 1_000_000) }

  /// The form that PostgreSQL writes in JSON, for example `2026-02-09T14:32:07.12+00:00`, without trailing zeros.
  var postgres: String { text(zone: "+00:00") }

  /// The form that Go writes, for example `2026-02-09T14:32:07.12Z`.
  var rfc3339: String { text(zone: "Z") }

  /// The form of live changes, with milliseconds: `2026-02-09T14:32:07.120Z`.
  var milliseconds: String { Instant(milliseconds: value.floorDivided(by: 1000)).description }

  private func text(zone: String) -> String {
    var fraction = padded(value - seconds * 1_000_000, to: 6)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return secondText + (fraction.isEmpty ? "" : "." + fraction) + zone
  }

  /// Date and time to the second, without a zone.
  private var secondText: String { String(Instant(milliseconds: seconds * 1000).description.dropLast(".000Z".count)) }
}

extension Microseconds {
  /// Parses a date, a time and an offset like `timestamptz`. A space in place of a lost `+` is not an offset.
  /// - Returns: `nil` for text that PostgreSQL rejects with 22007 or 22008.
  init?(_ text: String) {
    var parser = TimestampParser(text)
    guard let date = parser.date() else { return nil }
    var value = Int64(date.number) * 86_400_000_000
    if parser.take("T") || parser.take(" ") {
      guard let time = parser.time() else { return nil }
      value += time
    }
    guard let offset = parser.offset(), parser.isAtEnd else { return nil }
    self.value = value - offset
  }
}

/// Reads the parts of a timestamp, in order. A part that is missing or wrong is `nil`.
private struct TimestampParser {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func date() -> Day? {
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2) else { return nil }
    return Day(year: Int32(year), month: Int32(month), day: Int32(day))
  }

  /// Reads hours and minutes, and optionally seconds with a fraction.
  /// - Returns: microseconds.
  mutating func time() -> Int64? {
    guard let hour = digits(2), take(":"), let minute = digits(2), hour <= 24, minute < 60 else { return nil }
    let value = (hour * 3600 + minute * 60) * 1_000_000
    guard take(":") else { return value }
    guard let second = digits(2), second <= 60, let micros = take(".") ? fraction() : 0 else { return nil }
    return value + second * 1_000_000 + micros
  }

  /// - Returns: microseconds, rounded.
  private mutating func fraction() -> Int64? {
    let fraction = rest.prefix(while: TimestampParser.isDigit)
    guard !fraction.isEmpty else { return nil }
    rest = rest.dropFirst(fraction.count)
    let six = fraction.prefix(6).reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
    let value = (0..<max(0, 6 - fraction.count)).reduce(six) { value, _ in value * 10 }
    return fraction.count > 6 && fraction[fraction.startIndex + 6] >= 53 ? value + 1 : value
  }

  /// Reads `Z` or an offset.
  /// - Returns: microseconds; 0 at the end of the text.
  mutating func offset() -> Int64? {
    if take("Z") || take("z") || isAtEnd { return 0 }
    let sign: Int64
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = digits(2), hours < 16 else { return nil }
    let hasColon = take(":")
    guard let minutes = isAtEnd && !hasColon ? 0 : digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60) * 1_000_000
  }

  private mutating func digits(_ count: Int) -> Int64? {
    let part = rest.prefix(count)
    guard part.count == count, part.allSatisfy(TimestampParser.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return part.reduce(0) { $0 * 10 + Int64($1 - 48) }
  }

  mutating func take(_ character: Character) -> Bool {
    guard let first = rest.first, first == character.asciiValue else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}

private func padded(_ value: Int64, to count: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, count - digits.count)) + digits
}
