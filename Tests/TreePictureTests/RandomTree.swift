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
    return .init(
      sproutID: "sprout-\(random.next())", season: .random(&random), stage: stage)
  }
}

extension Season {
  static func random(_ random: inout SeededRandom) -> Season { allCases.randomElement(using: &random) ?? .oneMonth }
}
