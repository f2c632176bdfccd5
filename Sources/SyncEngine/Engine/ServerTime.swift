import EventStore
import TrunkModel

/// An instant with a database's precision, the microsecond. Only for comparisons and for the start of the overlap: the
/// server's own text is never reformatted.
struct ServerTime: Comparable {
  /// Microseconds since 1970.
  let microseconds: Int64

  /// Reads any ISO 8601 instant with any offset; `nil` for everything else, and for years too far away to count in
  /// microseconds.
  init?(_ text: String) {
    guard let instant = Instant(text) else { return nil }
    // `Instant` reads the first three digits.
    var rest: Int64 = 0
    if let point = text.utf8.firstIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }) {
      let digits = text.utf8[point...].dropFirst().prefix { (0x30...0x39).contains($0) }.dropFirst(3).prefix(3)
      for digit in digits { rest = rest * 10 + Int64(digit - 0x30) }
      for _ in digits.count..<3 { rest *= 10 }
    }
    let (whole, isTooLarge) = instant.milliseconds.multipliedReportingOverflow(by: 1000)
    let (sum, overflows) = whole.addingReportingOverflow(rest)
    guard !isTooLarge, !overflows else { return nil }
    microseconds = sum
  }

  static func < (left: ServerTime, right: ServerTime) -> Bool { left.microseconds < right.microseconds }

  /// Formats an earlier instant for a request. The earliest possible time is its own lower bound.
  func text(secondsBefore seconds: Int64) -> String {
    let (difference, overflows) = microseconds.subtractingReportingOverflow(seconds * 1_000_000)
    let earlier = overflows ? microseconds : difference
    let rest = ((earlier % 1000) + 1000) % 1000
    let whole = earlier / 1000 - (earlier % 1000 < 0 ? 1 : 0)
    let milliseconds = Instant(milliseconds: whole).description
    return milliseconds.dropLast() + (rest < 10 ? "00" : rest < 100 ? "0" : "") + "\(rest)+00:00"
  }
}

extension Cursor {
  /// Whether this position comes later in the order of the server.
  func isAfter(_ other: Cursor) -> Bool {
    guard let time = ServerTime(createdAt), let otherTime = ServerTime(other.createdAt) else {
      return (other.createdAt, other.id) < (createdAt, id)
    }
    return time == otherTime ? other.id < id : otherTime < time
  }

  /// Returns the start of the overlap before this position.
  func lowerBound(seconds: Int64) -> Cursor {
    // An unreadable time is used unchanged. If that misses rows, the comparison of counts finds it.
    guard let time = ServerTime(createdAt) else { return Cursor(createdAt: createdAt, id: "") }
    return Cursor(createdAt: time.text(secondsBefore: seconds), id: "")
  }
}
