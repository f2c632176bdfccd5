/// The state of the tree, derived from a log event by event.
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
  var allSeedlings = Chunked<Seedling>(size: 32)
  /// The user's labels and notes in place of the presets, by node id.
  public internal(set) var nodes: [String: NodeText] = [:]
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
  /// The zone of the reset day.
  public let zone: Zone

  var sproutIndex: [String: Int] = [:]
  var leafIndex: [String: Int] = [:]
  var seedlingIndex: [String: Int] = [:]
  /// Events about a sprout or seedling that no event has created yet, in order.
  var waiting: [String: [WaitingEvent]] = [:]

  public init(zone: Zone) {
    self.zone = zone
  }
}

enum LastEvent: Sendable {
  case event(Event)
  case key(OrderKey)
}

/// An event with its sequence number in the log.
public struct LoggedEvent: Sendable {
  /// Unique in its log, and independent of the order.
  public let seq: Int64
  public let event: Event

  public init(seq: Int64, event: Event) {
    self.seq = seq
    self.event = event
  }
}

/// A goal on a twig.
public struct Sprout: Sendable, Identifiable, Equatable {
  public let id: String
  public let twigID: String
  public internal(set) var title: String
  public let season: Season
  public let environment: Environment
  public let soilCost: Double
  public internal(set) var leafID: String
  /// What this goal looks like withered, budding and flourishing; empty if it was cleared.
  public internal(set) var bloomWither: String?
  public internal(set) var bloomBudding: String?
  public internal(set) var bloomFlourish: String?
  public let plantedAt: Instant
  /// The event that planted it.
  public let plantedSeq: Int64
  public internal(set) var state = State.active
  /// Positions of its waterings in `Garden.journal`, oldest first.
  public internal(set) var waterings: [Int32] = []
  public internal(set) var lastWatered: Instant?
  /// The branch of its twig; `nil` if the twig isn't one of the 64.
  let branch: Int?

  init(_ planted: Content.SproutPlanted, at instant: Instant, seq: Int64) {
    id = planted.sproutID
    twigID = planted.twigID
    title = planted.title
    season = planted.season
    environment = planted.environment
    soilCost = planted.soilCost
    leafID = planted.leafID
    bloomWither = planted.bloomWither
    bloomBudding = planted.bloomBudding
    bloomFlourish = planted.bloomFlourish
    plantedAt = instant
    plantedSeq = seq
    branch = Node(id: planted.twigID)?.branch
  }

  public enum State: Sendable, Equatable {
    case active
    case completed(Harvest)
    case uprooted(at: Instant, seq: Int64)
  }

  public struct Harvest: Sendable, Equatable {
    public let at: Instant
    public let seq: Int64
    /// 1…5.
    public let result: Int
    public let reflection: String?
  }

  public var isActive: Bool { if case .active = state { true } else { false } }

  public var harvest: Harvest? {
    if case .completed(let harvest) = state { harvest } else { nil }
  }

  public var node: Node? { Node(id: twigID) }

  /// When its season ends. This is the only rule for cards, lists, reminders and the command line.
  public var harvestDue: Instant { plantedAt.adding(seconds: season.seconds) }

  /// Whether it is still growing although its season is over.
  public func isReady(at now: Instant) -> Bool { isActive && now >= harvestDue }

  /// The elapsed part of the season, 0…1.
  public func progress(at now: Instant) -> Double {
    min(max(now.seconds(since: plantedAt) / Double(season.seconds), 0), 1)
  }
}

/// A saga: a named chain of sprouts on one twig.
public struct Leaf: Sendable, Identifiable, Equatable {
  public let id: String
  public let twigID: String
  public let name: String
  public let createdAt: Instant
  public let createdSeq: Int64
}

/// The progress of a leaf, in sprouts.
public struct LeafProgress: Sendable, Equatable {
  public internal(set) var done = 0
  public internal(set) var growing = 0
  /// Including uprooted ones.
  public internal(set) var total = 0

  public init() {}
}

/// An idea on a twig.
public struct Seedling: Sendable, Identifiable, Equatable {
  public let id: String
  public let twigID: String
  public internal(set) var title: String
  public internal(set) var notes: String?
  public let createdAt: Instant
  public let createdSeq: Int64
  var isDeleted = false
}

/// The user's text in place of a node's preset; missing or empty means the preset.
public struct NodeText: Sendable, Equatable {
  public internal(set) var label: String?
  public internal(set) var note: String?
}

/// A watering or reflection; its text is in the event `seq`.
public struct JournalEntry: Sendable, Equatable, BitwiseCopyable {
  public let seq: Int64
  public let instant: Instant
  // 4 bytes rather than a Bool beside the index: padding would make the bytes of a checkpoint differ between runs.
  private let kind: Int32
  private let index: Int32

  init(seq: Int64, instant: Instant, isSun: Bool, index: Int32) {
    self.seq = seq
    self.instant = instant
    kind = isSun ? 1 : 0
    self.index = index
  }

  private var isSun: Bool { kind != 0 }

  /// The position of its sprout in `Garden.sprouts`; `nil` for a reflection.
  public var sprout: Int? { isSun ? nil : Int(index) }

  /// The twig of a reflection; `nil` for a watering, and for a twig that isn't one of the 64.
  public var twig: Node? { isSun && index >= 0 ? Node.twigs[Int(index)] : nil }
}

public struct SoilSnapshot: Sendable, Equatable, BitwiseCopyable {
  public let instant: Instant
  public let capacity: Double
  public let available: Double
}

struct DayCount: Sendable, Equatable, BitwiseCopyable {
  let day: Day
  var count: Int32
}

struct WaitingEvent: Sendable {
  let logged: LoggedEvent
  /// The number of waterings counted before it in its reset day.
  let wateringsBefore: Int32
}

// MARK: - Reading

extension Garden {
  /// The position of the last applied event in the total order.
  public var lastKey: OrderKey? {
    switch lastEvent {
    case .event(let event): event.orderKey
    case .key(let key): key
    case nil: nil
    }
  }

  public func sprout(id: String) -> Sprout? { sproutIndex[id].map { sprouts[$0] } }

  public func leaf(id: String) -> Leaf? { leafIndex[id].map { leaves[$0] } }

  public func seedling(id: String) -> Seedling? {
    seedlingIndex[id].map { allSeedlings[$0] }.flatMap { $0.isDeleted ? nil : $0 }
  }

  /// Ideas that are neither deleted nor planted, oldest first.
  public var seedlings: [Seedling] { allSeedlings.filter { !$0.isDeleted } }

  /// The journal entries of a sprout, oldest first.
  public func waterings(of sprout: Sprout) -> [JournalEntry] { sprout.waterings.map { journal[Int($0)] } }

  /// The progress of every leaf that has a sprout, by leaf id.
  public var leafProgress: [String: LeafProgress] {
    var progress: [String: LeafProgress] = [:]
    for sprout in sprouts {
      progress[sprout.leafID, default: LeafProgress()].total += 1
      switch sprout.state {
      case .active: progress[sprout.leafID]?.growing += 1
      case .completed: progress[sprout.leafID]?.done += 1
      case .uprooted: break
      }
    }
    return progress
  }

  /// The waterings left in the reset day of `now`, 0…3. Waterings from a device whose clock is ahead count too.
  public func waterLeft(at now: Instant) -> Int {
    max(0, Soil.waterings - Garden.count(waterDays, from: zone.dayKey(now)))
  }

  /// The reflections left in the week of `now`, 0…1.
  public func sunLeft(at now: Instant) -> Int {
    max(0, Soil.suns - Garden.count(sunDays, from: zone.dayKey(now).monday))
  }

  public func wasWatered(_ sprout: Sprout, onDayOf now: Instant) -> Bool {
    sprout.lastWatered.map { zone.dayKey($0) >= zone.dayKey(now) } ?? false
  }

  /// Consecutive days with at least one watering: the current run, which ends today (or yesterday, if today has none
  /// yet), and the longest run.
  public func streak(at now: Instant) -> (current: Int, longest: Int) {
    let today = zone.dayKey(now)
    var (current, longest, run) = (0, 0, 0)
    var previous: Day?
    for entry in waterDays {
      run = previous?.adding(days: 1) == entry.day ? run + 1 : 1
      longest = max(longest, run)
      if entry.day == today || entry.day.adding(days: 1) == today { current = run }
      previous = entry.day
    }
    return (current, longest)
  }

  /// A score for each of the 8 branches, 0…1: the soil invested in it, divided by 100.
  public var radar: [Double] { (0..<8).map { min(branchSums[$0] / 100, 1) } }

  private static func count(_ days: [DayCount], from first: Day) -> Int {
    days.reversed().prefix { $0.day >= first }.reduce(0) { $0 + Int($1.count) }
  }
}
