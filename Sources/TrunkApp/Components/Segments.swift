import GtkKit

/// A choice between a few options. They are shown side by side if their titles fit. Otherwise tiles show only their
/// numbers, and segments become a drop-down list.
final class Segments {
  /// Shows the first variant that fits.
  let widget = firstThatFits()

  /// The index of the selected option; `nil` until the user selects one. Setting it does not call `onSelect`.
  var choice: Int? {
    didSet { show() }
  }

  /// The index of the selected option of a choice that always has one.
  var selected: Int {
    get { choice ?? 0 }
    set { choice = newValue }
  }

  /// Called with the index of the option that the user selected.
  var onSelect: ((Int) -> Void)?

  private let titles: [String]
  private var choices: [Choice] = []
  private var list: Widget?
  private let taken = label("", "hint").halign(.center)

  /// - Parameters:
  ///   - name: the accessible name of the group.
  ///   - names: the accessible names of the options, if the titles are too short.
  ///   - selected: `nil` if nothing is selected at first, which only tiles can show.
  init(
    _ style: Choice.Style = .segments, name: String, _ titles: [String], names: [String]? = nil, selected: Int?
  ) {
    (self.titles, choice) = (titles, selected)
    let wide = Choice(style, name: name, titles, names: names, selected: selected) { [weak self] in self?.take($0) }
    choices = [wide]
    widget.addVariant(wide.widget.hexpand())
    if style == .tiles {
      let numbers = titles.indices.map { "\($0 + 1)" }
      let narrow = Choice(style, name: name, numbers, names: titles, selected: selected) { [weak self] in self?.take($0)
      }
      choices.append(narrow)
      widget.addVariant(column(spacing: 6, narrow.widget, taken).hexpand())
    } else {
      let list = dropDown(name: name, names ?? titles, selected: selected ?? 0) { [weak self] in self?.take($0) }
      self.list = list
      widget.addVariant(list.hexpand())
    }
    show()
    widget.keeps(self)
  }

  /// Focuses the selected option.
  func focus() {
    (choices.first { $0.widget.isChosenByParent } ?? choices.first)?.focus()
  }

  private func take(_ position: Int) {
    guard position != choice else { return }
    choice = position
    onSelect?(position)
  }

  private func show() {
    choices.forEach { $0.selected = choice }
    list?.selectedItem = selected
    taken.setText(choice.map { titles[$0] } ?? "")
  }
}
