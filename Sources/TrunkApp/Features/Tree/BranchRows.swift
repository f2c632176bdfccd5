import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// A branch in the list of the tree, with the rows of its twigs below it while it is expanded.
final class BranchRows {
  let header: NodeRow
  private(set) var isExpanded = false

  private let list: Widget
  private let sign = icon(BranchRows.collapsed)
  private let page: Widget
  /// Made when the branch is expanded for the first time.
  private var twigs: [NodeRow] = []
  private var garden: Garden
  private var counts: [Node: NodeCounts] = [:]
  private var isNarrow = false

  private static let collapsed = "pan-end-symbolic"
  private static let signWidth = 16

  /// - Parameters:
  ///   - branch: 0…7.
  ///   - list: the boxed list that the rows are appended to.
  init(_ branch: Int, in list: Widget, of garden: Garden) {
    (self.list, self.garden) = (list, garden)
    header = NodeRow(.branch(branch), start: sign)
    page = iconButton("go-next-symbolic", name: "", command: "win.branch::\(branch)")
    header.widget.addSuffix(page)
    header.widget.offersActivation()
    list.append(header.widget)
    header.widget.on("activated") { [weak self] in self.map { $0.isExpanded ? $0.collapse() : $0.expand() } }
    header.widget.expanded(false)
  }

  /// - Parameter tended: when the branch was last tended; `nil` to show nothing.
  func show(_ garden: Garden, _ counts: [Node: NodeCounts], tended: String?, isNarrow: Bool) {
    (self.garden, self.counts, self.isNarrow) = (garden, counts, isNarrow)
    header.show(garden, counts, tended: tended, isNarrow: isNarrow)
    let name = tr("Open {branch}", ["branch": garden.label(of: header.node)])
    page.accessibleName(name).tooltip(name)
    for twig in twigs { twig.show(garden, counts, isNarrow: isNarrow) }
  }

  func expand() { setExpanded(true) }

  func collapse() { setExpanded(false) }

  /// The row of the branch or of one of its twigs; `nil` if it isn't shown.
  func row(of node: Node) -> NodeRow? {
    node == header.node ? header : isExpanded ? twigs.first { $0.node == node } : nil
  }

  private func setExpanded(_ isExpanded: Bool) {
    guard isExpanded != self.isExpanded else { return }
    self.isExpanded = isExpanded
    if isExpanded, twigs.isEmpty { makeTwigs() }
    for twig in twigs { twig.widget.visible(isExpanded) }
    sign.setIcon(isExpanded ? "pan-down-symbolic" : BranchRows.collapsed)
    header.widget.expanded(isExpanded)
  }

  private func makeTwigs() {
    guard let branch = header.node.branch else { return }
    let first = header.widget.rowIndex + 1
    twigs = (0..<8).map {
      NodeRow(twig: .twig(branch: branch, twig: $0), start: bin().size(width: BranchRows.signWidth))
    }
    for (position, twig) in twigs.enumerated() {
      twig.show(garden, counts, isNarrow: isNarrow)
      list.insert(twig.widget, at: first + position)
    }
  }
}
