import GtkKit

/// A choice between a few options. They are shown side by side if their titles fit. Otherwise tiles show only their
/// numbers, and segments become a drop-down list.
final class Segments {
  /// Shows the first variant that fits.
  let widget = firstThatFits()

  /// The index of the selected option. Setting it does not call `onSelect`.
  var selected: Int {
    didSet { show() }
  }

  /// Called with the index of the option that the user selected.
  var onSelect: ((Int) -> Void)?

  private let titles: [String]
  private var choices: [Choice] = []
  private var list: Widget?
  private let taken = label("", "hint").align(.center)

  /// - Parameter name: the accessible name of the group.
  init(_ style: Choice.Style = .segments, name: String, _ titles: [String], selected: Int) {
    (self.titles, self.selected) = (titles, selected)
    let wide = Choice(style, name: name, titles, selected: selected) { [weak self] in self?.take($0) }
    choices = [wide]
    widget.addVariant(wide.widget.expand())
    if style == .tiles {
      let numbers = titles.indices.map { "\($0 + 1)" }
      let narrow = Choice(style, name: name, numbers, names: titles, selected: selected) { [weak self] in self?.take($0)
      }
      choices.append(narrow)
      widget.addVariant(column(spacing: 6, narrow.widget, taken).expand())
    } else {
      let list = dropDown(name: name, titles, selected: selected) { [weak self] in self?.take($0) }
      self.list = list
      widget.addVariant(list.expand())
    }
    show()
    widget.keeps(self)
  }

  /// Focuses the selected option.
  func focus() {
    (choices.first { $0.widget.isChosenByParent } ?? choices.first)?.focus()
  }

  private func take(_ position: Int) {
    guard position != selected else { return }
    selected = position
    onSelect?(position)
  }

  private func show() {
    choices.forEach { $0.selected = selected }
    list?.selectedItem = selected
    taken.setText(titles[selected])
  }
}
