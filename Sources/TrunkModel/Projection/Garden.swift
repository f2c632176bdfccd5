/// The state of the tree, derived from the log one event at a time.
///
/// A garden contains no journal texts. It refers to their events by sequence number in the log (`seq`), so that decades
/// of writing cost neither memory nor startup time.
public struct Garden: Sendable {
  /// The maximum of soil that can be planted; never rounded.
  public internal(set) var capacity = Soil.startingCapacity
  /// The available soil, rounded to two decimals.
  public internal(set) var available = Soil.startingCapacity
  /// In the order of planting.
  public internal(set) var sprouts = Chunked<Sprout>(size: 32)
  /// In the order of creation.
  public internal(set) var leaves = Chunked<Leaf>(size: 32)
  /// In the order of creation, including deleted ones (see `seedlings`).
  public internal(set) var allSeedlings = Chunked<Seedling>(size: 32)
  /// The user's labels and notes in place of the presets, by node id.
  public internal(set) var nodes: [ExactID: NodeText] = [:]
  /// The labels of nodes that later events have replaced, in order.
  public internal(set) var replacedLabels: [ReplacedText] = []
  /// The ids of the leaves of sprouts that later events have replaced, in order.
  public internal(set) var replacedLeaves: [ReplacedText] = []
  /// Waterings of known sprouts and reflections, in the order in which they took effect.
  public internal(set) var journal = Chunked<JournalEntry>(size: 512)
  /// The soil after every event that could change it; instants ascend.
  public internal(set) var snapshots = Chunked<SoilSnapshot>(size: 512)
  /// The total soil invested in each branch, before it is divided or limited.
  var branchSums = SIMD8<Double>(repeating: 0)
  /// The number of waterings per reset day, ascending by day; waterings of unknown sprouts count too.
  var waterDays: [DayCount] = []
  /// The number of reflections per reset day, ascending by day.
  var sunDays: [DayCount] = []
  /// The number of applied events.
  public internal(set) var eventCount = 0
  /// The number of events that this version doesn't understand; they have no effect and no position in the order.
  public internal(set) var ignoredCount = 0
  /// The last applied event, or only its position after a checkpoint was read.
  var lastEvent: LastEvent?
  /// The zones of the events, and that of the computer.
  public internal(set) var zones: Zones

  private var sproutPositions = PositionTable()
  private var leafPositions = PositionTable()
  private var seedlingPositions = PositionTable()
  /// Events about a sprout or seedling that no event has created yet, in order.
  var waiting: [ExactID: [WaitingEvent]] = [:]

  public init(zones: Zones) {
    self.zones = zones
  }

  /// Creates the garden of a computer that knows no other zone than its own.
  public init(zone: Zone) { self.init(zones: Zones(zone)) }
}

enum LastEvent: Sendable {
  case event(Event)
  case key(OrderKey)
}

/// The user's text in place of a node's preset; missing or empty means the preset.
public struct NodeText: Sendable, Equatable {
  public internal(set) var label: String?
  public internal(set) var note: String?
}

/// What a text was before an event replaced it.
public struct ReplacedText: Sendable, Equatable {
  /// The time of that event.
  public let at: EventTime
  /// The id of the node or sprout.
  public let id: String
  /// `nil` if there was none.
  public let text: String?
}

public struct SoilSnapshot: Sendable, Equatable, BitwiseCopyable {
  public let instant: Instant
  public let capacity: Double
  public let available: Double
}

struct DayCount: Sendable, Equatable, BitwiseCopyable {
  let day: Day
  var count: Int32
  /// The offsets from UTC, in seconds, of the first and the last of them.
  let firstOffset: Int32
  var lastOffset: Int32

  /// The first one of a day.
  init(_ time: EventTime) { (day, count, firstOffset, lastOffset) = (time.day, 1, time.offset, time.offset) }
}

struct WaitingEvent: Sendable {
  let logged: LoggedEvent
  /// The number of waterings counted before it on its reset day.
  let wateringsBefore: Int32
}

// MARK: - Reading

extension Garden {
  /// The computer's zone, in which it is "today" and "this week". Events have their own: see `EventTime`.
  public var zone: Zone { zones.current }

  /// - Returns: `nil` for an event without an instant.
  public func time(of event: Event) -> EventTime? {
    var zones = zones
    return event.instant.map { zones.time(of: event, at: $0) }
  }

  /// The position of the last applied event in the total order.
  public var lastKey: OrderKey? {
    switch lastEvent {
    case .event(let event): event.orderKey
    case .key(let key): key
    case nil: nil
    }
  }

  public func sprout(id: String) -> Sprout? { sproutPosition(id, PositionTable.hash(id)).map { sprouts[$0] } }

  public func leaf(id: String) -> Leaf? { leafPosition(id, PositionTable.hash(id)).map { leaves[$0] } }

  public func seedling(id: String) -> Seedling? {
    seedlingPosition(id, PositionTable.hash(id)).map { allSeedlings[$0] }.flatMap { $0.deletedAt == nil ? $0 : nil }
  }

  /// Ideas that are neither deleted nor planted, oldest first.
  public var seedlings: [Seedling] { allSeedlings.filter { $0.deletedAt == nil } }

  /// The journal entries of a sprout, oldest first.
  public func waterings(of sprout: Sprout) -> [JournalEntry] { sprout.waterings.map { journal[Int($0)] } }

  /// The progress of every leaf that has a sprout, by leaf id.
  public var leafProgress: [ExactID: LeafProgress] {
    var progress: [ExactID: LeafProgress] = [:]
    for sprout in sprouts {
      let leaf = ExactID(sprout.leafID)
      progress[leaf, default: LeafProgress()].total += 1
      switch sprout.state {
      case .active: progress[leaf]?.growing += 1
      case .completed: progress[leaf]?.cultivated += 1
      case .uprooted: break
      }
    }
    return progress
  }

  /// The waterings left in the reset day of `now`, 0…3.
  public func waterLeft(at now: Instant) -> Int { waterLeft(on: zone.dayKey(now)) }

  /// The waterings left on a day, 0…3. A watering counts for its own day only, so that one from a device whose clock
  /// was ahead takes nothing away.
  public func waterLeft(on day: Day) -> Int { max(0, Soil.waterings - Garden.count(waterDays, on: day...day)) }

  /// The reflections left in the week of `now`, 0…1.
  public func sunLeft(at now: Instant) -> Int {
    let monday = zone.dayKey(now).monday
    return max(0, Soil.suns - Garden.count(sunDays, on: monday...monday.adding(days: 6)))
  }

  public func wasWatered(_ sprout: Sprout, onDayOf now: Instant) -> Bool { wasWatered(sprout, on: zone.dayKey(now)) }

  public func wasWatered(_ sprout: Sprout, on day: Day) -> Bool {
    lastWatering(of: sprout, through: day)?.day == day
  }

  /// When a sprout was last watered; waterings dated after the day of `now` are left out.
  public func lastWatered(_ sprout: Sprout, at now: Instant) -> EventTime? {
    lastWatering(of: sprout, through: zone.dayKey(now))
  }

  /// The time of the last watering on the latest day that is not after `day`.
  private func lastWatering(of sprout: Sprout, through day: Day) -> EventTime? {
    var latest: EventTime?
    for position in sprout.waterings.reversed() {
      let time = journal[Int(position)].time
      // The waterings are in order, but the day of a traveller can be one behind that of an earlier watering.
      if let latest, time.day.number < latest.day.number - 1 { break }
      if time.day <= day, latest.map({ time.day > $0.day }) ?? true { latest = time }
    }
    return latest
  }

  /// Consecutive days with at least one watering: the current run, which ends today (or yesterday, if today has none
  /// yet), and the longest run.
  /// - Parameter isBridged: whether the run continues over all of these days, which have no watering. By default none.
  public func streak(
    at now: Instant, bridging isBridged: (ClosedRange<Day>) -> Bool = { _ in false }
  ) -> (current: Int, longest: Int) {
    func follows(_ day: DayCount, _ previous: DayCount) -> Bool {
      guard day.day > previous.day.adding(days: 1) else { return true }
      return day.followsJourney(after: previous) || isBridged(previous.day.adding(days: 1)...day.day.adding(days: -1))
    }
    let today = DayCount(EventTime(now, in: zone))
    var (current, longest, run) = (0, 0, 0)
    var (previous, latest): (DayCount?, DayCount?) = (nil, nil)
    for entry in waterDays {
      run = previous.map { follows(entry, $0) } == true ? run + 1 : 1
      longest = max(longest, run)
      // A device whose clock is ahead may have watered later.
      if entry.day <= today.day { (current, latest) = (run, entry) }
      previous = entry
    }
    return (latest.map { follows(today, $0) } == true ? current : 0, longest)
  }

  /// A score for each of the 8 branches, 0…1: the soil invested in it, divided by 100.
  public var radar: [Double] { (0..<8).map { min(branchSums[$0] / 100, 1) } }

  private static func count(_ days: [DayCount], on span: ClosedRange<Day>) -> Int {
    days.reversed().prefix { $0.day >= span.lowerBound }.reduce(0) { $0 + (span.contains($1.day) ? Int($1.count) : 0) }
  }
}

extension DayCount {
  /// Whether the days in between did not exist, or were shorter than half a day, because clocks went ahead: where a
  /// traveller crosses the date line, and in Samoa, which skipped 30 December 2011.
  fileprivate func followsJourney(after previous: DayCount) -> Bool {
    let skippedDays = Int64(day.number - previous.day.number - 1)
    return skippedDays * Day.seconds - Int64(firstOffset - previous.lastOffset) < Day.seconds / 2
  }
}

// MARK: - Finding by id

extension Garden {
  /// - Parameter hash: the hash of the id (see `PositionTable`), which events already know.
  func sproutPosition(_ id: String, _ hash: Int32) -> Int? {
    sproutPositions.find(hash) { sprouts[$0].id.hasSameBytes(as: id) }
  }

  func leafPosition(_ id: String, _ hash: Int32) -> Int? {
    leafPositions.find(hash) { leaves[$0].id.hasSameBytes(as: id) }
  }

  func seedlingPosition(_ id: String, _ hash: Int32) -> Int? {
    seedlingPositions.find(hash) { allSeedlings[$0].id.hasSameBytes(as: id) }
  }

  mutating func add(_ sprout: Sprout, _ hash: Int32) {
    sproutPositions.add(hash, position: sprouts.count)
    sprouts.append(sprout)
  }

  mutating func add(_ leaf: Leaf, _ hash: Int32) {
    leafPositions.add(hash, position: leaves.count)
    leaves.append(leaf)
  }

  mutating func add(_ seedling: Seedling, _ hash: Int32) {
    seedlingPositions.add(hash, position: allSeedlings.count)
    allSeedlings.append(seedling)
  }
}
