import GtkKit

/// A row of a boxed list with a drop-down list.
final class PickRow {
  let widget: Widget

  /// The index of the selected item. Setting it does not call `onPick`.
  var selected: Int {
    didSet { changes?.withoutNotice { adw_combo_row_set_selected(widget.cast(), guint(clamping: selected)) } }
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
      let strings = gtk_string_list_new(nil)
      items.forEach { gtk_string_list_append(strings, oneLine($0)) }
      changes?.withoutNotice { adw_combo_row_set_model(widget.cast(), strings) }
      g_object_unref(strings?.address)
    }
    self.selected = selected
    showName()
  }

  private func picked() {
    let position = adw_combo_row_get_selected(widget.cast())
    // No item is selected while the list changes.
    guard position != guint.max, Int(position) != selected else { return }
    selected = Int(position)
    showName()
    onPick?(selected)
  }

  /// Sets an accessible name that includes the selected item.
  private func showName() {
    widget.named(items.indices.contains(selected) ? title + ", " + items[selected] : title)
  }
}
