import TrunkModel

/// How the days of a life follow each other while it plays: the first year takes at least a tenth of the time, because
/// most changes then, and the rest is even.
public struct LifePlay: Sendable {
  public let first, last: Day

  private static let year = 365.25
  private static let leastFirstYear = 0.1
  /// The seasons would flicker if a year took less, in seconds.
  private static let leastYear = 1.5

  public init(from first: Day, through last: Day) { (self.first, self.last) = (first, last) }

  private var days: Double { Double(first.distance(to: last)) }
  private var years: Double { days / LifePlay.year }
  /// The first year's share of the time.
  private var firstYear: Double { max(LifePlay.leastFirstYear, 1 / years) }

  /// How long it takes, in seconds.
  public var seconds: Double { years < 1 ? 30 : min(60, 30 + years) }

  /// Whether all days have the colours of summer.
  public var staysSummer: Bool {
    years > 1 && (1 - firstYear) * seconds / (years - 1) < LifePlay.leastYear
  }

  /// The day after a share of the time, 0…1.
  public func day(at share: Double) -> Day {
    let (year, part) = (LifePlay.year, firstYear)
    if years <= 1 { return first.adding(days: Int32(share * days)) }
    let passed = share < part ? share / part * year : year + (share - part) / (1 - part) * (days - year)
    return first.adding(days: Int32(passed))
  }

  /// When a day is shown, 0…1.
  public func share(of day: Day) -> Double {
    let (year, part, passed) = (LifePlay.year, firstYear, Double(first.distance(to: day)))
    if years <= 1 { return passed / max(days, 1) }
    return passed < year ? passed / year * part : part + (passed - year) / (days - year) * (1 - part)
  }

  /// The heading while it plays: the year; in the first one, the month.
  public func heading(of day: Day) -> String { day.year == first.year ? Formats.month(day) : "\(day.year)" }
}
