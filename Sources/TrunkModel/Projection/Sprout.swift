/// A goal on a twig.
public struct Sprout: Sendable, Identifiable, Equatable {
  public let id: String
  public let twigID: String
  public internal(set) var title: String
  public let season: Season
  public let ground: Ground
  public let soilCost: Double
  public internal(set) var leafID: String
  /// What this goal looks like withered, budding and flourishing; empty if it was cleared.
  public internal(set) var bloomWither: String?
  public internal(set) var bloomBudding: String?
  public internal(set) var bloomFlourish: String?
  public let plantedAt: EventTime
  /// The event that planted it.
  public let plantedSeq: Int64
  public internal(set) var state = State.active
  /// Positions of its waterings in `Garden.journal`, oldest first.
  public internal(set) var waterings: [Int32] = []
  /// The branch of its twig; `nil` if the twig isn't one of the 64.
  let branch: Int?

  init(_ planted: Payload.SproutPlanted, at time: EventTime, seq: Int64) {
    id = planted.sproutID
    twigID = planted.twigID
    title = planted.title
    season = planted.season
    ground = planted.environment
    soilCost = planted.soilCost
    leafID = planted.leafID
    bloomWither = planted.bloomWither
    bloomBudding = planted.bloomBudding
    bloomFlourish = planted.bloomFlourish
    plantedAt = time
    plantedSeq = seq
    branch = Node(id: planted.twigID)?.branch
  }

  public enum State: Sendable, Equatable {
    case active
    case completed(Harvest)
    case uprooted(at: EventTime, seq: Int64)
  }

  public struct Harvest: Sendable, Equatable {
    public let at: EventTime
    public let seq: Int64
    /// 1…5.
    public let result: Int
    /// By how much the harvest has increased the garden's capacity.
    public let capacityGain: Double
    public let reflection: String?
  }

  public var isActive: Bool { if case .active = state { true } else { false } }

  public var harvest: Harvest? {
    if case .completed(let harvest) = state { harvest } else { nil }
  }

  /// When it was harvested or uprooted; `nil` while it is growing.
  public var endedAt: EventTime? {
    switch state {
    case .active: nil
    case .completed(let harvest): harvest.at
    case .uprooted(let at, _): at
    }
  }

  public var node: Node? { Node(id: twigID) }

  /// When its season ends. This is the only rule for cards, lists, reminders and the command line.
  public var harvestDue: Instant { plantedAt.instant.adding(seconds: season.seconds) }

  /// Whether it is still growing although its season is over.
  public func isReady(at now: Instant) -> Bool { isActive && now >= harvestDue }

  /// The elapsed part of the season, 0…1.
  public func progress(at now: Instant) -> Double {
    min(max(now.seconds(since: plantedAt.instant) / Double(season.seconds), 0), 1)
  }
}
