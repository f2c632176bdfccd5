import TrunkModel

/// The part of a garden's state that the picture of the tree shows.
public struct TreeState: Equatable, Sendable {
  /// Years since the first event.
  public var age: Double
  /// The soil gained in each year since the first event, oldest first; the last year may still run.
  public var rings: [Double]
  /// The 8 branches.
  public var branches: [Branch]
  /// Whether the tree has dropped its leaves and shows only buds.
  public var isResting = false

  public struct Branch: Equatable, Sendable {
    /// The soil invested in all its sprouts.
    public var invested = 0.0
    /// The 8 twigs.
    public var twigs = [Twig](repeating: Twig(), count: 8)

    public var growing: Int { twigs.reduce(0) { $0 + $1.growing } }
  }

  public struct Twig: Equatable, Sendable {
    /// The leaves, in the order of their first sprouts.
    public var leaves: [Leaf] = []
    /// The ids of its seedlings, oldest first.
    public var seedlings: [String] = []

    /// The number of sprouts that grow or are ready.
    public var growing: Int { leaves.reduce(0) { $0 + $1.leaflets.count { $0.stage.isActive } } }
    public var isBare: Bool { leaves.isEmpty && seedlings.isEmpty }
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
    /// The elapsed part of the season, 0…1.
    case growing(progress: Double)
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
  private static let secondsPerYear = 365.2425 * 86_400

  /// - Parameter isResting: whether this computer's rest mode is on.
  public init(_ garden: Garden, at now: Instant, isResting: Bool = false) {
    self.isResting = isResting
    let seedlings = garden.seedlings
    let begin = [
      garden.snapshots.first?.instant, garden.sprouts.first?.plantedAt.instant, garden.leaves.first?.createdAt.instant,
      garden.journal.first?.time.instant, seedlings.first?.createdAt.instant,
    ].compactMap(\.self).min()
    let age = begin.map { max(0, now.seconds(since: $0)) / TreeState.secondsPerYear } ?? 0
    self.age = age
    rings = begin.map { TreeState.rings(garden, since: $0, age: age) } ?? []
    branches = [Branch](repeating: Branch(), count: 8)
    for sprout in garden.sprouts { add(sprout, at: now) }
    for seedling in seedlings {
      guard case .twig(let branch, let twig) = Node(id: seedling.twigID) else { continue }
      branches[branch].twigs[twig].seedlings.append(seedling.id)
    }
  }

  private mutating func add(_ sprout: Sprout, at now: Instant) {
    guard case .twig(let branch, let twig) = sprout.node else { return }
    // Costs from an imported file can add up to infinity, which has no share.
    branches[branch].invested = min(branches[branch].invested + sprout.soilCost, .greatestFiniteMagnitude)
    let leaflet = Leaflet(sproutID: sprout.id, season: sprout.season, stage: Stage(sprout, at: now))
    let known = branches[branch].twigs[twig].leaves.firstIndex { $0.id.hasSameBytes(as: sprout.leafID) }
    if let known {
      branches[branch].twigs[twig].leaves[known].leaflets.append(leaflet)
    } else {
      branches[branch].twigs[twig].leaves.append(Leaf(id: sprout.leafID, leaflets: [leaflet]))
    }
  }

  private static func rings(_ garden: Garden, since begin: Instant, age: Double) -> [Double] {
    var rings = [Double](repeating: 0, count: max(1, Int(age.rounded(.up))))
    var capacity = Soil.startingCapacity
    for snapshot in garden.snapshots {
      let year = Int(snapshot.instant.seconds(since: begin) / secondsPerYear)
      rings[min(max(year, 0), rings.count - 1)] += max(0, snapshot.capacity - capacity)
      capacity = snapshot.capacity
    }
    return rings
  }
}

extension TreeState.Stage {
  fileprivate init(_ sprout: Sprout, at now: Instant) {
    switch sprout.state {
    case .active: self = sprout.isReady(at: now) ? .ready : .growing(progress: sprout.progress(at: now))
    case .completed(let harvest): self = .harvested(result: harvest.result)
    case .uprooted: self = .uprooted
    }
  }
}
