import GtkKit
import Localization
import TrunkModel

/// Chooses the seedling that a sprout grows from, and shows its notes.
final class SeedlingChooser {
  let row = PickRow(tr("From a seedling"), [""])
  let notes = paragraph("", "hint").margin(start: 2)
  /// Called when the user picks a seedling, or none.
  var onPick: ((Seedling?) -> Void)?

  private var seedlings: [Seedling] = []

  var picked: Seedling? { row.selected == 0 ? nil : seedlings[row.selected - 1] }

  init() {
    row.onPick = { [weak self] _ in
      guard let self else { return }
      showNotes()
      onPick?(picked)
    }
  }

  /// Shows the seedlings, newest first, without calling `onPick`.
  func show(_ garden: Garden, selected seedlingID: String?) {
    seedlings = garden.seedlings.reversed()
    row.widget.visible(!seedlings.isEmpty)
    let position = seedlings.firstIndex { seedlingID?.hasSameBytes(as: $0.id) == true }.map { $0 + 1 } ?? 0
    row.show([tr("None")] + seedlings.map(\.title), selected: position)
    showNotes()
  }

  private func showNotes() {
    let text = picked?.notes ?? ""
    notes.visible(!text.isEmpty)
    notes.setText(text)
  }
}
