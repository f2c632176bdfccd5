import GtkKit

/// A row of a boxed list with a switch that can also be set by the program.
final class SwitchRow {
  let widget: Widget

  /// Whether the switch is on. Setting it does not call `onSwitch`.
  var isOn: Bool {
    didSet { widget.isSwitchOn = isOn }
  }

  /// Called when the user turns the switch on or off.
  var onSwitch: ((Bool) -> Void)?

  init(_ title: String, _ subtitle: String = "", isOn: Bool = false) {
    self.isOn = isOn
    widget = switchRow(title, subtitle, isOn: isOn)
    widget.onSwitch { [weak self] in self?.switched($0) }
    widget.keeps(self)
  }

  private func switched(_ isOn: Bool) {
    guard isOn != self.isOn else { return }
    self.isOn = isOn
    onSwitch?(isOn)
  }
}
