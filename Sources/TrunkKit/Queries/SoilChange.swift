import TrunkModel

/// One change of the soil: its cause, its effect, and the values after it.
public struct SoilChange: Sendable, Equatable {
  /// The cause. Sprouts are given by their index in `Garden.sprouts`.
  public enum Cause: Sendable, Equatable {
    case planted(sprout: Int)
    case watered(sprout: Int)
    /// `nil` for an unknown twig.
    case shone(twig: Node?)
    case harvested(sprout: Int)
    case uprooted(sprout: Int)

    /// The order in which causes of the same instant take effect.
    fileprivate var rank: Int {
      switch self {
      case .planted: 0
      case .watered: 1
      case .shone: 2
      case .harvested: 3
      case .uprooted: 4
      }
    }
  }

  public let cause: Cause
  /// The time of the change and the values after it.
  public let after: SoilSnapshot
  /// The changes of available soil and capacity; negative if they decreased.
  public let availableGain: Double
  public let capacityGain: Double
}

extension Garden {
  /// Every change of the soil, oldest first.
  ///
  /// Each snapshot belongs to one planting, watering, reflection, harvest or uprooting. This finds out which one from
  /// the instants at which they took effect, without reading the log.
  public var soilHistory: [SoilChange] {
    var ends = finishes
    ends.reverse()
    var (planted, written) = (0, 0)
    var (capacity, available) = (Soil.startingCapacity, Soil.startingCapacity)
    var changes: [SoilChange] = []
    changes.reserveCapacity(snapshots.count)
    for snapshot in snapshots {
      var candidates: [(instant: Instant, cause: SoilChange.Cause)] = []
      if planted < sprouts.count { candidates.append((sprouts[planted].plantedAt, .planted(sprout: planted))) }
      if written < journal.count { candidates.append(effect(of: journal[written])) }
      if let end = ends.last { candidates.append(end) }
      let due = candidates.filter { $0.instant == snapshot.instant }
      guard let cause = (due.isEmpty ? candidates : due).min(by: { $0.cause.rank < $1.cause.rank })?.cause else {
        break
      }
      switch cause {
      case .planted: planted += 1
      case .watered, .shone: written += 1
      case .harvested, .uprooted: ends.removeLast()
      }
      changes.append(
        SoilChange(
          cause: cause, after: snapshot, availableGain: snapshot.available - available,
          capacityGain: snapshot.capacity - capacity))
      (capacity, available) = (snapshot.capacity, snapshot.available)
    }
    return changes
  }

  /// Harvests and uprootings in the order in which they took effect; at the same instant, in the order of the log.
  private var finishes: [(instant: Instant, cause: SoilChange.Cause)] {
    let finishes = sprouts.enumerated().compactMap {
      position, sprout -> (instant: Instant, cause: SoilChange.Cause, seq: Int64)? in
      switch sprout.state {
      case .active: nil
      case .completed(let harvest):
        (max(harvest.at, sprout.plantedAt), .harvested(sprout: position), harvest.seq)
      case .uprooted(let at, let seq): (max(at, sprout.plantedAt), .uprooted(sprout: position), seq)
      }
    }
    return finishes.sorted { ($0.instant, $0.cause.rank, $0.seq) < ($1.instant, $1.cause.rank, $1.seq) }
      .map { ($0.instant, $0.cause) }
  }

  /// A watering from a device whose clock was behind takes effect with the planting.
  private func effect(of entry: JournalEntry) -> (instant: Instant, cause: SoilChange.Cause) {
    guard let sprout = entry.sprout else { return (entry.instant, .shone(twig: entry.twig)) }
    return (max(entry.instant, sprouts[sprout].plantedAt), .watered(sprout: sprout))
  }
}
