import GtkKit

/// The command of the focused button, to focus the same button after the garden was replaced.
struct FocusedCommand {
  private let name: String?

  /// - Parameter content: only buttons inside it count.
  /// - Returns: `nil` if the focus is elsewhere.
  init?(in content: Widget, of window: Widget) {
    guard let focused = gtk_window_get_focus(window.cast()), gtk_widget_is_ancestor(focused, content) != 0 else {
      return nil
    }
    name = FocusedCommand.command(of: focused)
  }

  /// Focuses the button with this command.
  /// - Returns: whether there is one.
  func focus(in content: Widget) -> Bool {
    // A hidden widget would take the focus, and key presses would have no effect.
    guard let name, gtk_widget_get_mapped(content) != 0 else { return false }
    if FocusedCommand.command(of: content) == name, gtk_widget_grab_focus(content) != 0 { return true }
    var child = gtk_widget_get_first_child(content)
    while let next = child {
      if focus(in: next) { return true }
      child = gtk_widget_get_next_sibling(next)
    }
    return false
  }

  private static func command(of widget: Widget) -> String? {
    guard widget.isA(gtk_actionable_get_type()) else { return nil }
    return gtk_actionable_get_action_name(widget.cast()).map { String(cString: $0) }
  }
}
