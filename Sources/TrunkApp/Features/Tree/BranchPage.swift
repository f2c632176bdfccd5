import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of a branch: its name and note, and its twigs.
final class BranchPage {
  var widget: Widget { frame.widget }

  private let context: WindowContext
  private let branch: Int
  private let frame: PageFrame
  private let header: NodeHeader
  private let twigs: [NodeRow]

  /// - Parameters:
  ///   - branch: 0…7.
  ///   - onMove: called with -1 or 1 to go to the previous or next branch.
  ///   - onBack: called when the user wants to leave the page.
  init(
    _ context: WindowContext, _ branch: Int, onMove: @escaping @MainActor (Int) -> Void,
    onBack: @escaping @MainActor () -> Void
  ) {
    (self.context, self.branch) = (context, branch)
    header = NodeHeader(context, .branch(branch))
    twigs = (0..<8).map { NodeRow(twig: .twig(branch: branch, twig: $0)) }
    let list = boxedList().accessibleName(tr("Twigs"))
    for twig in twigs { list.append(twig.widget) }
    frame = PageFrame(
      column(spacing: 22, header.widget, list),
      siblings: .init(
        above: .init(tr("Previous branch")) { onMove(-1) }, below: .init(tr("Next branch")) { onMove(1) }),
      onBack: onBack)
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  func focus() { frame.focus() }

  private func render() {
    let garden = context.model.garden
    let counts = garden.nodeCounts(at: context.model.now)
    widget.accessibleName(garden.label(of: .branch(branch)))
    header.show(garden)
    for twig in twigs { twig.show(garden, counts) }
  }
}
