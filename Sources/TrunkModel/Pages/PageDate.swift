/// When a page was written, exactly as precise as its source: only a day, a local time, a local time with its offset,
/// or an instant whose local time isn't known.
///
/// A date without a zone is never moved to UTC, because that would change its day.
public struct PageDate: Hashable, Sendable, BitwiseCopyable {
  /// What is known about the zone.
  public enum Zoning: Hashable, Sendable, BitwiseCopyable {
    /// The source has local times only.
    case local
    /// Minutes east of UTC.
    case offset(Int16)
    /// Day and time are those of UTC, and the writer's zone isn't known.
    case utc
  }

  /// The calendar's day in the writer's zone, or that of UTC.
  public let day: Day
  /// Seconds since midnight, 0…86,399. `nil` if the source has only a day.
  public let second: Int32?
  /// Whether the source has seconds, or only hours and minutes.
  public let hasSeconds: Bool
  public let zoning: Zoning

  /// - Parameter second: Seconds since midnight, 0…86,399.
  public init(day: Day, second: Int32? = nil, hasSeconds: Bool = true, zoning: Zoning = .local) {
    self.day = day
    self.second = second
    self.hasSeconds = hasSeconds && second != nil
    self.zoning = second == nil ? .local : zoning
  }

  /// Parses what `description` makes: `2024-01-09`, `2024-01-09T10:00`, `…T10:00:05`, each time with or without `Z` or
  /// an offset such as `+02:00`. Returns `nil` for everything else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
      let dayOfMonth = Self.number(bytes[8..<10]), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let day = Day(year: year, month: month, day: dayOfMonth)
    else { return nil }
    if bytes.count == 10 {
      self.init(day: day)
      return
    }
    guard bytes.count >= 16, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      let hour = Self.number(bytes[11..<13]), let minute = Self.number(bytes[14..<16]), hour < 24, minute < 60
    else { return nil }
    var (rest, second, hasSeconds) = (bytes[16...], hour * 3600 + minute * 60, false)
    if rest.first == UInt8(ascii: ":") {
      guard let value = Self.number(rest.dropFirst().prefix(2)), rest.count >= 3, value < 60 else { return nil }
      (rest, second, hasSeconds) = (rest.dropFirst(3), second + value, true)
    }
    guard let zoning = Self.zoning(rest) else { return nil }
    self.init(day: day, second: second, hasSeconds: hasSeconds, zoning: zoning)
  }

  /// The day on which the page appears: that of its writer, or in `zone` if only the instant is known.
  public func day(in zone: Zone) -> Day {
    guard zoning == .utc, let second else { return day }
    return zone.local(Instant(milliseconds: (Int64(day.number) * Day.seconds + Int64(second)) * 1000)).day
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int32? {
    bytes.isEmpty
      ? nil
      : bytes.reduce(0 as Int32?) { sum, byte in
        guard let sum, byte &- 0x30 < 10 else { return nil }
        return sum * 10 + Int32(byte - 0x30)
      }
  }

  private static func zoning(_ bytes: ArraySlice<UInt8>) -> Zoning? {
    if bytes.isEmpty { return .local }
    if bytes.elementsEqual([UInt8(ascii: "Z")]) { return .utc }
    let bytes = Array(bytes)
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3]), let minutes = number(bytes[4..<6]),
      hours < 24, minutes < 60
    else { return nil }
    return .offset(Int16((bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)))
  }
}

extension PageDate: CustomStringConvertible {
  /// ISO 8601 with the precision of the source. Pages are sorted by this text.
  public var description: String {
    guard let second else { return day.description }
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let time = "\(day)T\(two(second / 3600)):\(two(second / 60 % 60))" + (hasSeconds ? ":\(two(second % 60))" : "")
    switch zoning {
    case .local: return time
    case .utc: return time + "Z"
    case .offset(let minutes):
      let size = Int32(minutes.magnitude)
      return time + (minutes < 0 ? "-" : "+") + "\(two(size / 60)):\(two(size % 60))"
    }
  }
}
