import Garden

/// What the garden asks for today: the lists behind the first view and `trunkctl due`.
extension Garden {
  public var growing: [Sprout] { sprouts.filter(\.isActive) }

  /// Sprouts whose season is over, the longest waiting first.
  public func ready(at now: Instant) -> [Sprout] {
    growing.filter { $0.isReady(at: now) }.sorted { ($0.harvestDue, $0.id) < ($1.harvestDue, $1.id) }
  }

  /// Growing sprouts that were not watered in this reset day, the least recently watered first.
  public func due(at now: Instant) -> [Sprout] {
    growing.filter { !wasWatered($0, onDayOf: now) }.sorted { first, second in
      (first.lastWatered ?? first.plantedAt, first.id) < (second.lastWatered ?? second.plantedAt, second.id)
    }
  }

  /// Growing sprouts that were watered in this reset day, in the order of planting.
  public func wateredToday(at now: Instant) -> [Sprout] { growing.filter { wasWatered($0, onDayOf: now) } }

  /// Growing sprouts whose season is not over, the next harvest first.
  public func upcoming(at now: Instant) -> [Sprout] {
    growing.filter { !$0.isReady(at: now) }.sorted { ($0.harvestDue, $0.id) < ($1.harvestDue, $1.id) }
  }

  /// The sprout's latest on the same leaf: what the next one of its saga starts from.
  public func latestSprout(onLeaf leafID: String) -> Sprout? { sprouts.last { $0.leafID == leafID } }

  public func leaves(onTwig twigID: String) -> [Leaf] { leaves.filter { $0.twigID == twigID } }
}

/// How long ago something was written that comes back today.
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
  /// What was written on the same day a week, a month, 1, 2 and 5 years ago; anniversaries without entries are left
  /// out.
  public func onThisDay(at now: Instant) -> [(anniversary: Anniversary, entries: [JournalEntry])] {
    let today = zone.dayKey(now)
    let spans = Anniversary.allCases.map { anniversary in
      let day = anniversary.day(before: today)
      return zone.start(of: day)..<zone.start(of: day.adding(days: 1))
    }
    // One way through decades of entries, at each render.
    var found: [[JournalEntry]] = spans.map { _ in [] }
    guard let first = spans.map(\.lowerBound).min(), let end = spans.map(\.upperBound).max() else { return [] }
    for entry in journal where entry.instant >= first && entry.instant < end {
      for (index, span) in spans.enumerated() where span.contains(entry.instant) { found[index].append(entry) }
    }
    return zip(Anniversary.allCases, found).filter { !$0.1.isEmpty }.map { (anniversary: $0, entries: $1) }
  }
}
