import TrunkModel

/// What is due today: the lists of the start view and `trunkctl due`.
extension Garden {
  public var growing: [Sprout] { sprouts.filter(\.isActive) }

  /// Sprouts whose season is over, the longest ready first.
  public func ready(at now: Instant) -> [Sprout] {
    growing.filter { $0.isReady(at: now) }.sorted { ($0.harvestDue, $0.id) < ($1.harvestDue, $1.id) }
  }

  /// Growing sprouts that can be watered on this reset day: first those that need water, then the ready ones; of each
  /// kind the least recently watered first.
  public func due(at now: Instant) -> [Sprout] {
    let sorted = growing.filter { !wasWatered($0, onDayOf: now) }.sorted { first, second in
      (first.lastWatered ?? first.plantedAt, first.id) < (second.lastWatered ?? second.plantedAt, second.id)
    }
    return sorted.filter { !$0.isReady(at: now) } + sorted.filter { $0.isReady(at: now) }
  }

  /// The due sprouts that need water. A ready sprout can be watered until its harvest, but needs nothing any more.
  /// Without any, everything is watered for today.
  public func needingWater(at now: Instant) -> [Sprout] { due(at: now).filter { !$0.isReady(at: now) } }

  /// Growing sprouts that were watered on this reset day, in the order of planting.
  public func wateredToday(at now: Instant) -> [Sprout] { growing.filter { wasWatered($0, onDayOf: now) } }

  /// Growing sprouts whose season is not over, the next harvest first.
  public func upcoming(at now: Instant) -> [Sprout] {
    growing.filter { !$0.isReady(at: now) }.sorted { ($0.harvestDue, $0.id) < ($1.harvestDue, $1.id) }
  }

  /// The latest sprout of a leaf, from which the next one is prefilled.
  public func latestSprout(onLeaf leafID: String) -> Sprout? { sprouts.last { $0.leafID == leafID } }

  public func leaves(onTwig twigID: String) -> [Leaf] { leaves.filter { $0.twigID == twigID } }
}

/// The anniversaries on which an entry is shown again.
public enum Anniversary: CaseIterable, Sendable {
  case week, month, year, twoYears, fiveYears

  /// The day that this anniversary falls on for `today`.
  func day(before today: Day) -> Day {
    switch self {
    case .week: today.adding(days: -7)
    case .month: today.adding(months: -1)
    case .year: today.adding(months: -12)
    case .twoYears: today.adding(months: -24)
    case .fiveYears: today.adding(months: -60)
    }
  }
}

extension Garden {
  /// Entries from the same day a week, a month, 1, 2 and 5 years ago; anniversaries without entries are left out.
  public func onThisDay(at now: Instant) -> [(anniversary: Anniversary, entries: [JournalEntry])] {
    let today = zone.dayKey(now)
    let spans = Anniversary.allCases.map { anniversary in
      let day = anniversary.day(before: today)
      return zone.start(of: day)..<zone.start(of: day.adding(days: 1))
    }
    // One pass over decades of entries, because this runs at each render.
    var found: [[JournalEntry]] = spans.map { _ in [] }
    guard let first = spans.map(\.lowerBound).min(), let end = spans.map(\.upperBound).max() else { return [] }
    for entry in journal where entry.instant >= first && entry.instant < end {
      for (index, span) in spans.enumerated() where span.contains(entry.instant) { found[index].append(entry) }
    }
    return zip(Anniversary.allCases, found).filter { !$0.1.isEmpty }.map { (anniversary: $0, entries: $1) }
  }
}
