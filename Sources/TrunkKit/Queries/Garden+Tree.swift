import TrunkModel

/// The numbers of sprouts and seedlings on a branch, a twig or the whole tree.
public struct NodeCounts: Sendable, Equatable {
  /// Growing sprouts, including ready ones.
  public internal(set) var growing: Int
  public internal(set) var ready: Int
  public internal(set) var seedlings: Int
  public internal(set) var cultivated: Int
  public internal(set) var uprooted: Int

  public init(growing: Int = 0, ready: Int = 0, seedlings: Int = 0, cultivated: Int = 0, uprooted: Int = 0) {
    (self.growing, self.ready, self.seedlings) = (growing, ready, seedlings)
    (self.cultivated, self.uprooted) = (cultivated, uprooted)
  }

  /// Whether there never was a sprout or an idea here.
  public var isUnused: Bool { self == NodeCounts() }
}

extension Garden {
  /// The counts of all nodes that aren't empty. A branch includes its twigs, the trunk all of them.
  public func nodeCounts(at now: Instant) -> [Node: NodeCounts] {
    var counts: [Node: NodeCounts] = [:]
    func add(to node: Node?, _ count: WritableKeyPath<NodeCounts, Int>) {
      guard let node, let branch = node.branch else { return }
      for place in Set([.trunk, .branch(branch), node]) { counts[place, default: NodeCounts()][keyPath: count] += 1 }
    }
    for sprout in sprouts {
      switch sprout.state {
      case .active:
        add(to: sprout.node, \.growing)
        if sprout.isReady(at: now) { add(to: sprout.node, \.ready) }
      case .completed: add(to: sprout.node, \.cultivated)
      case .uprooted: add(to: sprout.node, \.uprooted)
      }
    }
    for seedling in seedlings { add(to: Node(id: seedling.twigID), \.seedlings) }
    return counts
  }
}

/// The sprouts of one leaf on a twig, or of a leaf that was never created.
public struct LeafGroup: Sendable, Equatable, Identifiable {
  /// The id of the leaf.
  public let id: String
  /// `nil` if the leaf was never created.
  public let leaf: Leaf?
  /// The growing sprouts, in the order of planting.
  public internal(set) var growing: [Sprout] = []
  /// The others, the latest first.
  public internal(set) var past: [Sprout] = []
}

extension Garden {
  /// The sprouts of a twig by leaf, the leaf that was planted on last first.
  public func leafGroups(onTwig twigID: String) -> [LeafGroup] {
    var groups: [LeafGroup] = []
    var positions: [ExactID: Int] = [:]
    for sprout in sprouts.reversed() where sprout.twigID.hasSameBytes(as: twigID) {
      let position = positions[ExactID(sprout.leafID)] ?? groups.count
      if position == groups.count {
        positions[ExactID(sprout.leafID)] = position
        groups.append(LeafGroup(id: sprout.leafID, leaf: leaf(id: sprout.leafID)))
      }
      if sprout.isActive {
        groups[position].growing.insert(sprout, at: 0)
      } else {
        groups[position].past.append(sprout)
      }
    }
    return groups
  }

  /// The sprouts of a leaf, in the order of planting.
  public func sprouts(onLeaf leafID: String) -> [Sprout] { sprouts.filter { $0.leafID.hasSameBytes(as: leafID) } }

  /// What happened on a leaf, oldest first: one sprout after the other, each from its planting to its end. Entries of
  /// sprouts that grew at the same time don't mix.
  public func story(ofLeaf leafID: String) -> [TimelineItem] {
    sprouts(onLeaf: leafID).flatMap { sprout in
      let milestones = milestones(of: sprout)
      return milestones.prefix(1) + items(waterings(of: sprout)) + milestones.dropFirst()
    }
  }

  /// The reflections on a twig, oldest first.
  public func reflections(onTwig twig: Node) -> [TimelineItem] { items(journal.filter { $0.twig == twig }) }
}
