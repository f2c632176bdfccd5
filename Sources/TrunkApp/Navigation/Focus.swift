import GtkKit
import TrunkAccount

/// Reports to the account model when a window gets the focus and whether it is visible.
/// - Parameter accountModel: returns the account model of the garden that is shown.
func reportFocus(of window: Widget, to accountModel: @escaping @MainActor () -> AccountModel?) {
  window.onChange(of: "is-active") {
    if window.isActive { accountModel()?.gainedFocus() }
  }
  window.onVisibility { accountModel()?.visibilityChanged(isVisible: $0) }
}
