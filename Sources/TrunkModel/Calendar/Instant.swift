/// A point in time: milliseconds since 1970-01-01T00:00:00Z, the resolution of the log.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Parses an ISO 8601 instant: date and time in the extended or the basic form (`20260131T120000Z`), optional
  /// seconds, a fraction of any length, and `Z` or an offset. Digits beyond milliseconds are cut off, as in JavaScript;
  /// a leap second is the first second of the next minute. Returns `nil` for everything else: a time without a zone, an
  /// invalid day, week dates and ordinal dates.
  public init?(_ text: String) {
    var text = text
    guard let milliseconds = text.withUTF8({ Instant.parse($0) }) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 { milliseconds.floorDivided(by: 1000) }

  public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

  /// - Parameter seconds: real time, regardless of the calendar.
  public func adding(seconds: Int64) -> Instant {
    Instant(milliseconds: milliseconds.addingReportingOverflow(seconds * 1000).partialValue)
  }

  /// The real time in seconds from `other` to this instant.
  public func seconds(since other: Instant) -> Double { Double(milliseconds - other.milliseconds) / 1000 }
}

extension Instant: CustomStringConvertible {
  /// `YYYY-MM-DDTHH:mm:ss.SSSZ`, the format of events. For years outside 0…9999 see `Day`.
  public var description: String {
    let day = Day(number: Int32(clamping: seconds.floorDivided(by: 86_400)))
    let (second, millisecond) = (seconds.floorRemainder(by: 86_400), milliseconds.floorRemainder(by: 1000))
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let fraction = millisecond < 10 ? "00\(millisecond)" : millisecond < 100 ? "0\(millisecond)" : "\(millisecond)"
    return "\(day)T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)).\(fraction)Z"
  }
}

extension Instant {
  /// Reads the bytes of a text from start to end.
  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    var isAtEnd: Bool { index == bytes.count }
    var isAtDigit: Bool { index < bytes.count && bytes[index] &- 0x30 < 10 }

    mutating func number(_ width: Int) -> Int64? {
      guard index + width <= bytes.count else { return nil }
      var value: Int64 = 0
      for place in index..<(index + width) {
        guard bytes[place] &- 0x30 < 10 else { return nil }
        value = value * 10 + Int64(bytes[place] - 0x30)
      }
      index += width
      return value
    }

    mutating func take(_ byte: Unicode.Scalar) -> Bool {
      guard index < bytes.count, bytes[index] == UInt8(ascii: byte) else { return false }
      index += 1
      return true
    }
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    var text = Scanner(bytes: bytes)
    let era: Int64 = text.take("+") ? 1 : text.take("-") ? -1 : 0
    guard let year = text.number(era == 0 ? 4 : 6) else { return nil }
    let isExtended = text.take("-")
    guard let month = text.number(2), !isExtended || text.take("-"), let dayOfMonth = text.number(2),
      let day = Day(year: Int32(era == -1 ? -year : year), month: Int32(month), day: Int32(dayOfMonth)),
      text.take("T") || text.take("t") || text.take(" "), let hour = text.number(2), !isExtended || text.take(":"),
      let minute = text.number(2), hour < 25, minute < 60
    else { return nil }
    var milliseconds: Int64 = 0
    if isExtended ? text.take(":") : text.isAtDigit {
      guard let second = text.number(2), second < 60 || (second == 60 && minute == 59) else { return nil }
      milliseconds = second * 1000
      if text.take(".") || text.take(",") {
        var weight: Int64 = 100
        let start = text.index
        while let digit = text.number(1) {
          milliseconds += digit * weight
          weight /= 10
        }
        if text.index == start { return nil }
      }
    }
    guard hour < 24 || (minute == 0 && milliseconds == 0) else { return nil }
    var offset: Int64 = 0
    if !text.take("Z") && !text.take("z") {
      let sign: Int64 = text.take("+") ? 1 : -1
      guard sign == 1 || text.take("-"), let hours = text.number(2) else { return nil }
      let minutes = text.take(":") || !text.isAtEnd ? text.number(2) : 0
      guard let minutes, hours < 24, minutes < 60 else { return nil }
      offset = sign * (hours * 60 + minutes)
    }
    guard text.isAtEnd else { return nil }
    return ((Int64(day.number) * 24 + hour) * 60 + minute - offset) * 60_000 + milliseconds
  }
}

extension Int64 {
  /// The quotient, rounded down.
  package func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  package func floorRemainder(by divisor: Int64) -> Int64 { self - floorDivided(by: divisor) * divisor }
}
