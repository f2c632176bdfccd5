import Localization
import TreePicture
import TrunkModel

/// The label beside a branch or twig in the picture of the tree.
public struct TreeName: Equatable, Sendable {
  public let title: String
  /// The number of growing sprouts in words; `nil` if there are none.
  public let detail: String?
}

extension TreeName {
  /// The names of the 8 branches.
  public static func branches(_ garden: Garden, _ state: TreeState) -> [TreeName] {
    state.branches.enumerated().map { TreeName(garden.label(of: .branch($0)), growing: $1.growing) }
  }

  /// The names of the 8 twigs of a branch.
  public static func twigs(of branch: Int, _ garden: Garden, _ state: TreeState) -> [TreeName] {
    state.branches[branch].twigs.enumerated().map {
      TreeName(garden.label(of: .twig(branch: branch, twig: $0)), growing: $1.growing)
    }
  }

  private init(_ title: String, growing: Int) {
    self.title = title
    detail = growing == 0 ? nil : trn("{n} growing", "{n} growing", growing)
  }
}
