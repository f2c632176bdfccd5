import GtkKit

/// A switch in a question for an optional extra action; off at first.
final class AlsoSwitch {
  let widget: Widget
  private(set) var isOn = false

  init(_ title: String, _ hint: String) {
    widget = boxedList()
    widget.append(switchRow(title, hint, isOn: false) { [weak self] in self?.isOn = $0 })
    widget.keeps(self)
  }

  func focus() { widget.focusFirst() }
}
