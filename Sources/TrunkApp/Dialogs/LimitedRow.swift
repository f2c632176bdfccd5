import Gardening
import GtkKit
import Localization

/// A field for one line in a boxed list, with a count near its limit. What is too long is never cut.
final class LimitedRow {
  /// The row with its caption inside.
  let widget: Widget

  var text: String {
    get { widget.text }
    set { widget.text = newValue }
  }

  /// Whether the user changed what was there at first.
  var isChanged: Bool { text != initial }

  /// Called after every change.
  var onChange: (() -> Void)?

  private let limit: Int
  private let initial: String
  private let counter = label("", "hint", "numeric")

  /// - Parameter limit: the most characters, as a person sees them.
  init(_ title: String, text: String = "", limit: Int) {
    self.limit = limit
    widget = entryRow(title, text: text)
    // What the field made of it, so that a text it can't hold as it is does not count as a change.
    initial = widget.text
    adw_entry_row_add_suffix(widget.cast(), counter.alignDown(GTK_ALIGN_CENTER))
    adw_entry_row_set_activates_default(widget.cast(), 1)
    showLength()
    widget.on("changed") { [weak self] in
      self?.showLength()
      self?.onChange?()
    }
    widget.keeps(self)
  }

  /// Puts the cursor into the field, all of its text selected, so that typing replaces it.
  func focus() {
    gtk_widget_grab_focus(widget)
    gtk_editable_select_region(widget.cast(), 0, -1)
  }

  private func showLength() {
    let count = text.count
    counter.visible(count * 10 > limit * 8)
    counter.setText("\(count) / \(limit)")
    counter.css("error", when: count > limit)
    widget.invalid(count > limit)
  }
}
