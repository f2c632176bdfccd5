import GtkKit
import TrunkAccount
import TrunkKit

/// Tells the accountModel when a window gets the focus and whether it is visible.
/// - Parameter accountModel: returns the accountModel of the garden that is shown.
func tellFocus(of window: Widget, to accountModel: @escaping @MainActor () -> AccountModel?) {
  window.onChange(of: "is-active") {
    if gtk_window_is_active(window.cast()) != 0 { accountModel()?.gainedFocus() }
  }
  // Only the surface knows whether it is minimised, and it exists only while the window is realised.
  window.on("map") {
    accountModel()?.visibilityChanged(isVisible: true)
    guard let surface = gtk_native_get_surface(window.cast()) else { return }
    surface.onChange(of: "state") {
      let isMinimised = gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue != 0
      accountModel()?.visibilityChanged(isVisible: !isMinimised)
    }
  }
  window.on("unmap") { accountModel()?.visibilityChanged(isVisible: false) }
}
