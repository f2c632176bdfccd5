import Glibc
import Localization
import TrunkModel

/// When each limb was last tended: the days of the latest entries on the 8 branches.
public struct LastTended: Equatable, Sendable {
  private let today: Day
  /// `nil` for a branch without entries.
  private let days: [Day?]

  public init(_ garden: Garden, at now: Instant) {
    var days = [Day?](repeating: nil, count: 8)
    func add(_ time: EventTime, on branch: Int?) {
      guard let branch else { return }
      days[branch] = max(days[branch] ?? time.day, time.day)
    }
    for entry in garden.journal {
      add(entry.time, on: (entry.sprout.map { garden.sprouts[$0].node } ?? entry.twig)?.branch)
    }
    for sprout in garden.sprouts { if let harvest = sprout.harvest { add(harvest.at, on: sprout.node?.branch) } }
    (today, self.days) = (garden.zone.dayKey(now), days)
  }

  /// How much of its colour a limb has: all of it for 30 days, then less and less, down to 0.4.
  public func colour(of branch: Int) -> Double {
    guard let day = days[branch] else { return 0.4 }
    return 1 - 0.6 * (1 - exp(-Double(max(day.distance(to: today) - 30, 0)) / 90))
  }

  /// `yesterday`, `on Monday`, `in May`, `in 2024`, `not yet`.
  public func text(of branch: Int) -> String {
    guard let day = days[branch] else { return tr("not yet") }
    switch day.distance(to: today) {
    case ...1: return Formats.ago(day, today: today)
    case ..<7: return tr("on {weekday}", ["weekday": Formats.weekday(day)])
    case ..<330: return tr("in {month}", ["month": Formats.monthInSentence(day)])
    default: return tr("in {year}", ["year": "\(day.year)"])
    }
  }
}
