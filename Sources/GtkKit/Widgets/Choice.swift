import CGtk
import CShim

/// A single choice from a few options side by side: a segmented control or a row of chips.
@MainActor public final class Choice {
  /// The appearance.
  public enum Style: String {
    /// A single control with equal segments, for forms.
    case segments
    /// Small flat options in a section's heading.
    case ranges
    /// Separate pills, for filters.
    case chips
    /// Separate cards of equal size, for a rating; titles may have two lines.
    case tiles
  }

  /// The widget with all options.
  public let widget: Widget

  /// The index of the selected option. Setting it does not call the handler.
  public var selected: Int {
    didSet { showSelected() }
  }

  private let buttons: [Widget]
  private let onSelect: @MainActor (Int) -> Void
  private var isShowing = false

  /// - Parameters:
  ///   - name: the group's accessible name.
  ///   - names: the options' accessible names, if the titles are too short.
  public init(
    _ style: Style, name: String, _ titles: [String], names: [String]? = nil, selected: Int = 0,
    onSelect: @escaping @MainActor (Int) -> Void
  ) {
    self.selected = selected
    self.onSelect = onSelect
    buttons = titles.map { gtk_toggle_button_new_with_label(style == .tiles ? clamped($0) : oneLine($0)) }
    let box = group(name).css(style.rawValue)
    gtk_orientable_set_orientation(box.cast(), GTK_ORIENTATION_HORIZONTAL)
    gtk_box_set_homogeneous(box.cast(), style.fills.gboolean)
    gtk_box_set_spacing(box.cast(), gint(style.spacing))
    if style == .chips || style == .ranges { trunk_wrap_children(box, gint(style.spacing)) }
    widget = box
    for (position, button) in buttons.enumerated() {
      if position > 0 { gtk_toggle_button_set_group(button.cast(), buttons[0].cast()) }
      centreLabel(of: button, shrinks: style.fills)
      button.named((names ?? titles)[position])
      box.append(button.expand(style.fills))
      button.on("toggled") { [weak self] in self?.toggled(position) }
    }
    showSelected()
    widget.keeps(self)
  }

  /// Changes the title of an option, for example of a chip with a count.
  public func setTitle(_ title: String, at position: Int) {
    buttons[position].setText(title)
    buttons[position].named(title)
  }

  /// Shows or hides an option.
  public func setVisible(_ isVisible: Bool, at position: Int) {
    buttons[position].visible(isVisible)
  }

  /// Moves the focus to the selected option.
  public func focus() {
    gtk_widget_grab_focus(buttons[selected])
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

extension Choice.Style {
  /// Whether the options share the full width equally.
  fileprivate var fills: Bool { self == .segments || self == .tiles }

  /// Pixels between the options.
  fileprivate var spacing: Int { self == .chips || self == .tiles ? 8 : 0 }
}

@MainActor private func centreLabel(of button: Widget, shrinks: Bool) {
  guard let label = gtk_button_get_child(button.cast()) else { return }
  gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
  if shrinks { gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END) }
}
