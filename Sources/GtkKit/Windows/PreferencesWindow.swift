import CGtk
import CShim

/// A window with pages of settings and a search for their rows. Every change takes effect immediately; Esc closes it.
///
/// Its messages are in a `Foot`: libadwaita 1.2 crashes when a toast is dismissed while another one fades.
///
/// Libadwaita 1.6 deprecates `AdwPreferencesWindow`, whose successor `AdwPreferencesDialog` has the same pages.
@MainActor public final class PreferencesWindow: DialogParent {
  /// The window; its title is the accessible name.
  public let widget: Widget = adw_preferences_window_new()
  public let foot: Foot
  public private(set) var isOpen = true

  private var pages: [WeakReference] = []
  private var groups: [WeakReference] = []
  private var searchEntry: Widget?
  private var window: UnsafeMutablePointer<AdwPreferencesWindow> { widget.cast() }

  /// - Parameters:
  ///   - dismissTitle: the accessible name of a message's closing button.
  ///   - width: the preferred width in pixels; a narrow screen gets less.
  public init(over parent: Widget, title: String, dismissTitle: String, width: Int, height: Int) {
    foot = Foot(closeName: dismissTitle)
    trunk_set_dialog_role(widget)
    widget.becomeDialog(over: parent, title: title, width: width, height: height)
    if let content = adw_window_get_content(widget.cast()) {
      let reference = Reference(retaining: content)
      // It asks for 360 pixels, to which the frame of the window is added.
      content.children.first?.size(width: -1)
      adw_window_set_content(widget.cast(), nil)
      foot.setContent(reference.object.widget)
      adw_window_set_content(widget.cast(), foot.widget)
    }
    prepare(widget)
    // The search would take Enter from its results.
    widget.onKey(capture: true) { [widget] press in
      guard press.key == .enter, press.modifiers.isEmpty, let row = widget.focusedWidget,
        row.isA(gtk_list_box_row_get_type())
      else { return false }
      return gtk_widget_activate(row) != 0
    }
    widget.onChange(of: "visible-page") { [weak self] in self?.concealHiddenPages() }
    widget.on("destroy") { [weak self] in self?.destroyed() }
    widget.keeps(self)
  }

  /// Libadwaita 1.2 never frees the groups, because its search keeps a reference to them, unless they are hidden. Their
  /// content must go with the window, to save what was typed.
  private func destroyed() {
    isOpen = false
    for group in groups.compactMap(\.widget) {
      let reference = Reference(retaining: group)
      if let page = gtk_widget_get_ancestor(group, adw_preferences_page_get_type()) {
        adw_preferences_page_remove(page.cast(), group.cast())
      }
      reference.use { group in
        let object: UnsafeMutablePointer<GObject> = group.cast()
        // Releasing the last reference disposes of the group, and it can't stand that twice.
        if object.pointee.ref_count > 1 { g_object_run_dispose(object) }
      }
    }
  }

  /// Adds a page with these groups, see `settingsGroup`.
  /// - Parameter name: identifies it for `present`.
  public func addPage(_ title: String, icon: String, name: String, _ groups: [Widget]) {
    let page: Widget = adw_preferences_page_new()
    adw_preferences_page_set_title(page.cast(), title)
    adw_preferences_page_set_icon_name(page.cast(), icon)
    adw_preferences_page_set_name(page.cast(), name)
    for group in groups { adw_preferences_page_add(page.cast(), group.cast()) }
    pages.append(WeakReference(page))
    self.groups += groups.map { WeakReference($0) }
    // What scrolls the page doesn't take the focus.
    page.children.first?.focusable(false)
    adw_preferences_window_add(window, page.cast())
  }

  /// Hides all pages but the shown one from screen readers; the window hides them only visually.
  private func concealHiddenPages() {
    let shown = adw_preferences_window_get_visible_page(window)?.widget
    for page in pages.compactMap(\.widget) { page.concealed(page != shown) }
  }

  /// Prepares the search: it gets accessible names, and opening a result moves the focus to its row.
  private func prepare(_ part: Widget) {
    if part.isA(gtk_search_entry_get_type()) {
      searchEntry = part
    } else if part.isA(gtk_toggle_button_get_type()), let tip = gtk_widget_get_tooltip_text(part) {
      // Its tooltip is translated.
      for widget in [part, searchEntry] { widget?.accessibleName(String(cString: tip)) }
    } else if part.isA(gtk_scrolled_window_get_type()) {
      part.focusable(false)
    } else if part.isA(gtk_list_box_get_type()) {
      part.focusable(false)
      part.onObject("row-activated") { [weak self] row in
        let title = row.flatMap { adw_preferences_row_get_title($0.cast()) }.map { String(cString: $0) }
        // Libadwaita shows the page after this.
        Task { if let title { self?.focusRow(title) } }
      }
    }
    part.children.forEach(prepare)
  }

  /// Focuses the row with this title on the visible page.
  private func focusRow(_ title: String) {
    func row(in widget: Widget) -> Widget? {
      if widget.isA(adw_preferences_row_get_type()) {
        return String(cString: adw_preferences_row_get_title(widget.cast())) == title ? widget : nil
      }
      return widget.children.lazy.compactMap(row).first
    }
    adw_preferences_window_get_visible_page(window).flatMap { row(in: $0.widget) }?.focusFirst()
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
