/// A time zone as a value: its offsets from UTC and the instants at which they change.
///
/// `TrunkKit` asks the system and creates the table, so that everything computed from it is pure.
public struct Zone: Sendable, Equatable {
  /// The name in the tz database, for example `Europe/Berlin`.
  public let identifier: String
  /// Ascending. At `changes[i]`, in seconds since 1970, the offset becomes `offsets[i + 1]`.
  private let changes: [Int64]
  /// Seconds east of UTC. There is one more than in `changes`.
  private let offsets: [Int32]

  public static let utc = Zone(identifier: "UTC", offset: 0, changes: [])

  /// - Parameters:
  ///   - offset: seconds east of UTC before the first change.
  ///   - changes: the instants (seconds since 1970, ascending) at which a new offset begins.
  public init(identifier: String, offset: Int32, changes: [(at: Int64, offset: Int32)]) {
    self.identifier = identifier
    self.changes = changes.map(\.at)
    offsets = [offset] + changes.map(\.offset)
  }

  /// A hash of the table (FNV-1a), which changes when the system gets new rules for the zone.
  var fingerprint: UInt64 {
    var hash = FNV1a()
    for value in changes + offsets.map(Int64.init) { hash.add(UInt64(bitPattern: value)) }
    return hash.value
  }

  /// Seconds east of UTC at an instant.
  public func offset(at instant: Instant) -> Int64 { offset(atSecond: instant.seconds) }

  /// The calendar day and the second of that day (0 ..< 86,400) on local clocks at an instant.
  public func local(_ instant: Instant) -> (day: Day, second: Int64) {
    let local = instant.seconds + offset(at: instant)
    return (Day(number: Int32(clamping: local.floorDivided(by: Day.seconds))), local.floorRemainder(by: Day.seconds))
  }

  /// The first instant at which clocks show this time of this day. If clocks skip the time when they go forward, the
  /// instant is as long after the change as the time is after the start of the skipped hour.
  public func instant(day: Day, second: Int64) -> Instant {
    let local = Int64(day.number) * Day.seconds + second
    let before = offset(atSecond: local - Day.seconds)
    let after = offset(atSecond: local + Day.seconds)
    let first = local - max(before, after)
    let second = local - min(before, after)
    let result =
      first + offset(atSecond: first) == local
      ? first
      : second + offset(atSecond: second) == local ? second : local - before
    return Instant(milliseconds: result * 1000)
  }
}

extension Zone {
  private func offset(atSecond second: Int64) -> Int64 {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return Int64(offsets[low])
  }
}

/// The garden's day and week.
///
/// The reset day runs from 06:00 to 06:00 local time and has the date of its start; the week runs from Monday 06:00.
/// Only this extension and `EventTime` contain this rule.
extension Zone {
  static let resetSecond: Int64 = 6 * 3600

  /// The reset day that an instant belongs to.
  public func dayKey(_ instant: Instant) -> Day {
    EventTime(instant, in: self).day
  }

  /// The instant at which a reset day begins.
  public func start(of day: Day) -> Instant { instant(day: day, second: Zone.resetSecond) }

  /// When waterings become available again: the end of the reset day.
  public func nextReset(after instant: Instant) -> Instant { start(of: dayKey(instant).adding(days: 1)) }

  /// When the reflection becomes available again: next Monday at 06:00.
  public func nextWeek(after instant: Instant) -> Instant { start(of: dayKey(instant).monday.adding(days: 7)) }
}
