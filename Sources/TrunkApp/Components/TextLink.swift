import GtkKit

/// A button that reads as text and wraps like it. It leads to a place.
final class TextLink {
  let widget: Widget

  private let command: String
  private let text = paragraph("")

  /// - Parameters:
  ///   - command: the command that opens the place, such as `win.twig`.
  ///   - style: a style class besides that of a link.
  init(_ command: String, style: String = "flush") {
    self.command = command
    // A command without a target would complain until the first `show`.
    widget = contentButton(text, command: command + "::").css("text-button", "link", style).align(GTK_ALIGN_START)
    widget.keeps(self)
  }

  /// - Parameter target: the id of the place; `nil` for one that can't be opened.
  func show(_ words: String, target: String?) {
    text.setText(words)
    widget.named(words).sensitive(target != nil)
    if let target { widget.action(command, target: target) }
  }
}
