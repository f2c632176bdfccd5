/// When an event happened: its instant, and the offset of local clocks in the zone in which it was written.
///
/// The offset never changes, so an event keeps its day and its printed time when its reader travels.
public struct EventTime: Hashable, Sendable, BitwiseCopyable {
  public let instant: Instant
  /// Seconds east of UTC.
  let offset: Int32

  init(_ instant: Instant, offset: Int32) {
    self.instant = instant
    self.offset = offset
  }

  /// The time that clocks in `zone` show at an instant.
  public init(_ instant: Instant, in zone: Zone) {
    self.init(instant, offset: Int32(zone.offset(at: instant)))
  }

  /// The reset day: a time before 06:00 belongs to the day before.
  public var day: Day {
    Day(number: Int32(clamping: (localSecond - Zone.resetSecond).floorDivided(by: Day.seconds)))
  }

  /// The second of the calendar day on local clocks, 0 ..< 86,400.
  public var second: Int64 { localSecond.floorRemainder(by: Day.seconds) }

  /// Whether it is between midnight and 06:00, so that the calendar is one day ahead of `day`.
  public var isNight: Bool { second < Zone.resetSecond }

  /// Whether it is in the last minute of its day, as waterings for the day before are: their time says nothing.
  public var isLastMinute: Bool { (Zone.resetSecond - 60..<Zone.resetSecond).contains(second) }

  /// The date and time on local clocks, for programs: `2026-11-21T14:05`. At night, its date is one after `day`.
  public var localStamp: String {
    let calendarDay = Day(number: Int32(clamping: localSecond.floorDivided(by: Day.seconds)))
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(calendarDay)T\(two(second / 3600)):\(two(second / 60 % 60))"
  }

  /// The seconds from here to the end of a reset day, by clocks that stay at this offset.
  public func seconds(toEndOf day: Day) -> Double {
    Double((Int64(day.number) + 1) * Day.seconds + Zone.resetSecond - localSecond)
  }

  private var localSecond: Int64 { instant.seconds + Int64(offset) }
}

extension EventTime: Comparable {
  /// By the instant, wherever the events were written.
  public static func < (left: EventTime, right: EventTime) -> Bool {
    (left.instant, left.offset) < (right.instant, right.offset)
  }
}
