import CGtk
import CShim

@MainActor extension Widget {
  /// The modal window that is open over this one.
  public var openDialog: Widget? {
    guard let windows = gtk_window_get_toplevels() else { return nil }
    for position in 0..<g_list_model_get_n_items(windows) {
      guard let item = g_list_model_get_item(windows, position) else { continue }
      // GTK itself holds a reference to every window.
      defer { g_object_unref(item) }
      let window = item.assumingMemoryBound(to: GtkWindow.self)
      if gtk_window_get_modal(window) != 0, let below = gtk_window_get_transient_for(window), below.cast() == self {
        return window.cast()
      }
    }
    return nil
  }

  /// The topmost of the modal windows over this one; this window if there is none.
  public var topmostWindow: Widget {
    var top = self
    while let dialog = top.openDialog { top = dialog }
    return top
  }

  /// Waits until no modal window is open over this one, or the task is cancelled. Cancel it when this window is
  /// destroyed.
  public func waitUntilNoDialogIsOpen() async {
    guard openDialog != nil, let windows = gtk_window_get_toplevels() else { return }
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let connection = windows.on("items-changed") { change.yield() }
    defer { connection.disconnect() }
    for await _ in changes where openDialog == nil { return }
  }

  /// Destroys every modal window over this one, the topmost first, in time for them to save what was typed. GTK itself
  /// would leave them open or destroy them when this window is half gone.
  public func closeDialogs() {
    while let dialog = openDialog {
      dialog.closeDialogs()
      gtk_window_destroy(dialog.cast())
    }
  }
}
