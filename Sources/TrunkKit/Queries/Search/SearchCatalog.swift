import TrunkModel

/// Everything that a search finds without the store, prepared once. The store searches the texts of entries.
struct SearchCatalog: Sendable {
  /// An object with its texts; the first one is its title.
  struct Record: Sendable {
    let place: SearchResults.Place
    let texts: [String]
    let folded: [FoldedWords]

    init(_ place: SearchResults.Place, _ texts: String?...) {
      self.place = place
      self.texts = texts.compactMap { $0 }.enumerated().filter { $0.offset == 0 || !$0.element.isEmpty }.map(\.element)
      folded = self.texts.map(FoldedWords.init)
    }
  }

  /// All entries, newest first.
  let items: [TimelineItem]
  let sprouts: [Record]
  let leaves: [Record]
  let seedlings: [Record]
  let tree: [Record]

  init(_ garden: Garden) {
    var filter = TimelineFilter()
    filter.showsMilestones = false
    items = garden.timeline(filter)
    sprouts = garden.sprouts.reversed().map { sprout in
      Record(.sprout(sprout.id), sprout.title, sprout.bloomFlourish, sprout.bloomBudding, sprout.bloomWither)
    }
    leaves = garden.leaves.reversed().filter { !$0.name.isEmpty }.map { Record(.leaf($0.id), $0.name) }
    seedlings = garden.seedlings.reversed().map { Record(.seedling($0.id), $0.title, $0.notes) }
    tree = ((0..<8).map { .branch($0) } + Node.twigs).map { node in
      Record(.node(node), garden.label(of: node), garden.note(of: node))
    }
  }

  /// The records of a group; `nil` for entries, questions and pages, which the store finds.
  func records(_ group: SearchResults.Group) -> [Record]? {
    switch group {
    case .entries, .questions, .pages: nil
    case .sprouts: sprouts
    case .leaves: leaves
    case .seedlings: seedlings
    case .tree: tree
    }
  }
}

extension TimelineSelection {
  func includes(_ place: SearchResults.Place, in garden: Garden) -> Bool {
    switch place {
    case .entry(let item): includes(item)
    case .sprout(let id): garden.sprout(id: id).map(includes) ?? false
    case .leaf(let id): garden.leaf(id: id).map(includes) ?? false
    case .seedling(let id): garden.seedling(id: id).map(includes) ?? false
    case .node(let node): includes(node)
    // The store has only those of the filter's days.
    case .page: true
    }
  }
}
