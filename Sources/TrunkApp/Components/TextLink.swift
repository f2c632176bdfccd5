import GtkKit

/// A button that looks like text and wraps like it. It opens a page.
final class TextLink {
  let widget: Widget

  private let command: String
  private let text = paragraph("")

  /// - Parameters:
  ///   - command: the command that opens the page, such as `win.twig`.
  ///   - style: a style class in addition to `link`.
  init(_ command: String, style: String = "flush") {
    self.command = command
    // A command without a target would cause a GTK warning until the first `show`.
    widget = contentButton(text, command: command + "::").css("text-button", "link", style).halign(.start)
    widget.keeps(self)
  }

  /// - Parameter target: the id for the command; `nil` if there is nothing to open.
  func show(_ caption: String, target: String?) {
    text.setText(caption)
    widget.accessibleName(caption).sensitive(target != nil)
    if let target { widget.action(command, target: target) }
  }
}
