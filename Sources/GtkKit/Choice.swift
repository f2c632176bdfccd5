import CGtk

/// A few choices side by side, one of them taken: a segmented control or a row of chips.
@MainActor public final class Choice {
  /// How it looks.
  public enum Style: String {
    /// One piece of equal parts, for a form.
    case segments
    /// Small flat parts in the heading of a section.
    case ranges
    /// Separate pills that wrap, for filters.
    case chips
  }

  /// All choices.
  public let widget: Widget

  /// The choice that is taken, counted from 0. Setting it does not call the handler.
  public var selected: Int {
    didSet { showSelected() }
  }

  private let buttons: [Widget]
  private let onSelect: @MainActor (Int) -> Void
  private var isShowing = false

  /// - Parameter name: what a screen reader says for the group.
  public init(
    _ style: Style, name: String, _ titles: [String], selected: Int = 0,
    onSelect: @escaping @MainActor (Int) -> Void
  ) {
    self.selected = selected
    self.onSelect = onSelect
    buttons = titles.map { gtk_toggle_button_new_with_label(oneLine($0)) }
    widget = style == .chips ? wrapping(name) : group(name)
    widget.css(style.rawValue)
    for (position, button) in buttons.enumerated() {
      if position > 0 { gtk_toggle_button_set_group(button.cast(), buttons[0].cast()) }
      if style == .chips {
        gtk_flow_box_insert(widget.cast(), button, -1)
        // The button takes the focus, not the place around it.
        if let place = gtk_widget_get_parent(button) { gtk_widget_set_focusable(place, 0) }
      } else {
        gtk_orientable_set_orientation(widget.cast(), GTK_ORIENTATION_HORIZONTAL)
        gtk_box_set_homogeneous(widget.cast(), (style == .segments).gboolean)
        shrinkLabel(of: button)
        widget.append(button.expand(style == .segments))
      }
      button.on("toggled") { [weak self] in self?.toggled(position) }
    }
    showSelected()
    widget.keeps(self)
  }

  /// Changes the text of a choice, as a chip with a number.
  public func setTitle(_ title: String, at position: Int) {
    buttons[position].setText(title)
  }

  private func toggled(_ position: Int) {
    guard !isShowing, gtk_toggle_button_get_active(buttons[position].cast()) != 0 else { return }
    selected = position
    onSelect(position)
  }

  private func showSelected() {
    isShowing = true
    gtk_toggle_button_set_active(buttons[selected].cast(), 1)
    isShowing = false
  }
}

@MainActor private func wrapping(_ name: String) -> Widget {
  let box: Widget = gtk_flow_box_new()
  gtk_flow_box_set_selection_mode(box.cast(), GTK_SELECTION_NONE)
  gtk_flow_box_set_max_children_per_line(box.cast(), 12)
  gtk_flow_box_set_column_spacing(box.cast(), 8)
  gtk_flow_box_set_row_spacing(box.cast(), 8)
  return box.named(name).align(GTK_ALIGN_START)
}

@MainActor private func shrinkLabel(of button: Widget) {
  guard let label = gtk_button_get_child(button.cast()) else { return }
  gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END)
}
