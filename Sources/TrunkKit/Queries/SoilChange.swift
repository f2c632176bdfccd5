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
  /// When the event happened that caused it.
  public let time: EventTime
  /// The instant of the change and the values after it.
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
      var candidates: [Effect] = []
      if planted < sprouts.count {
        candidates.append(Effect(.planted(sprout: planted), sprouts[planted].plantedAt))
      }
      if written < journal.count { candidates.append(effect(of: journal[written])) }
      if let end = ends.last { candidates.append(end.effect) }
      let due = candidates.filter { $0.instant == snapshot.instant }
      guard let effect = (due.isEmpty ? candidates : due).min(by: { $0.cause.rank < $1.cause.rank }) else { break }
      switch effect.cause {
      case .planted: planted += 1
      case .watered, .shone: written += 1
      case .harvested, .uprooted: ends.removeLast()
      }
      changes.append(
        SoilChange(
          cause: effect.cause, time: effect.time, after: snapshot, availableGain: snapshot.available - available,
          capacityGain: snapshot.capacity - capacity))
      (capacity, available) = (snapshot.capacity, snapshot.available)
    }
    return changes
  }

  private struct Effect {
    let cause: SoilChange.Cause
    /// The event's own time.
    let time: EventTime
    /// When it took effect.
    let instant: Instant

    /// - Parameter planted: the planting of its sprout. An event from a device whose clock was behind takes effect with
    ///   it.
    init(_ cause: SoilChange.Cause, _ time: EventTime, notBefore planted: EventTime? = nil) {
      (self.cause, self.time) = (cause, time)
      instant = max(time.instant, planted?.instant ?? time.instant)
    }
  }

  /// Harvests and uprootings in the order in which they took effect; at the same instant, in the order of the log.
  private var finishes: [(effect: Effect, seq: Int64)] {
    let finishes = sprouts.enumerated().compactMap { position, sprout -> (effect: Effect, seq: Int64)? in
      switch sprout.state {
      case .active: nil
      case .completed(let harvest):
        (Effect(.harvested(sprout: position), harvest.at, notBefore: sprout.plantedAt), harvest.seq)
      case .uprooted(let at, let seq):
        (Effect(.uprooted(sprout: position), at, notBefore: sprout.plantedAt), seq)
      }
    }
    return finishes.sorted {
      ($0.effect.instant, $0.effect.cause.rank, $0.seq) < ($1.effect.instant, $1.effect.cause.rank, $1.seq)
    }
  }

  private func effect(of entry: JournalEntry) -> Effect {
    guard let sprout = entry.sprout else { return Effect(.shone(twig: entry.twig), entry.time) }
    return Effect(.watered(sprout: sprout), entry.time, notBefore: sprouts[sprout].plantedAt)
  }
}
