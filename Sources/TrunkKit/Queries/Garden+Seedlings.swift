import TrunkModel

extension Garden {
  /// The seedlings of each branch that has some, in the order of the tree, the newest first. Those on an unknown twig,
  /// which a newer version may have written, come last, without a branch.
  public var seedlingsByBranch: [(branch: Node?, seedlings: [Seedling])] {
    var groups: [Int: [Seedling]] = [:]
    for seedling in seedlings.reversed() {
      groups[Node(id: seedling.twigID)?.branch ?? .max, default: []].append(seedling)
    }
    return groups.sorted { $0.key < $1.key }.map { branch, seedlings in
      (branch == .max ? nil : .branch(branch), seedlings)
    }
  }
}
