import Gardening
import GtkKit
import Localization

/// A field for one line in a boxed list, under its caption, with a count near its limit. What is too long is never cut.
///
/// An `AdwEntryRow` looks alike, but its libadwaita does not tell a screen reader that it has the focus.
final class LimitedRow {
  /// The row.
  let widget: Widget = gtk_list_box_row_new()

  var text: String {
    get { field.text }
    set { field.text = newValue }
  }

  /// Whether the user changed what was there at first.
  var isChanged: Bool { text != initial }

  /// Called after every change.
  var onChange: (() -> Void)?

  private let limit: Int
  private let field: Widget
  private let initial: String
  private let counter = label("", "hint", "numeric")

  /// - Parameter limit: the most characters, as a person sees them.
  init(_ caption: String, text: String = "", limit: Int) {
    self.limit = limit
    field = entry(name: caption, text: text)
    // What the field made of it, so that a text it can't hold as it is does not count as a change.
    initial = field.text
    gtk_entry_set_activates_default(field.cast(), 1)
    let texts = column(spacing: 1, paragraph(caption, "caption-title"), field).expand()
    gtk_list_box_row_set_child(
      widget.cast(), line(spacing: 10, texts, counter.alignDown(GTK_ALIGN_CENTER)).css("field-content"))
    gtk_list_box_row_set_activatable(widget.cast(), 0)
    gtk_widget_set_focusable(widget, 0)
    widget.css("field").onClick { [weak self] _, _, _ in
      if let self { gtk_widget_grab_focus(field) }
    }
    showLength()
    field.on("changed") { [weak self] in
      self?.showLength()
      self?.onChange?()
    }
    widget.keeps(self)
  }

  /// Puts the cursor into the field, all of its text selected, so that typing replaces it.
  func focus() {
    gtk_widget_grab_focus(field)
    gtk_editable_select_region(field.cast(), 0, -1)
  }

  private func showLength() {
    let count = text.count
    counter.visible(count * 10 > limit * 8)
    counter.setText(numbers("\(count) / \(limit)"))
    counter.css("error", when: count > limit)
    field.invalid(count > limit)
    widget.css("error", when: count > limit)
  }
}
