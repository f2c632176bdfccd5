import TrunkModel

/// Consecutive days on which the garden rests: reset days, the first and the last included.
public struct RestPeriod: Hashable, Sendable {
  public let first: Day
  public let last: Day

  /// - Returns: `nil` if the last day is before the first.
  public init?(first: Day, last: Day) {
    guard first <= last else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// The number of days.
  public var count: Int { Int(last.number - first.number) + 1 }

  public func contains(_ day: Day) -> Bool { first <= day && day <= last }
}

extension RestPeriod: CustomStringConvertible {
  /// Reads `2026-12-20/2027-01-03`, an interval of ISO 8601, or a single day: `2026-12-20`.
  public init?(_ text: String) {
    let days = text.split(separator: "/", omittingEmptySubsequences: false).map { RestPeriod.day(String($0.trimmed)) }
    guard (1...2).contains(days.count), let first = days[0], let last = days[days.count - 1] else { return nil }
    self.init(first: first, last: last)
  }

  /// As in the settings.
  public var description: String { "\(first)/\(last)" }

  /// A whole date, unlike `Period`, which also reads months and words.
  private static func day(_ text: String) -> Day? {
    let period = text.utf8.count == 10 ? Period(text, today: Day(number: 0)) : nil
    return period.flatMap { $0.first == $0.last ? $0.first : nil }
  }
}
