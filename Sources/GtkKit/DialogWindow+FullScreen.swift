import CGtk

extension DialogWindow {
  /// Whether one thing fills the screen.
  public var isFullScreen: Bool { onLeave != nil }

  /// Shows this alone on the whole screen, without the header bar, until `leaveFullScreen` or Esc.
  /// - Parameter onLeave: called when the dialog is shown again.
  public func fillScreen(with content: Widget, onLeave: @escaping @MainActor () -> Void) {
    guard !isFullScreen else { return }
    self.onLeave = onLeave
    filling.setChild(content)
    showParts()
    gtk_window_fullscreen(widget.cast())
  }

  /// Shows the dialog again.
  public func leaveFullScreen() {
    guard let onLeave else { return }
    self.onLeave = nil
    showParts()
    gtk_window_unfullscreen(widget.cast())
    // The focus moves before its widget is gone: GTK would give it to the first one in the window.
    onLeave()
    filling.setChild(nil)
  }

  func leaveOrClose() {
    if isFullScreen { leaveFullScreen() } else { close() }
  }

  private func showParts() {
    header.visible(!isFullScreen)
    usual.visible(!isFullScreen)
    filling.visible(isFullScreen)
  }
}
