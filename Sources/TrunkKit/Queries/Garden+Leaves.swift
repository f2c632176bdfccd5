import TrunkModel

/// A leaf and the numbers of its sprouts.
public struct LeafSummary: Sendable, Equatable, Identifiable {
  public let leaf: Leaf
  public let progress: LeafProgress

  public var id: String { leaf.id }
}

extension Garden {
  /// All leaves: first those with growing sprouts, then the others, each group by its latest planting, newest first.
  public var leafSummaries: [LeafSummary] {
    let progress = leafProgress
    var latest: [ExactID: Int] = [:]
    for (position, sprout) in sprouts.enumerated() { latest[ExactID(sprout.leafID)] = position }
    let summaries = leaves.enumerated().map { position, leaf in
      (
        position: latest[ExactID(leaf.id)] ?? -1, created: position,
        summary: LeafSummary(leaf: leaf, progress: progress[ExactID(leaf.id)] ?? LeafProgress())
      )
    }
    func isGrowing(_ summary: LeafSummary) -> Int { summary.progress.growing > 0 ? 1 : 0 }
    return summaries.sorted {
      (isGrowing($0.summary), $0.position, $0.created) > (isGrowing($1.summary), $1.position, $1.created)
    }.map(\.summary)
  }
}
