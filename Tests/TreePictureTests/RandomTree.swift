import TestSupport
import TrunkModel

@testable import TreePicture

extension TreeState {
  /// A tree of any age with any number of sprouts, leaves and seedlings.
  static func random(_ random: inout SeededRandom) -> TreeState {
    let age = Double.random(in: 0...25, using: &random)
    var state = TreeState(Garden(zone: .utc), at: Instant(milliseconds: 0))
    state.age = age
    state.rings = (0..<max(1, Int(age))).map { _ in Double.random(in: 0...5, using: &random) }
    for _ in 0..<Int.random(in: 0...300, using: &random) {
      let (branch, twig) = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random))
      state.add(.random(&random), to: Int.random(in: 0...4, using: &random), branch: branch, twig: twig)
    }
    for branch in state.branches.indices where Bool.random(using: &random) {
      state.branches[branch].acts = Int.random(in: 0...200, using: &random)
      state.branches[branch].oldestSprout = "sprout-\(random.next())"
      for twig in 0..<8 where Bool.random(using: &random) {
        state.branches[branch].twigs[twig].entries = Int.random(in: 0...500, using: &random)
        state.branches[branch].twigs[twig].suns = (0..<Int.random(in: 0...12, using: &random)).map { _ in
          TreeState.Sun(
            seed: Int64.random(in: 0...1_000_000, using: &random), age: Int32.random(in: 0...600, using: &random))
        }
      }
    }
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      state.branches[Int.random(in: 0..<8, using: &random)].twigs[Int.random(in: 0..<8, using: &random)].seedlings
        .append("seedling-\(random.next())")
    }
    return state
  }

  /// Adds a sprout to a leaf of a twig.
  /// - Parameter leaf: the number of an existing leaf; a larger one adds a new leaf.
  mutating func add(_ leaflet: Leaflet, to leaf: Int, branch: Int, twig: Int) {
    branches[branch].invested += Double(leaflet.season.days) / 30
    let leaves = branches[branch].twigs[twig].leaves
    if leaf < leaves.count {
      branches[branch].twigs[twig].leaves[leaf].leaflets.append(leaflet)
    } else {
      branches[branch].twigs[twig].leaves.append(
        Leaf(id: "leaf-\(branch)-\(twig)-\(leaves.count)", leaflets: [leaflet]))
    }
  }
}

extension TreeState.Leaflet {
  static func random(_ random: inout SeededRandom) -> TreeState.Leaflet {
    let stage: TreeState.Stage =
      switch Int.random(in: 0..<10, using: &random) {
      case 0: .uprooted
      case 1: .growing(progress: Double.random(in: 0...1, using: &random))
      case 2: .ready
      default: .harvested(result: Int.random(in: 1...5, using: &random))
      }
    let season = Season.random(&random)
    let age = Int32.random(in: 0...Int32(season.days), using: &random)
    let waterings = (0..<Int.random(in: 0...60, using: &random)).map { _ in
      let share = Float.random(in: 0...1, using: &random)
      return TreeState.Watering(
        share: share, day: Int32(share * Float(season.days)), hasWords: Bool.random(using: &random))
    }
    return .init(
      sproutID: "sprout-\(random.next())", season: season, stage: stage,
      waterings: waterings.sorted { $0.share < $1.share }, age: age)
  }
}

extension Season {
  static func random(_ random: inout SeededRandom) -> Season { allCases.randomElement(using: &random) ?? .oneMonth }
}
