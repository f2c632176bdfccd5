import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The tree as a list: eight branches, each of which expands to its eight twigs.
final class TreeList {
  let widget: Widget

  /// Whether the window is narrow.
  var isNarrow = false {
    didSet { if isNarrow != oldValue, !branches.isEmpty { render() } }
  }

  private let context: WindowContext
  private let list = boxedList().accessibleName(tr("Branches and twigs"))
  /// Made when the list is first shown.
  private var branches: [BranchRows] = []

  init(_ context: WindowContext) {
    self.context = context
    widget = scrolled(clamp(list.valign(.start).margin(top: 4, bottom: 28, start: 18, end: 18)))
    list.onKey { [weak self] press in self?.take(press) ?? false }
    widget.keeps(self)
    context.followShown(widget) { [weak self] in self?.render() }
  }

  func scrollToTop() { widget.scrollToTop() }

  /// Moves the focus to the row of a branch or twig.
  func focus(on node: Node) {
    guard let branch = node.branch, branches.indices.contains(branch) else { return }
    if case .twig = node { branches[branch].expand() }
    branches[branch].row(of: node)?.widget.focus()
  }

  private func render() {
    let garden = context.model.garden
    if branches.isEmpty { branches = (0..<8).map { BranchRows($0, in: list, of: garden) } }
    let counts = garden.nodeCounts(at: context.model.now)
    let tended = context.settings.showsLastTended ? LastTended(garden, at: context.model.now) : nil
    for (number, branch) in branches.enumerated() {
      branch.show(garden, counts, tended: tended?.text(of: number), isNarrow: isNarrow)
    }
  }
}

// MARK: - Keys

extension TreeList {
  /// The node whose row, or a button in it, has the focus.
  private var focused: Node? {
    guard let row = list.focusedChild else { return nil }
    return Node.places.first { node in
      node.branch.flatMap { branches[$0].row(of: node)?.widget } == row
    }
  }

  private func take(_ press: KeyPress) -> Bool {
    guard press.modifiers.isEmpty, let focused, let branch = focused.branch else { return false }
    switch press.key {
    case .right: return enter(focused, branches[branch])
    case .left, .escape: return leave(focused, branches[branch])
    default: return press.characters.contains { jump(to: $0, from: branch) }
    }
  }

  /// Expands a branch, or moves to its first twig.
  private func enter(_ node: Node, _ rows: BranchRows) -> Bool {
    guard case .branch(let branch) = node else { return false }
    if rows.isExpanded { focus(on: .twig(branch: branch, twig: 0)) } else { rows.expand() }
    return true
  }

  /// Goes from a twig to its branch, or collapses a branch.
  private func leave(_ node: Node, _ rows: BranchRows) -> Bool {
    if case .twig(let branch, _) = node {
      focus(on: .branch(branch))
      return true
    }
    defer { rows.collapse() }
    return rows.isExpanded
  }

  /// Goes to a branch by its number, or to the next one whose name begins with a letter.
  private func jump(to character: Character, from branch: Int) -> Bool {
    if let number = character.wholeNumberValue {
      focus(on: .branch(number - 1))
      return (1...8).contains(number)
    }
    let garden = context.model.garden
    let next = (1...8).map { Node.branch((branch + $0) % 8) }.first { node in
      garden.label(of: node).folded.hasPrefix(String(character).folded)
    }
    next.map { focus(on: $0) }
    return next != nil
  }
}
