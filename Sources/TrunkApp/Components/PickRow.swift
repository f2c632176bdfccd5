import GtkKit

/// A row of a boxed list with a drop-down list.
final class PickRow {
  let widget: Widget

  /// The index of the selected item. Setting it does not call `onPick`.
  var selected: Int {
    didSet {
      changes?.withoutNotice { widget.selectedItem = selected }
      showName()
    }
  }

  var count: Int { items.count }

  /// Called with the index of the item that the user selected.
  var onPick: ((Int) -> Void)?

  private let title: String
  private var items: [String] = []
  private var changes: Connection?

  init(_ title: String, _ items: [String], selected: Int = 0) {
    (self.title, self.selected) = (title, selected)
    widget = comboRow(title)
    changes = widget.onChange(of: "selected") { [weak self] in self?.picked() }
    show(items, selected: selected)
    widget.keeps(self)
  }

  /// Replaces the items.
  func show(_ items: [String], selected: Int) {
    if items != self.items {
      self.items = items
      changes?.withoutNotice { widget.setItems(items) }
    }
    self.selected = selected
  }

  private func picked() {
    // No item is selected while the list changes.
    guard let position = widget.selectedItem, position != selected else { return }
    selected = position
    onPick?(selected)
  }

  /// Sets an accessible name that includes the selected item.
  private func showName() {
    widget.accessibleName(items.indices.contains(selected) ? title + ", " + items[selected] : title)
  }
}
