import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Picks the leaf of a new sprout: a new leaf with a name, or an existing one on its twig.
final class LeafChooser {
  let widget: Widget

  var choice: GardenModel.LeafChoice {
    row.selected == 0 ? .new(name: name.text) : .existing(id: leaves[row.selected - 1].id)
  }

  /// The name of the chosen leaf; `nil` for a new one without a name.
  var leafName: String? {
    let typed = String(name.text.trimmed)
    return row.selected > 0 ? leaves[row.selected - 1].name : typed.isEmpty ? nil : typed
  }

  /// Called after every change, including the name of a new leaf.
  var onChange: (() -> Void)?

  private let hint = paragraph(
    tr(
      "A leaf is the story this sprout starts. Later sprouts can continue it. If you leave the name empty, the leaf gets the sprout’s name."
    ),
    "hint")
  private let row = PickRow(tr("Leaf"), [""])
  private let name = LimitedRow(tr("Name of the leaf"), limit: .leafName)
  private var leaves: [Leaf] = []

  init() {
    widget = column(
      spacing: 8, boxedList(row.widget, name.widget).accessibleName(tr("Leaf")), hint.margin(start: 2))
    row.onPick = { [weak self] _ in
      self?.showName()
      self?.onChange?()
    }
    name.onChange = { [weak self] in self?.onChange?() }
    widget.keeps(self)
  }

  /// Lists the leaves of a twig, newest first, and selects `choice`.
  func show(_ garden: Garden, twig: Node?, choice: GardenModel.LeafChoice) {
    leaves = twig.map { garden.leaves(onTwig: $0.id).reversed() } ?? []
    var selected = 0
    if case .existing(let id) = choice, let position = leaves.firstIndex(where: { $0.id.hasSameBytes(as: id) }) {
      selected = position + 1
    }
    if case .new(let text) = choice, name.text != text { name.text = text }
    row.widget.visible(!leaves.isEmpty)
    row.show([tr("A new leaf")] + leaves.map(\.name), selected: selected)
    showName()
  }

  private func showName() {
    name.widget.visible(row.selected == 0)
    hint.visible(row.selected == 0)
  }
}
