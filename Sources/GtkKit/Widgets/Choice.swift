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
    /// Rows of a card, each with any content. The arrow keys move only the focus; Space selects.
    case rows
  }

  /// The widget with all options.
  public let widget: Widget

  /// The index of the selected option; `nil` until the user selects one. Setting it does not call the handler.
  public var selected: Int? {
    didSet { showSelected() }
  }

  private let style: Style
  private let buttons: [Widget]
  /// Called after a selection by the user.
  private let onSelect: @MainActor (Int) -> Void
  private var isShowing = false

  /// - Parameters:
  ///   - name: the group's accessible name.
  ///   - names: the options' accessible names, if the titles are too short.
  public convenience init(
    _ style: Style, name: String, _ titles: [String], names: [String]? = nil, selected: Int? = 0,
    onSelect: @escaping @MainActor (Int) -> Void
  ) {
    let buttons: [Widget] = titles.map { gtk_toggle_button_new_with_label(oneLine($0)) }
    for button in buttons { centreLabel(of: button, shrinks: style.fills) }
    self.init(style, name: name, buttons, names: names ?? titles, selected: selected, onSelect: onSelect)
  }

  /// A choice from rows, none of which is selected at first.
  /// - Parameters:
  ///   - name: the group's accessible name.
  ///   - names: the rows' accessible names.
  public convenience init(
    name: String, rows: [Widget], names: [String], onSelect: @escaping @MainActor (Int) -> Void
  ) {
    let buttons = rows.map { content in
      let button: Widget = gtk_toggle_button_new()
      gtk_button_set_child(button.cast(), content)
      return button
    }
    self.init(.rows, name: name, buttons, names: names, selected: nil, onSelect: onSelect)
  }

  private init(
    _ style: Style, name: String, _ buttons: [Widget], names: [String], selected: Int?,
    onSelect: @escaping @MainActor (Int) -> Void
  ) {
    (self.style, self.selected, self.buttons, self.onSelect) = (style, selected, buttons, onSelect)
    let box = (style.isRadioGroup ? radioGroup(name) : group(name)).css(style.rawValue)
    gtk_orientable_set_orientation(
      box.cast(), style == .rows ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL)
    gtk_box_set_homogeneous(box.cast(), style.fills.gboolean)
    gtk_box_set_spacing(box.cast(), gint(style.spacing))
    if style == .chips || style == .ranges { trunk_wrap_children(box, gint(style.spacing), gint(style.spacing), 0) }
    widget = box
    for (position, button) in buttons.enumerated() {
      if position > 0 { gtk_toggle_button_set_group(button.cast(), buttons[0].cast()) }
      if style.isRadioGroup { trunk_accessible_role(button, GTK_ACCESSIBLE_ROLE_RADIO) }
      button.accessibleName(names[position])
      box.append(button.hexpand(style.fills))
      button.on("toggled") { [weak self] in self?.toggled(position) }
    }
    showSelected()
    if style.isRadioGroup { box.onKey(capture: true) { [weak self] in self?.moveSelection($0) ?? false } }
    widget.keeps(self)
  }

  /// Changes the title of an option, for example of a chip with a count.
  public func setTitle(_ title: String, at position: Int) {
    buttons[position].setText(title)
    buttons[position].accessibleName(title)
  }

  /// Changes the accessible name of an option.
  public func setName(_ name: String, at position: Int) {
    buttons[position].accessibleName(name)
  }

  /// Shows or hides an option.
  public func setVisible(_ isVisible: Bool, at position: Int) {
    buttons[position].visible(isVisible)
  }

  /// Moves the focus to the selected option, or to the first one.
  public func focus() {
    gtk_widget_grab_focus(buttons[selected ?? 0])
  }

  /// Selects an option for the user, for example by a key, and moves the focus to it.
  public func select(_ position: Int) {
    guard buttons.indices.contains(position) else { return }
    gtk_toggle_button_set_active(buttons[position].cast(), 1)
    reach(position)
  }

  private func toggled(_ position: Int) {
    guard !isShowing, gtk_toggle_button_get_active(buttons[position].cast()) != 0 else { return }
    selected = position
    // An option that Tab doesn't reach doesn't take the focus when it is clicked.
    if style.isRadioGroup { buttons[position].focus() }
    onSelect(position)
  }

  private func showSelected() {
    isShowing = true
    for (position, button) in buttons.enumerated() {
      gtk_toggle_button_set_active(button.cast(), (position == selected).gboolean)
    }
    isShowing = false
    guard style.isRadioGroup else { return }
    // Tab reaches only the selected option. The focus moves first, because it would be lost with its place.
    let focused = buttons.firstIndex { $0.hasFocus }
    for (position, button) in buttons.enumerated() {
      trunk_accessible_checked(button, (position == selected).gboolean)
    }
    reach(selected ?? focused ?? 0, movesFocus: focused != nil)
  }

  /// Lets Tab reach only this option, and moves the focus to it.
  private func reach(_ position: Int, movesFocus: Bool = true) {
    buttons[position].focusable(true)
    if movesFocus { buttons[position].focus() }
    for (other, button) in buttons.enumerated() where other != position { button.focusable(false) }
  }

  /// Selects the option next to the focused one, the first after the last, as the arrow keys of radio buttons do. Of
  /// rows, only focuses it.
  private func moveSelection(_ press: KeyPress) -> Bool {
    guard press.modifiers.isEmpty, let focused = buttons.firstIndex(where: { $0.hasFocus }) else { return false }
    let isReversed = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
    let step: Int
    switch press.key {
    case .up: step = -1
    case .down: step = 1
    case .left: step = isReversed ? 1 : -1
    case .right: step = isReversed ? -1 : 1
    default: return false
    }
    let count = buttons.count
    let next = (1...count).map { (focused + step * $0 + count * count) % count }.first { buttons[$0].isVisible }
    guard let next, next != focused || selected == nil else { return true }
    if style == .rows {
      reach(next)
      return true
    }
    // A group without a selection starts with the option that has the focus.
    let taken = selected == nil && step > 0 ? focused : next
    selected = taken
    onSelect(taken)
    return true
  }
}

/// A horizontal box that screen readers present as the options of one choice.
@MainActor private func radioGroup(_ name: String) -> Widget {
  trunk_radio_group_new().accessibleName(name)
}

extension Choice.Style {
  /// Whether the options share the full width equally.
  fileprivate var fills: Bool { self == .segments }

  /// Whether Tab reaches only the selected option and the arrow keys select another one. Filters are separate buttons.
  fileprivate var isRadioGroup: Bool { self != .chips }

  /// Pixels between the options.
  fileprivate var spacing: Int { self == .chips ? 8 : 0 }
}

@MainActor private func centreLabel(of button: Widget, shrinks: Bool) {
  guard let label = gtk_button_get_child(button.cast()) else { return }
  gtk_label_set_justify(label.cast(), GTK_JUSTIFY_CENTER)
  if shrinks { gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END) }
}
