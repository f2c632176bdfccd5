import TrunkModel

/// A part of the picture of the tree that can be pointed to and chosen.
enum TreeTarget: Equatable {
  case node(Node)
  /// A growing or ready sprout on a twig.
  case sprout(id: String, twig: Node)

  /// The node, or the twig of the sprout.
  var node: Node {
    switch self {
    case .node(let node): node
    case .sprout(_, let twig): twig
    }
  }

  /// The id of the sprout; `nil` for a node.
  var sproutID: String? {
    if case .sprout(let id, _) = self { id } else { nil }
  }
}
