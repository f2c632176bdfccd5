import TrunkModel

/// The days on which the garden rests. They are in the settings, so they apply to this computer only.
public struct RestDays: Equatable, Sendable {
  /// In the order of time. They neither overlap nor touch.
  public private(set) var periods: [RestPeriod] = []
  /// The entries of the settings that are not periods. They are written again, so that a typing mistake loses nothing.
  public private(set) var unreadable: [String] = []

  public init() {}

  /// Reads the periods in the settings, separated by semicolons.
  public init(_ text: String) {
    for entry in text.split(separator: ";").map({ String($0.trimmed) }) where !entry.isEmpty {
      if let period = RestPeriod(entry) { add(period) } else { unreadable.append(entry) }
    }
  }

  /// The text that `init` reads.
  public var text: String { (periods.map(\.description) + unreadable).joined(separator: ";") }

  public func contains(_ day: Day) -> Bool { period(on: day) != nil }

  /// The period that a day belongs to.
  public func period(on day: Day) -> RestPeriod? { periods.first { $0.contains(day) } }

  /// Whether every one of these days is a day of rest.
  public func contains(_ days: ClosedRange<Day>) -> Bool {
    // Periods that touch are one, so the days can't be in several.
    periods.contains { $0.first <= days.lowerBound && days.upperBound <= $0.last }
  }

  /// Adds a period and merges it with those that it overlaps or touches.
  public mutating func add(_ period: RestPeriod) {
    let joined = periods.filter { $0.first <= period.last.adding(days: 1) && period.first <= $0.last.adding(days: 1) }
    periods.removeAll { joined.contains($0) }
    let first = joined.map(\.first).reduce(period.first, min)
    let last = joined.map(\.last).reduce(period.last, max)
    if let merged = RestPeriod(first: first, last: last) { periods.append(merged) }
    periods.sort { $0.first < $1.first }
  }

  public mutating func remove(_ period: RestPeriod) { periods.removeAll { $0 == period } }

  /// Ends the rest on a day, which is then no longer a day of rest. Earlier days stay, because they keep the days in a
  /// row together.
  public mutating func end(on day: Day) {
    guard let period = period(on: day) else { return }
    remove(period)
    if let past = RestPeriod(first: period.first, last: day.adding(days: -1)) { add(past) }
  }
}

extension Garden {
  /// Consecutive days with at least one watering, as this computer shows them: days of rest don't interrupt them. Other
  /// clients and `trunkctl derive` know nothing about rest.
  public func streak(at now: Instant, resting rest: RestDays) -> (current: Int, longest: Int) {
    streak(at: now) { rest.contains($0) }
  }
}
