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
    guard let first = snapshots.first else { return [] }
    let today = zone.local(now)
    let start: Instant
    let width: Int64  // milliseconds
    func monthsBack(_ months: Int32) -> Instant {
      zone.instant(day: today.day.adding(months: -months), second: today.second)
    }
    switch range {
    case .day: (start, width) = (now.adding(seconds: -86_400), 3_600_000)
    case .week: (start, width) = (now.adding(seconds: -7 * 86_400), 21_600_000)
    case .month: (start, width) = (monthsBack(1), 86_400_000)
    case .threeMonths: (start, width) = (monthsBack(3), 302_400_000)
    case .sixMonths: (start, width) = (monthsBack(6), 604_800_000)
    case .yearToDate:
      let newYear = Day(year: today.day.year, month: 1, day: 1) ?? today.day
      (start, width) = (zone.instant(day: newYear, second: 0), 604_800_000)
    case .all:
      start = first.instant
      width = max((now.milliseconds - start.milliseconds) / 48, 3_600_000)
    }
    let local = zone.local(start)
    let floored =
      width <= 21_600_000 || range == .all
      ? start.seconds - local.second % 3600 : zone.instant(day: local.day, second: 0).seconds

    var points: [SoilSnapshot] = []
    var index = snapshots.startIndex
    func add(_ boundary: Instant) {
      while index < snapshots.endIndex, snapshots[index].instant <= boundary { index += 1 }
      let value = index > 0 ? snapshots[index - 1] : nil
      points.append(
        SoilSnapshot(
          instant: boundary, capacity: value?.capacity ?? Soil.startingCapacity,
          available: value?.available ?? Soil.startingCapacity))
    }
    index = snapshotIndex(after: Instant(milliseconds: floored * 1000))
    var boundary = floored * 1000
    while boundary < now.milliseconds {
      add(Instant(milliseconds: boundary))
      boundary += width
    }
    add(now)
    return points
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
