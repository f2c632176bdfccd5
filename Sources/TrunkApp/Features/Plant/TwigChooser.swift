import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Picks one of the 64 twigs: first the branch, then the twig. Shows the twig's note.
final class TwigChooser {
  /// The two rows, with the twig's description below them.
  let widget: Widget

  private(set) var twig: Node

  /// Called when the user selects another twig.
  var onPick: (() -> Void)?

  private let garden: Garden
  private let branchRow: PickRow
  private let twigRow: PickRow
  private let description = paragraph("", "hint")

  init(_ garden: Garden, twig: Node) {
    self.garden = garden
    self.twig = twig
    branchRow = PickRow(tr("Branch"), (0..<8).map { garden.label(of: .branch($0)) }, selected: twig.branch ?? 0)
    twigRow = PickRow(tr("Twig"), [""])
    widget = column(
      spacing: 8, boxedList(branchRow.widget, twigRow.widget).accessibleName(tr("Place on the tree")),
      description.margin(start: 2))
    branchRow.onPick = { [weak self] in self?.pick(.twig(branch: $0, twig: 0)) }
    twigRow.onPick = { [weak self] position in
      if let self { pick(.twig(branch: branchRow.selected, twig: position)) }
    }
    show(twig)
    widget.keeps(self)
  }

  /// Shows a twig without calling `onPick`.
  func show(_ twig: Node) {
    guard case .twig(let branch, let position) = twig else { return }
    self.twig = twig
    branchRow.selected = branch
    twigRow.show((0..<8).map { garden.label(of: .twig(branch: branch, twig: $0)) }, selected: position)
    description.setText(garden.note(of: twig))
  }

  private func pick(_ twig: Node) {
    show(twig)
    onPick?()
  }
}
