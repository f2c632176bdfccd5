import CGtk

/// A window that has messages, and over which dialogs open.
@MainActor public protocol DialogParent: AnyObject {
  var widget: Widget { get }
  var foot: Foot { get }
  /// `false` after the window and all its widgets are destroyed.
  var isOpen: Bool { get }
}

/// The least width of a dialog, in pixels.
private let minDialogWidth = 340

@MainActor extension Widget {
  /// Makes a window a modal dialog of this size. If there is a window below, it is tied to that and no wider.
  func becomeDialog(over parent: Widget?, title: String, width: Int, height: Int) {
    gtk_window_set_title(cast(), oneLine(title))
    gtk_window_set_default_size(cast(), gint(width), gint(height))
    gtk_window_set_modal(cast(), 1)
    size(width: minDialogWidth)
    takesFocusFromRemoved()
    guard let parent else { return }
    gtk_window_set_transient_for(cast(), parent.cast())
    // A parent that isn't shown yet has no width.
    let most = max(parent.width, minDialogWidth)
    if parent.width > 0, width > most { gtk_window_set_default_size(cast(), gint(most), gint(height)) }
    // Enables the application's keys, such as Ctrl+Q.
    gtk_window_set_application(cast(), gtk_window_get_application(parent.cast()))
  }
}
