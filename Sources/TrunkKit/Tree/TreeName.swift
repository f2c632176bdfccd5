import Localization
import TreePicture
import TrunkModel

/// The label beside a branch or twig in the picture of the tree.
public struct TreeName: Equatable, Sendable {
  public let title: String
  /// The number of growing sprouts in words, or when a limb was last tended; `nil` if there is nothing to say.
  public let detail: String?
}

extension TreeName {
  /// The names of the 8 branches.
  /// - Parameters:
  ///   - tended: shown in place of the numbers of growing sprouts.
  ///   - label: returns the name of a node.
  public static func branches(
    _ state: TreeState, tended: LastTended? = nil, label: (Node) -> String
  ) -> [TreeName] {
    state.branches.enumerated().map { number, branch in
      let title = label(.branch(number))
      return tended.map { TreeName(title: title, detail: $0.text(of: number)) }
        ?? TreeName(title, growing: branch.growing)
    }
  }

  /// The names of the 8 twigs of a branch.
  public static func twigs(of branch: Int, _ state: TreeState, label: (Node) -> String) -> [TreeName] {
    state.branches[branch].twigs.enumerated().map {
      TreeName(label(.twig(branch: branch, twig: $0)), growing: $1.growing)
    }
  }

  private init(_ title: String, growing: Int) {
    self.title = title
    detail = growing == 0 ? nil : trn("{n} growing", "{n} growing", growing)
  }
}
