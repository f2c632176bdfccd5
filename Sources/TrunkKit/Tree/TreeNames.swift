import Localization
import TreePicture
import TrunkModel

/// What stands beside a branch or twig in the picture of the tree.
public struct TreeName: Equatable, Sendable {
  public let title: String
  /// The number of growing sprouts in words; `nil` if there are none.
  public let detail: String?
}

extension Garden {
  /// The name of a node as a title: `Core` rather than `CORE`, and a name by the user as it was written.
  public func title(of node: Node) -> String {
    let label = label(of: node)
    guard label == node.presetLabel else { return label }
    let rest = label.dropFirst()
    return label.prefix(1).uppercased() + (label == label.uppercased() ? rest.lowercased() : String(rest))
  }
}

extension TreeName {
  /// The names of the 8 branches.
  public static func branches(_ garden: Garden, _ state: TreeState) -> [TreeName] {
    state.branches.enumerated().map { TreeName(garden.title(of: .branch($0)), growing: $1.growing) }
  }

  /// The names of the 8 twigs of a branch.
  public static func twigs(of branch: Int, _ garden: Garden, _ state: TreeState) -> [TreeName] {
    state.branches[branch].twigs.enumerated().map {
      TreeName(garden.title(of: .twig(branch: branch, twig: $0)), growing: $1.growing)
    }
  }

  /// The name with the longest line that is likely below it.
  public var withRoom: TreeName { TreeName(title, growing: 88) }

  private init(_ title: String, growing: Int) {
    self.title = title
    detail = growing == 0 ? nil : trn("{n} growing", "{n} growing", growing)
  }
}
