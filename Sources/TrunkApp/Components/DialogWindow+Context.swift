import GtkKit
import Localization

extension DialogWindow {
  /// A window over another one for a single task. Its messages have a close button named “Dismiss”.
  convenience init(
    over parent: Widget?, title: String, closeTitle: String? = nil, width: Int = 560, height: Int = -1, content: Widget,
    scrolls: Bool = true
  ) {
    self.init(
      over: parent, title: title, closeTitle: closeTitle, dismissTitle: tr("Dismiss"), width: width, height: height,
      content: content, scrolls: scrolls)
  }

  /// Closes the dialog and invokes a command of the window below.
  func leave(_ context: WindowContext, for command: String, target: String? = nil) {
    let below = context.window
    close()
    below.activate(command, target: target)
  }

  /// Moves the focus of the window below to the row of a sprout when the dialog is closed.
  /// - Parameter sproutID: returns the sprout that something was done with; `nil` if nothing was.
  func returnsFocus(_ context: WindowContext, toRowOf sproutID: @escaping @MainActor () -> String?) {
    // Both windows can end together, the one below first.
    let below = WeakReference(context.window)
    widget.on("destroy") {
      guard let id = sproutID(), let row = below.widget?.shown(command: "win.sprout", target: id), row.isRow else {
        return
      }
      row.focus()
    }
  }

  /// Calls `handler` for Ctrl+Enter, wherever the focus is in the dialog.
  func onSubmit(_ handler: @escaping @MainActor () -> Void) {
    widget.onShortcut("<Control>Return", handler)
    widget.ignoreRepeats(of: "<Control>Return")
  }
}
