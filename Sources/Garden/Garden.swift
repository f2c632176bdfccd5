/// All that can be known from a log: the state of the tree, derived event by event.
///
/// A garden holds no journal texts. It refers to the events that do by their sequence number in the log (`seq`), so
/// that decades of writing cost neither memory nor time at the start.
public struct Garden: Sendable {
  /// The soil that can be planted at most; never rounded.
  public internal(set) var capacity = Soil.startingCapacity
  /// The soil that is free, two decimals.
  public internal(set) var available = Soil.startingCapacity
  /// In the order of planting.
  public internal(set) var sprouts = Chunked<Sprout>(size: 32)
  /// In the order of creation.
  public internal(set) var leaves = Chunked<Leaf>(size: 32)
  /// In the order of creation, deleted ones included (see `seedlings`).
  var allSeedlings = Chunked<Seedling>(size: 32)
  /// Labels and notes that replace the presets, by node id.
  public internal(set) var nodes: [String: NodeText] = [:]
  /// Waterings of known sprouts and reflections, in the order in which they took effect.
  public internal(set) var journal = Chunked<JournalEntry>(size: 512)
  /// The soil after every event that could change it; instants ascend.
  public internal(set) var snapshots = Chunked<SoilSnapshot>(size: 512)
  /// What has been put into each branch, in soil, not yet divided or limited.
  var branchSums = SIMD8<Double>(repeating: 0)
  /// Waterings of each reset day, days ascending; those of unknown sprouts count too.
  var waterDays: [DayCount] = []
  /// Reflections of each reset day, days ascending.
  var sunDays: [DayCount] = []
  /// How many events took part.
  public internal(set) var eventCount = 0
  /// How many events of the log this version does not understand; they have no part and no place in the order.
  public internal(set) var ignoredCount = 0
  /// The last event that was applied, or, right after a checkpoint was read, only its place.
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

/// An event with its number in the log where it is kept.
public struct LoggedEvent: Sendable {
  /// Unique in its log; says nothing about order.
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
  /// What this goal looks like withered, budding and flourishing; empty where it was cleared.
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
  /// The branch of its twig; `nil` if the twig is none of the 64.
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

  /// When its season is over: the one rule for cards, lists, reminders and the command line.
  public var harvestDue: Instant { plantedAt.adding(seconds: season.seconds) }

  /// Growing, and its season is over.
  public func isReady(at now: Instant) -> Bool { isActive && now >= harvestDue }

  /// How much of the season has passed, 0…1.
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

/// How far a leaf has come, in sprouts.
public struct LeafProgress: Sendable, Equatable {
  public internal(set) var done = 0
  public internal(set) var growing = 0
  /// Uprooted ones included.
  public internal(set) var total = 0
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

/// What the user wrote over a node's preset; absent or empty means the preset.
public struct NodeText: Sendable, Equatable {
  public internal(set) var label: String?
  public internal(set) var note: String?
}

/// One watering or reflection; its text is in the event `seq`.
public struct JournalEntry: Sendable, Equatable, BitwiseCopyable {
  public let seq: Int64
  public let instant: Instant
  // Padding would make the bytes of a checkpoint differ from run to run: 4 bytes, not a Bool beside the index.
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

  /// The twig of a reflection; `nil` for a watering and for a twig that is none of the 64.
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
  /// How many waterings were counted before it in its reset day.
  let wateringsBefore: Int32
}

// MARK: - Reading

extension Garden {
  /// The place in the total order of the last event that was applied.
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

  /// The progress of every leaf that some sprout belongs to, by leaf id.
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

  /// Waterings left in the reset day of `now`, 0…3. Those of a device whose clock is ahead count too.
  public func waterLeft(at now: Instant) -> Int {
    max(0, Soil.waterings - Garden.count(waterDays, from: zone.dayKey(now)))
  }

  /// Reflections left in the week of `now`, 0…1.
  public func sunLeft(at now: Instant) -> Int {
    max(0, Soil.suns - Garden.count(sunDays, from: zone.dayKey(now).monday))
  }

  public func wasWatered(_ sprout: Sprout, onDayOf now: Instant) -> Bool {
    sprout.lastWatered.map { zone.dayKey($0) >= zone.dayKey(now) } ?? false
  }

  /// Days in a row with at least one watering: the run that ends today, or yesterday while today has none, and the
  /// longest run ever.
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

  /// A score for each of the 8 branches, 0…1: what was put into it, in hundreds of soil.
  public var radar: [Double] { (0..<8).map { min(branchSums[$0] / 100, 1) } }

  private static func count(_ days: [DayCount], from first: Day) -> Int {
    days.reversed().prefix { $0.day >= first }.reduce(0) { $0 + Int($1.count) }
  }
}
