import TrunkModel

/// How places contain each other: an entry belongs to its sprout, a sprout to its twig, a twig to its branch, and a
/// branch or a year to the tree.
extension Garden {
  /// The place one level above.
  /// - Returns: `nil` for views. Above an object that isn't in the garden is the view that would have it.
  public func place(above route: Route) -> Route? {
    switch route {
    case .today, .tree, .garden, .journal, .search, .seedlings, .seedling: return nil
    case .entry(let seq):
      if let sprout = sprouts.first(where: { $0.harvest?.seq == seq }) { return .sprout(sprout.id) }
      guard let entry = journal.first(where: { $0.seq == seq }) else { return .journal }
      return entry.sprout.map { .sprout(sprouts[$0].id) } ?? entry.twig.map { .twig($0.id) } ?? .journal
    case .page: return .journal
    case .sprout(let id):
      guard let sprout = sprout(id: id) else { return .garden }
      return sprout.node?.isTwig == true ? .twig(sprout.twigID) : .tree
    case .leaf(let id):
      guard let leaf = leaf(id: id), Node(id: leaf.twigID)?.isTwig == true else { return .tree }
      return .twig(leaf.twigID)
    case .twig(let id): return Node(id: id)?.branch.map { .branch($0) } ?? .tree
    case .branch, .year: return .tree
    }
  }
}
