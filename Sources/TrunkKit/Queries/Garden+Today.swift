import TrunkModel

/// What today asks for: the lists of Today in the window and of `trunkctl due`, `today` and `status`.
public struct Today: Sendable, Equatable {
  /// Sprouts whose season is over, the longest ready first.
  public var ready: [Sprout]
  /// Growing sprouts that need water, the least recently watered first. A ready sprout can be watered until its
  /// harvest, but needs nothing; during rest, no sprout does.
  public let due: [Sprout]
  /// The sprouts that would be due if the garden didn't rest. They can be watered.
  public let resting: [Sprout]
  /// Growing sprouts that were watered on this reset day, in the order of planting; ready ones are left out.
  public let watered: [Sprout]
}

extension Garden {
  /// What is due on the reset day of `now`.
  public func today(at now: Instant, resting rest: RestDays) -> Today {
    let needing = needingWater(at: now)
    let isResting = rest.contains(zone.dayKey(now))
    return Today(
      ready: ready(at: now), due: isResting ? [] : needing, resting: isResting ? needing : [],
      watered: wateredToday(at: now).filter { !$0.isReady(at: now) })
  }

  public var growing: [Sprout] { sprouts.filter(\.isActive) }

  /// The time left until a growing sprout is ready: `34 days`, on the last day `5 hours` or `12 minutes`, then
  /// `ready`.
  public func timeLeft(of sprout: Sprout, at now: Instant) -> String {
    Formats.left(until: sprout.harvestDue, now: now, in: zone)
  }

  /// Sprouts whose season is over, the longest ready first.
  public func ready(at now: Instant) -> [Sprout] {
    growing.filter { $0.isReady(at: now) }.sorted { ($0.harvestDue, $0.id) < ($1.harvestDue, $1.id) }
  }

  /// Growing sprouts that can be watered on this reset day: first those that need water, then the ready ones; of each
  /// kind the least recently watered first.
  public func waterable(at now: Instant) -> [Sprout] {
    let dry = growing.filter { !wasWatered($0, onDayOf: now) }.map { ($0, lastWatered($0, at: now) ?? $0.plantedAt) }
    let sorted = dry.sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }.map(\.0)
    return sorted.filter { !$0.isReady(at: now) } + sorted.filter { $0.isReady(at: now) }
  }

  /// The waterable sprouts that aren't ready. Without any, everything is watered for today.
  public func needingWater(at now: Instant) -> [Sprout] { waterable(at: now).filter { !$0.isReady(at: now) } }

  /// Growing sprouts that were watered on this reset day, in the order of planting.
  public func wateredToday(at now: Instant) -> [Sprout] { growing.filter { wasWatered($0, onDayOf: now) } }

  /// The latest watering of a sprout on the reset day of `now`; `nil` if it wasn't watered on that day.
  public func watering(of sprout: Sprout, onDayOf now: Instant) -> JournalEntry? {
    let today = zone.dayKey(now)
    return sprout.waterings.last { journal[Int($0)].time.day == today }.map { journal[Int($0)] }
  }

  /// The drops of this reset day: those that can still fall, and together with those that fell, at most three. No drop
  /// falls on a garden without a sprout that needs water.
  public func drops(at now: Instant) -> (left: Int, total: Int) {
    let left = min(waterLeft(at: now), needingWater(at: now).count)
    return (left, min(left + Soil.waterings - waterLeft(at: now), Soil.waterings))
  }

  /// Where the latest act was: a planting, watering, reflection, harvest or uprooting on one of the 64 twigs.
  public var latestPlace: Node? {
    func place(of entry: JournalEntry) -> Node? { entry.sprout.map { sprouts[$0].node } ?? entry.twig }
    let written = journal.last { place(of: $0)?.isTwig == true }
    let changed = sprouts.filter { $0.node?.isTwig == true }.max { $0.lastChange < $1.lastChange }
    guard let written, changed.map({ $0.lastChange <= written.time }) ?? true else { return changed?.node }
    return place(of: written)
  }

  /// Whether a sprout should be asked how its success can be told: on its third day, if that wasn't written down.
  public func asksForHopes(_ sprout: Sprout, at now: Instant) -> Bool {
    let hopes = [sprout.bloomWither, sprout.bloomBudding, sprout.bloomFlourish]
    return sprout.isActive && hopes.allSatisfy { $0?.trimmed.isEmpty ?? true }
      && sprout.plantedAt.day.distance(to: zone.dayKey(now)) == 2
  }

  /// Whether a sprout can still be watered for the day before: until noon, with a drop that was not used on that day,
  /// if it was growing then and wasn't watered.
  public func canWaterForYesterday(_ sprout: Sprout, at now: Instant) -> Bool {
    let time = EventTime(now, in: zone)
    let yesterday = time.day.adding(days: -1)
    return !time.isNight && time.second < 12 * 3600 && sprout.isActive && sprout.plantedAt.day <= yesterday
      && waterLeft(on: yesterday) > 0 && !wasWatered(sprout, on: yesterday)
  }

  /// Growing sprouts whose season is not over, the next harvest first.
  public func upcoming(at now: Instant) -> [Sprout] {
    growing.filter { !$0.isReady(at: now) }.sorted { ($0.harvestDue, $0.id) < ($1.harvestDue, $1.id) }
  }

  /// The latest sprout of a leaf, from which the next one is prefilled.
  public func latestSprout(onLeaf leafID: String) -> Sprout? { sprouts.last { $0.leafID.hasSameBytes(as: leafID) } }

  public func leaves(onTwig twigID: String) -> [Leaf] { leaves.filter { $0.twigID.hasSameBytes(as: twigID) } }
}

extension Sprout {
  /// When it was planted, harvested or uprooted.
  fileprivate var lastChange: EventTime {
    switch state {
    case .active: plantedAt
    case .completed(let harvest): harvest.at
    case .uprooted(let at, _): at
    }
  }
}

extension GardenModel {
  /// What is due today. During the initial sync nothing is ready: the harvests may not have arrived yet.
  public func today(resting rest: RestDays) -> Today {
    var today = garden.today(at: now, resting: rest)
    if initialSync == .running { today.ready = [] }
    return today
  }
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
    let days = Anniversary.allCases.map { $0.day(before: zone.dayKey(now)) }
    // One pass over decades of entries, because this runs at each render.
    var found: [[JournalEntry]] = days.map { _ in [] }
    for entry in journal {
      let day = entry.time.day
      for (index, anniversary) in days.enumerated() where day == anniversary { found[index].append(entry) }
    }
    return zip(Anniversary.allCases, found).filter { !$0.1.isEmpty }.map { (anniversary: $0, entries: $1) }
  }
}
