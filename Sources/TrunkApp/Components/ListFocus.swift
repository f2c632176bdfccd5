import GtkKit

/// Moves the focus into a list whose rows may come some frames after the view is shown.
final class ListFocus {
  private let list: Widget
  private let window: Widget
  /// Whether the focus moves into the list as soon as it has rows.
  private var isAwaited = false
  /// What has the focus until then. It is only compared, because it may be gone by then.
  private var origin: Widget?

  /// - Parameters:
  ///   - list: a list view.
  ///   - window: the window that it is in.
  init(of list: Widget, in window: Widget) { (self.list, self.window) = (list, window) }

  /// Focuses the row that had the focus last, or the first one, as soon as there are rows. Until then, letters are not
  /// typed into a field.
  func move() {
    guard !list.focusRow(), list.children.isEmpty else { return }
    isAwaited = true
    if window.focusedWidget?.takesLetters == true { window.clearFocus() }
    origin = window.focusedWidget
  }

  /// Call it when rows have come.
  /// - Parameter substitute: what is shown instead of the list, if there are none.
  func settle(on substitute: Widget? = nil) {
    guard isAwaited else { return }
    isAwaited = false
    // If not, the user has moved the focus since.
    guard window.focusedWidget == origin else { return }
    if let substitute { substitute.focusFirst() } else { list.focusRow() }
  }
}
