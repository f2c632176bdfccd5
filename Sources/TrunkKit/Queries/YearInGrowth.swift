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
    // A harvest from a device whose clock was behind can be earlier than its planting.
    let times = [sprouts.first?.plantedAt, sprouts.last?.plantedAt, journal.first?.time, journal.last?.time]
    let days = (times.compactMap(\.self) + sprouts.compactMap(\.endedAt)).map(\.day)
    guard let first = days.min(), let last = days.max() else { return nil }
    return first.year...last.year
  }

  /// The years from the first event to the last one, or to now.
  private func yearsOfGrowth(at now: Instant) -> ClosedRange<Int32> {
    let thisYear = zone.dayKey(now).year
    return years.map { min($0.lowerBound, thisYear)...max($0.upperBound, thisYear) } ?? thisYear...thisYear
  }

  /// The years before and after one that have something to show: those since the garden began, and others with earlier
  /// pages.
  /// - Parameter pages: the earlier pages.
  public func yearsBeside(_ year: Int32, _ pages: [PageLine] = [], at now: Instant) -> (previous: Int32?, next: Int32?)
  {
    let years = Set(yearsOfGrowth(at: now)).union(pages.map(\.day.year))
    return (years.filter { $0 < year }.max(), years.filter { $0 > year }.min())
  }

  /// - Parameter now: the current year has a page even if nothing happened in it yet.
  public func growth(in year: Int32, at now: Instant) -> YearInGrowth {
    let harvested = sprouts.compactMap { sprout in
      sprout.harvest.flatMap { $0.at.day.year == year ? (at: $0.at, sprout: sprout) : nil }
    }
    let entries = timeline(TimelineFilter(first: year)).filter(\.isEntry)
    let rings = rings(of: yearsOfGrowth(at: now))
    func capacity(before year: Int32) -> Double {
      rings.reduce(Soil.startingCapacity) { $1.year < year ? $0 + $1.gain : $0 }
    }
    return YearInGrowth(
      year: year, planted: sprouts.filter { $0.plantedAt.day.year == year },
      harvested: harvested.sorted { $0.at < $1.at }.map(\.sprout), entries: entries.reversed(),
      rings: rings, capacityBefore: capacity(before: year), capacityAfter: capacity(before: year + 1))
  }

  private func rings(of years: ClosedRange<Int32>) -> [YearInGrowth.Ring] {
    var gains: [Int32: Double] = [:]
    for case let harvest? in sprouts.map(\.harvest) { gains[harvest.at.day.year, default: 0] += harvest.capacityGain }
    return years.map { YearInGrowth.Ring(year: $0, gain: gains[$0] ?? 0) }
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
