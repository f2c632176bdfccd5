import CGtk

/// A word in a sentence that is a button, and opens something to choose from below it.
@MainActor public final class WordMenu {
  public let widget: Widget = gtk_menu_button_new()

  private let popover: Widget = gtk_popover_new()
  private let word = label("")

  /// - Parameters:
  ///   - width: the maximum width of the content in pixels, at the usual size of texts.
  ///   - content: makes what is shown below the word, when it is shown for the first time.
  public init(width: Int, content: @escaping @MainActor () -> Widget) {
    gtk_menu_button_set_child(widget.cast(), word)
    gtk_menu_button_set_popover(widget.cast(), popover)
    widget.css("word").valign(.center)
    widget.onMenu { [popover] _ in
      guard gtk_popover_get_child(popover.cast()) == nil else { return }
      gtk_popover_set_child(popover.cast(), clamp(content(), width: Int((Double(width) * textScale).rounded())))
    }
  }

  /// Called when the list appears.
  public func onOpen(_ handler: @escaping @MainActor () -> Void) { popover.on("map", handler) }

  /// - Parameter name: the accessible name, which contains the word.
  public func show(_ word: String, name: String) {
    self.word.setText(word)
    widget.accessibleName(name)
    // In it is the button that has the focus.
    gtk_widget_get_first_child(widget)?.accessibleName(name)
  }

  public func close() { gtk_popover_popdown(popover.cast()) }
}
