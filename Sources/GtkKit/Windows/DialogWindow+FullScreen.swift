import CGtk

extension DialogWindow {
  /// Whether a widget fills the screen instead of the dialog.
  public var isFullScreen: Bool { onLeave != nil }

  /// Shows only `content`, on the whole screen and without the header bar, until `leaveFullScreen` or Esc.
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
    // Move the focus before its widget disappears: GTK would move it to the first widget of the window.
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
