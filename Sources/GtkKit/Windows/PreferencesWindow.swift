import CGtk
import CShim

/// A window with pages of settings and a search for their rows. Every change takes effect immediately; Esc closes it.
///
/// Libadwaita 1.6 deprecates `AdwPreferencesWindow`, whose successor `AdwPreferencesDialog` has the same pages.
@MainActor public final class PreferencesWindow: DialogParent {
  /// The window; its title is the accessible name.
  public let widget: Widget = trunk_preferences_window_new()
  public let toaster: Toaster
  public private(set) var isOpen = true

  private var groups: [(page: Widget, group: Widget)] = []
  private var window: UnsafeMutablePointer<AdwPreferencesWindow> { widget.cast() }

  /// - Parameters:
  ///   - dismissTitle: the accessible name of a toast's closing button.
  ///   - width: the preferred width in pixels; a narrow screen gets less.
  public init(over parent: Widget, title: String, dismissTitle: String, width: Int, height: Int) {
    toaster = Toaster(closeName: dismissTitle)
    gtk_window_set_title(widget.cast(), oneLine(title))
    gtk_window_set_default_size(widget.cast(), gint(width), gint(height))
    gtk_window_set_modal(widget.cast(), 1)
    widget.size(width: minDialogWidth)
    widget.place(over: parent, width: width, height: height)
    if let content = adw_window_get_content(widget.cast()) {
      let reference = Reference(retaining: content)
      // It asks for 360 pixels, to which the frame of the window is added.
      content.children.first?.size(width: -1)
      adw_window_set_content(widget.cast(), nil)
      toaster.setContent(reference.object.widget)
      adw_window_set_content(widget.cast(), toaster.widget)
    }
    nameParts(of: widget)
    widget.on("destroy") { [weak self] in self?.destroyed() }
    widget.keeps(self)
  }

  /// Libadwaita 1.2 never frees the groups, because its search keeps a reference to them. Their content must go with
  /// the window, to save what was typed.
  private func destroyed() {
    isOpen = false
    for (page, group) in groups {
      g_object_ref(group)
      defer { g_object_unref(group) }
      adw_preferences_page_remove(page.cast(), group.cast())
      g_object_run_dispose(group.cast())
    }
  }

  /// Adds a page with these groups, see `settingsGroup`.
  /// - Parameter name: identifies it for `show`.
  public func addPage(_ title: String, icon: String, name: String, _ groups: [Widget]) {
    let page: Widget = adw_preferences_page_new()
    adw_preferences_page_set_title(page.cast(), title)
    adw_preferences_page_set_icon_name(page.cast(), icon)
    adw_preferences_page_set_name(page.cast(), name)
    for group in groups { adw_preferences_page_add(page.cast(), group.cast()) }
    self.groups += groups.map { (page, $0) }
    nameParts(of: page)
    adw_preferences_window_add(window, page.cast())
  }

  /// Gives the button of the search its name, and keeps the focus from what scrolls the pages.
  private func nameParts(of widget: Widget) {
    if widget.isA(gtk_toggle_button_get_type()), let tip = gtk_widget_get_tooltip_text(widget) {
      widget.accessibleName(String(cString: tip))
    }
    if widget.isA(gtk_scrolled_window_get_type()) { widget.focusable(false) }
    for part in widget.children where !part.isA(adw_preferences_group_get_type()) { nameParts(of: part) }
  }

  /// Shows the window with this page, and focuses its first control.
  public func present(page name: String) {
    adw_preferences_window_set_visible_page_name(window, name)
    gtk_window_present(widget.cast())
    adw_preferences_window_get_visible_page(window)?.widget.focusFirst()
    // GTK selects the whole text of a field, which the first key pressed by accident would replace.
    if let field = widget.focusedWidget, field.isA(gtk_text_get_type()) { field.moveCursorToEnd() }
  }
}
