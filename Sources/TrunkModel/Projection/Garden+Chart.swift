/// A span of the soil chart.
public enum ChartRange: String, CaseIterable, Sendable {
  case day = "1d"
  case week = "1w"
  case month = "1m"
  case threeMonths = "3m"
  case sixMonths = "6m"
  case yearToDate = "ytd"
  case all
}

extension Garden {
  /// The soil at regular instants up to `now`.
  ///
  /// The instants start at the range's start, rounded down to the local hour or (for a month to a year) to local
  /// midnight, and have a fixed interval in real time. Each value is that of the last snapshot at or before its
  /// instant, or else that of a new garden. Without snapshots there are no points.
  public func soilChart(_ range: ChartRange, now: Instant) -> [SoilSnapshot] {
    guard !snapshots.isEmpty else { return [] }
    let (start, interval) = chartSteps(range, now: now)
    var points: [SoilSnapshot] = []
    var index = snapshotIndex(after: start)
    func add(_ instant: Instant) {
      while index < snapshots.endIndex, snapshots[index].instant <= instant { index += 1 }
      let value = index > 0 ? snapshots[index - 1] : nil
      points.append(
        SoilSnapshot(
          instant: instant, capacity: value?.capacity ?? Soil.startingCapacity,
          available: value?.available ?? Soil.startingCapacity))
    }
    for milliseconds in stride(from: start.milliseconds, to: now.milliseconds, by: Int(interval)) {
      add(Instant(milliseconds: milliseconds))
    }
    add(now)
    return points
  }

  /// The first instant of a chart, rounded down, and the milliseconds between two instants.
  private func chartSteps(_ range: ChartRange, now: Instant) -> (start: Instant, interval: Int64) {
    let today = zone.local(now)
    func monthsBack(_ months: Int32) -> Instant {
      zone.instant(day: today.day.adding(months: -months), second: today.second)
    }
    switch range {
    case .day: return (wholeHour(now.adding(seconds: -86_400)), 3_600_000)
    case .week: return (wholeHour(now.adding(seconds: -7 * 86_400)), 21_600_000)
    case .month: return (midnight(monthsBack(1)), 86_400_000)
    case .threeMonths: return (midnight(monthsBack(3)), 302_400_000)
    case .sixMonths: return (midnight(monthsBack(6)), 604_800_000)
    case .yearToDate:
      let newYear = Day(year: today.day.year, month: 1, day: 1) ?? today.day
      return (midnight(zone.instant(day: newYear, second: 0)), 604_800_000)
    case .all:
      let first = snapshots.first?.instant ?? now
      return (wholeHour(first), max((now.milliseconds - first.milliseconds) / 48, 3_600_000))
    }
  }

  private func wholeHour(_ instant: Instant) -> Instant {
    Instant(milliseconds: (instant.seconds - zone.local(instant).second % 3600) * 1000)
  }

  private func midnight(_ instant: Instant) -> Instant {
    Instant(milliseconds: zone.instant(day: zone.local(instant).day, second: 0).seconds * 1000)
  }

  /// The index of the first snapshot after an instant.
  private func snapshotIndex(after instant: Instant) -> Int {
    var (low, high) = (0, snapshots.count)
    while low < high {
      let middle = (low + high) / 2
      if snapshots[middle].instant <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
