import TreePicture
import TrunkKit
import TrunkModel

/// A part of the picture of the tree that can be pointed to and chosen.
enum TreeTarget: Equatable {
  case node(Node)
  /// A growing or ready sprout on a twig.
  case sprout(id: String, twig: Node)
  /// The leaf of a watering or of a harvest, or the lichen of a reflection. It can't be chosen with the keys.
  case entry(TimelineItem, EntryMark)

  /// The node, or the twig of the sprout or entry.
  var node: Node {
    switch self {
    case .node(let node): node
    case .sprout(_, let twig): twig
    case .entry(_, let mark): mark.twig
    }
  }

  /// The id of the sprout; `nil` for a node or an entry.
  var sproutID: String? {
    if case .sprout(let id, _) = self { id } else { nil }
  }
}
