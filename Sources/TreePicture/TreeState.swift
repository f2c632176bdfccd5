import Glibc
import TrunkModel

/// The part of a garden's state that the picture of the tree shows. It depends on the events and on the day, not on the
/// time of the day.
public struct TreeState: Equatable, Sendable {
  /// Years since the day of the first event.
  public var age: Double
  /// The soil gained in each year since the first event, oldest first; the last year may still run.
  public var rings: [Double]
  /// The 8 branches.
  public var branches: [Branch]
  /// Whether the tree has dropped its leaves and shows only buds.
  public var isResting = false

  /// The full months of a tree in its first year; 0 for an older one.
  var months: Int { age < 1 ? Int(age * 12) : 0 }

  public struct Branch: Equatable, Sendable {
    /// The soil invested in all its sprouts.
    public var invested = 0.0
    /// What was done on it before today: a watering counts 1, a planting 3 and a reflection 2. Today's entries don't
    /// count, so the limb grows at night and no entry moves the marks of others while its writer watches.
    public var acts = 0
    /// The id of its first sprout; `nil` before it has one.
    public var oldestSprout: String?
    /// The 8 twigs.
    public var twigs = [Twig](repeating: Twig(), count: 8)

    public var growing: Int { twigs.reduce(0) { $0 + $1.growing } }

    /// How much a life has lengthened its limb, 0…1; after 90 acts 0.93.
    var life: Double { 1 - exp(-Double(acts) / 34) }
  }

  public struct Twig: Equatable, Sendable {
    /// The leaves, in the order of their first sprouts.
    public var leaves: [Leaf] = []
    /// The ids of its seedlings, oldest first.
    public var seedlings: [String] = []
    /// Its latest reflections, oldest first.
    public var suns: [Sun] = []
    /// The number of all its entries: sprouts, waterings, seedlings and reflections.
    public var entries = 0

    /// The number of sprouts that grow or are ready.
    public var growing: Int { leaves.reduce(0) { $0 + $1.leaflets.count { $0.stage.isActive } } }
    public var isBare: Bool { leaves.isEmpty && seedlings.isEmpty && suns.isEmpty }
  }

  /// A reflection.
  public struct Sun: Equatable, Sendable {
    /// Determines its place; the same on every device.
    public var seed: Int64
    /// In reset days.
    public var age: Int32

    public init(seed: Int64, age: Int32) { (self.seed, self.age) = (seed, age) }

    /// More of a twig aren't drawn.
    static let maximum = 12
  }

  public struct Leaf: Equatable, Sendable {
    public var id: String
    /// One for each sprout, oldest first.
    public var leaflets: [Leaflet]
  }

  public struct Leaflet: Equatable, Sendable {
    public var sproutID: String
    public var season: Season
    public var stage: Stage
    /// Oldest first.
    public var waterings: [Watering] = []
    /// The reset days since the day of planting.
    public var age: Int32 = 0
    /// The reset days since its harvest.
    public var daysSinceHarvest = Int32.max

    public init(
      sproutID: String, season: Season, stage: Stage, waterings: [Watering] = [], age: Int32 = 0
    ) {
      (self.sproutID, self.season, self.stage, self.waterings, self.age) = (sproutID, season, stage, waterings, age)
    }
  }

  /// A watering of a sprout.
  public struct Watering: Equatable, Sendable {
    /// The part of the season that had passed, 0…1.
    public var share: Float
    /// The reset days since the day of planting.
    public var day: Int32
    public var hasWords: Bool

    public init(share: Float, day: Int32, hasWords: Bool = true) {
      (self.share, self.day, self.hasWords) = (share, day, hasWords)
    }
  }

  /// The growing and ready sprouts, in the order of branches and twigs.
  /// - Parameter branch: only those of a branch; `nil` for all.
  public func growing(on branch: Int? = nil) -> [(id: String, twig: Node)] {
    branches.enumerated().filter { branch == nil || $0.offset == branch }.flatMap { number, branch in
      branch.twigs.enumerated().flatMap { index, twig in
        twig.leaves.flatMap(\.leaflets).filter(\.stage.isActive).map {
          (id: $0.sproutID, twig: Node.twig(branch: number, twig: index))
        }
      }
    }
  }

  public enum Stage: Equatable, Sendable {
    /// 1…5.
    case harvested(result: Int)
    case uprooted
    /// The part of the season that has passed at the end of the reset day, 0…1.
    case growing(progress: Double)
    /// It can be harvested on this reset day.
    case ready

    var isActive: Bool {
      switch self {
      case .growing, .ready: true
      case .harvested, .uprooted: false
      }
    }
  }
}

extension TreeState {
  /// - Parameters:
  ///   - now: any instant of the reset day to show.
  ///   - isResting: whether this computer's rest mode is on.
  public init(_ garden: Garden, at now: Instant, isResting: Bool = false) {
    self.init(garden, on: garden.zone.dayKey(now), isResting: isResting)
  }

  /// - Parameter today: the reset day to show.
  public init(_ garden: Garden, on today: Day, isResting: Bool = false) {
    self = Life(garden).state(on: today, before: .max, isResting: isResting)
  }
}

extension TreeState.Leaflet {
  /// - Parameter today: the reset day to show.
  public init(_ sprout: Sprout, _ garden: Garden, _ today: Day) {
    self = SproutLife(sprout, garden).leaflet(on: today, before: .max)
  }
}
