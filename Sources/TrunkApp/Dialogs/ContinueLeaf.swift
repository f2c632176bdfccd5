import Garden
import Gardening

/// Where a planting starts from.
extension Gardener.Planting {
  /// What the form was opened for: a seedling, a leaf or a twig. Each has a separate draft.
  var origin: String {
    if let seedlingID { return seedlingID }
    if case .existing(let id) = leaf { return id }
    return twig.id
  }

  /// The next sprout of a leaf, like the one that was planted on it last.
  ///
  /// `nil` if nothing was ever planted on the leaf, or on a twig that is none of the 64.
  init?(continuing leafID: String, in garden: Garden) {
    guard let latest = garden.latestSprout(onLeaf: leafID), let twig = latest.node, twig.isTwig else { return nil }
    self.init(twig: twig, leaf: .existing(id: leafID))
    title = latest.title
    season = latest.season
    environment = latest.environment
    bloomWither = latest.bloomWither ?? ""
    bloomBudding = latest.bloomBudding ?? ""
    bloomFlourish = latest.bloomFlourish ?? ""
  }

  /// The sprout that an idea becomes; the idea is deleted with the planting.
  init?(from seedling: Seedling) {
    guard let twig = Node(id: seedling.twigID), twig.isTwig else { return nil }
    self.init(twig: twig)
    title = seedling.title
    seedlingID = seedling.id
  }
}

extension Gardener {
  /// What the plant dialog starts from when a leaf goes on; `nil` if it can't.
  func continuation(ofLeaf leafID: String) -> Planting? {
    Planting(continuing: leafID, in: garden)
  }
}

extension Node {
  /// Whether something can grow here.
  var isTwig: Bool {
    if case .twig = self { true } else { false }
  }
}
