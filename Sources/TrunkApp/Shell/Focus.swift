import Gardening
import GtkKit

/// Tells the synchroniser when a window comes to the front, and whether anything of it can be seen.
/// - Parameter synchroniser: that of the garden which is shown.
func tellFocus(of window: Widget, to synchroniser: @escaping @MainActor () -> Synchroniser?) {
  window.onChange(of: "is-active") {
    if gtk_window_is_active(window.cast()) != 0 { synchroniser()?.gainedFocus() }
  }
  // Only the surface knows whether it is minimised, and it is there only while the window is realised.
  window.on("map") {
    synchroniser()?.visibilityChanged(isVisible: true)
    guard let surface = gtk_native_get_surface(window.cast()) else { return }
    surface.onChange(of: "state") {
      let isMinimised = gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue != 0
      synchroniser()?.visibilityChanged(isVisible: !isMinimised)
    }
  }
  window.on("unmap") { synchroniser()?.visibilityChanged(isVisible: false) }
}
