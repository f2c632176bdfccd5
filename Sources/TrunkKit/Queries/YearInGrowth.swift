import TrunkModel

/// What grew in a calendar year of reset days, which begin at 06:00.
public struct YearInGrowth: Sendable, Equatable {
  public let year: Int32
  /// Planted in this year, in the order of planting.
  public let planted: [Sprout]
  /// Harvested in this year, the first harvest first.
  public let harvested: [Sprout]
  /// What the user wrote, oldest first.
  public let entries: [TimelineItem]
  /// The soil gained in each year that has a page, oldest first.
  public let rings: [Ring]
  /// The soil at the beginning of the year.
  public let capacityBefore: Double
  /// The soil at the end of the year, or now.
  public let capacityAfter: Double
  /// The years before and after it that have a page.
  public let previous, next: Int32?

  /// The soil that was gained in a year.
  public struct Ring: Sendable, Equatable {
    public let year: Int32
    public let gain: Double
  }

  /// Whether nothing was planted, harvested or written.
  public var isEmpty: Bool { planted.isEmpty && harvested.isEmpty && entries.isEmpty }
}

extension Garden {
  /// The calendar years from the first event to the last one; `nil` for an empty garden.
  public var years: ClosedRange<Int32>? {
    let first = [
      snapshots.first?.instant, sprouts.first?.plantedAt, journal.first?.instant,
    ].compactMap(\.self).min()
    let last = [snapshots.last?.instant, sprouts.last?.plantedAt, journal.last?.instant].compactMap(\.self).max()
    guard let first, let last else { return nil }
    return zone.dayKey(first).year...zone.dayKey(last).year
  }

  /// - Parameter now: the current year has a page even if nothing happened in it yet.
  public func growth(in year: Int32, at now: Instant) -> YearInGrowth {
    let thisYear = zone.dayKey(now).year
    let years = years.map { min($0.lowerBound, thisYear)...max($0.upperBound, thisYear) } ?? thisYear...thisYear
    let span = start(ofYear: year)..<start(ofYear: year + 1)
    let harvested = sprouts.compactMap { sprout in
      sprout.harvest.flatMap { span.contains($0.at) ? (at: $0.at, sprout: sprout) : nil }
    }
    let entries = timeline(TimelineFilter(first: year)).filter(\.isEntry)
    let before = snapshots.last { $0.instant < span.lowerBound }?.capacity ?? Soil.startingCapacity
    let after = snapshots.last { $0.instant < span.upperBound }?.capacity ?? before
    return YearInGrowth(
      year: year, planted: sprouts.filter { span.contains($0.plantedAt) },
      harvested: harvested.sorted { $0.at < $1.at }.map(\.sprout), entries: entries.reversed(),
      rings: rings(of: years), capacityBefore: before, capacityAfter: after,
      previous: year > years.lowerBound ? year - 1 : nil,
      next: year < years.upperBound ? year + 1 : nil)
  }

  private func start(ofYear year: Int32) -> Instant { zone.start(of: JournalYear.newYear(year)) }

  private func rings(of years: ClosedRange<Int32>) -> [YearInGrowth.Ring] {
    var gains = [Double](repeating: 0, count: years.count)
    var (position, capacity) = (0, Soil.startingCapacity)
    let ends = years.map { start(ofYear: $0 + 1) }
    for snapshot in snapshots {
      while position < ends.count - 1, snapshot.instant >= ends[position] { position += 1 }
      gains[position] += max(0, snapshot.capacity - capacity)
      capacity = snapshot.capacity
    }
    return zip(years, gains).map { YearInGrowth.Ring(year: $0, gain: $1) }
  }
}

extension TimelineFilter {
  /// The reset days of a year.
  fileprivate init(first year: Int32) {
    self.init()
    first = JournalYear.newYear(year)
    last = JournalYear.newYear(year + 1).adding(days: -1)
  }
}
