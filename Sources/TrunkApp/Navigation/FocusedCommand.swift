import GtkKit

/// The command of the focused button, to focus the same button after the garden was replaced.
struct FocusedCommand {
  private let name: String?

  /// - Parameter content: only buttons inside it count.
  /// - Returns: `nil` if the focus is elsewhere.
  init?(in content: Widget, of window: Widget) {
    guard let focused = window.focusedWidget, content.contains(focused) else { return nil }
    name = focused.actionName
  }

  /// Focuses the button with this command.
  /// - Returns: whether there is one.
  func focus(in content: Widget) -> Bool {
    // A hidden widget would take the focus, and key presses would have no effect.
    guard let name, content.isMapped else { return false }
    if content.actionName == name, content.focus() { return true }
    return content.children.contains { focus(in: $0) }
  }
}
