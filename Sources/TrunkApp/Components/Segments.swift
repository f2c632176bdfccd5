import GtkKit

/// A choice between a few options. They are shown side by side if their titles fit, else as a drop-down list.
final class Segments {
  /// Shows the first variant that fits.
  let widget = firstThatFits()

  /// The index of the selected option. Setting it does not call `onSelect`.
  var selected: Int {
    didSet { show() }
  }

  /// Called with the index of the option that the user selected.
  var onSelect: ((Int) -> Void)?

  private var choice: Choice?
  private var list: Widget?

  /// - Parameters:
  ///   - name: the accessible name of the group.
  ///   - names: the accessible names of the options, if the titles are too short.
  init(
    _ style: Choice.Style = .segments, name: String, _ titles: [String], names: [String]? = nil, selected: Int
  ) {
    self.selected = selected
    let choice = Choice(style, name: name, titles, names: names, selected: selected) { [weak self] in self?.take($0) }
    let list = dropDown(name: name, names ?? titles, selected: selected) { [weak self] in self?.take($0) }
    (self.choice, self.list) = (choice, list)
    widget.addVariant(choice.widget.hexpand())
    widget.addVariant(list.hexpand())
    widget.keeps(self)
  }

  private func take(_ position: Int) {
    guard position != selected else { return }
    selected = position
    onSelect?(position)
  }

  private func show() {
    choice?.selected = selected
    list?.selectedItem = selected
  }
}
