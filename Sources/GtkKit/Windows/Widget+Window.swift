import CGtk
import CShim

/// A window of an application. It has the application's commands.
@MainActor public func applicationWindow(_ application: OpaquePointer, title: String) -> Widget {
  let window: Widget = trunk_application_window_new(application.cast())
  gtk_window_set_title(window.cast(), title)
  return window
}

@MainActor extension Widget {
  /// Sets everything below the frame of an `applicationWindow`.
  public func setWindowContent(_ content: Widget) {
    adw_application_window_set_content(cast(), content)
  }

  /// Keeps the focus of this window in its place when the widget that has it disappears.
  public func keepsFocusInPlace() { _ = FocusKeeper(self) }

  /// Shows a window or raises it.
  public func presentWindow() { gtk_window_present(cast()) }

  /// Asks a window to close, as its close button does.
  public func closeWindow() { gtk_window_close(cast()) }

  /// Removes a window immediately, without asking it.
  public func destroyWindow() { gtk_window_destroy(cast()) }

  /// The size in pixels that a window has when it isn't maximised.
  public var windowSize: (width: Int, height: Int) {
    get {
      var (width, height): (gint, gint) = (0, 0)
      gtk_window_get_default_size(cast(), &width, &height)
      return (Int(width), Int(height))
    }
    nonmutating set {
      gtk_window_set_default_size(cast(), gint(clamping: newValue.width), gint(clamping: newValue.height))
    }
  }

  /// Whether a window fills the screen.
  public var isMaximised: Bool { gtk_window_is_maximized(cast()) != 0 }

  /// Makes a window fill the screen.
  public func maximise() {
    gtk_window_maximize(cast())
  }

  /// Whether the keyboard acts on this window.
  public var isActive: Bool { gtk_window_is_active(cast()) != 0 }

  /// Takes the focus from everything in this window. Keys still reach the window.
  public func clearFocus() {
    gtk_window_set_focus(cast(), nil)
    FocusKeeper.accept(in: self)
  }

  /// Shows the ring around the focus for a moment, as a key does.
  public func showFocus() { gtk_window_set_focus_visible(cast(), 1) }

  /// The widget of this window that has the focus.
  public var focusedWidget: Widget? { gtk_window_get_focus(cast()) }

  /// Calls `handler` when this window is shown or hidden, which includes minimising.
  public func onVisibility(_ handler: @escaping @MainActor (Bool) -> Void) {
    // Only the surface knows whether it is minimised, and it exists only while the window is realised.
    on("map") {
      handler(true)
      guard let surface = gtk_native_get_surface(cast()) else { return }
      surface.onChange(of: "state") {
        handler(gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue == 0)
      }
    }
    on("unmap") { handler(false) }
  }
}
