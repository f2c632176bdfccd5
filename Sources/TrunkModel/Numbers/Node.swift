/// A place on the tree: the trunk, one of 8 branches, one of 8 twigs on each branch.
public enum Node: Hashable, Sendable {
  case trunk
  case branch(Int)
  case twig(branch: Int, twig: Int)

  /// The branches with their twigs, in order. Other clients use the same names.
  public static let names: [(branch: String, twigs: [String])] = [
    ("CORE", ["movement", "strength", "sport", "technique", "maintenance", "nutrition", "sleep", "appearance"]),
    ("BRAIN", ["reading", "writing", "reasoning", "focus", "memory", "analysis", "dialogue", "exploration"]),
    (
      "VOICE",
      [
        "practice", "composition", "interpretation", "performance", "consumption", "curation", "completion",
        "publication",
      ]
    ),
    ("HANDS", ["design", "fabrication", "assembly", "repair", "refinement", "tooling", "tending", "preparation"]),
    ("HEART", ["homemaking", "care", "presence", "intimacy", "communication", "ritual", "adventure", "joy"]),
    ("BREATH", ["observation", "nature", "flow", "repose", "idleness", "exposure", "abstinence", "reflection"]),
    (
      "BACK",
      ["connection", "support", "gathering", "membership", "stewardship", "advocacy", "service", "culture"]
    ),
    (
      "FEET",
      ["work", "development", "positioning", "ventures", "finance", "operations", "planning", "administration"]
    ),
  ]

  /// All twigs, in the order of the tree.
  public static let twigs: [Node] = (0..<8).flatMap { branch in
    (0..<8).map { Node.twig(branch: branch, twig: $0) }
  }

  /// Each branch followed by its twigs, in the order of the tree.
  public static let places: [Node] = (0..<8).flatMap { branch in
    [.branch(branch)] + (0..<8).map { Node.twig(branch: branch, twig: $0) }
  }

  private static let byID: [String: Node] = {
    Dictionary(uniqueKeysWithValues: ([.trunk] + places).map { ($0.id, $0) })
  }()

  /// Parses `trunk`, `branch-B` or `branch-B-twig-T`, with B and T in 0…7; returns `nil` for anything else.
  public init?(id: String) {
    guard let node = Node.byID[id] else { return nil }
    self = node
  }

  public var id: String {
    switch self {
    case .trunk: "trunk"
    case .branch(let branch): "branch-\(branch)"
    case .twig(let branch, let twig): "branch-\(branch)-twig-\(twig)"
    }
  }

  /// 0…7; `nil` for the trunk.
  public var branch: Int? {
    switch self {
    case .trunk: nil
    case .branch(let branch), .twig(let branch, _): branch
    }
  }

  /// The default name, shared by all clients: `CORE`, `movement`; `TRUNK` for the trunk.
  public var name: String {
    switch self {
    case .trunk: "TRUNK"
    case .branch(let branch): Node.names[branch].branch
    case .twig(let branch, let twig): Node.names[branch].twigs[twig]
    }
  }
}
