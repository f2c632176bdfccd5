import GtkKit

/// A choice between a few options. They are shown side by side if their titles fit. Otherwise tiles show only their
/// numbers, and segments become a drop-down list.
final class Segments {
  /// Shows the first variant that fits.
  let widget: Widget = adw_squeezer_new()

  /// The index of the selected option. Setting it does not call `onSelect`.
  var selected: Int {
    didSet { show() }
  }

  /// Called with the index of the option that the user selected.
  var onSelect: ((Int) -> Void)?

  private let titles: [String]
  private var choices: [Choice] = []
  private var list: Widget?
  private let taken = label("", "hint").align(GTK_ALIGN_CENTER)

  /// - Parameter name: the accessible name of the group.
  init(_ style: Choice.Style = .segments, name: String, _ titles: [String], selected: Int) {
    (self.titles, self.selected) = (titles, selected)
    let wide = Choice(style, name: name, titles, selected: selected) { [weak self] in self?.take($0) }
    choices = [wide]
    adw_squeezer_set_homogeneous(widget.cast(), 0)
    adw_squeezer_set_switch_threshold_policy(widget.cast(), ADW_FOLD_THRESHOLD_POLICY_NATURAL)
    adw_squeezer_add(widget.cast(), wide.widget.expand())
    if style == .tiles {
      let numbers = titles.indices.map { "\($0 + 1)" }
      let narrow = Choice(style, name: name, numbers, names: titles, selected: selected) { [weak self] in self?.take($0)
      }
      choices.append(narrow)
      adw_squeezer_add(widget.cast(), column(spacing: 6, narrow.widget, taken).expand())
    } else {
      let list = dropDown(name: name, titles, selected: selected) { [weak self] in self?.take($0) }
      self.list = list
      adw_squeezer_add(widget.cast(), list.expand())
    }
    show()
    concealOthers()
    widget.onChange(of: "visible-child") { [weak self] in self?.concealOthers() }
    widget.keeps(self)
  }

  /// Focuses the selected option.
  func focus() {
    (choices.first { gtk_widget_get_child_visible($0.widget) != 0 } ?? choices.first)?.focus()
  }

  /// The squeezer hides the other variants visually, but not from screen readers.
  private func concealOthers() {
    let visible = adw_squeezer_get_visible_child(widget.cast())
    var child = gtk_widget_get_first_child(widget)
    while let way = child {
      way.concealed(way != visible)
      child = gtk_widget_get_next_sibling(way)
    }
  }

  private func take(_ position: Int) {
    guard position != selected else { return }
    selected = position
    onSelect?(position)
  }

  private func show() {
    choices.forEach { $0.selected = selected }
    if let list { gtk_drop_down_set_selected(list.cast(), guint(clamping: selected)) }
    taken.setText(titles[selected])
  }
}
