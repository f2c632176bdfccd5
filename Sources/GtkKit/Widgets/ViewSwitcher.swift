import CGtk

/// A stack of views and its two switchers: one for a header bar, and one for the bottom of a narrow window. Libadwaita
/// 1.4 deprecates `AdwViewSwitcherTitle`.
@MainActor public final class ViewSwitcher {
  /// The switcher for the header bar. In a narrow window, it shows the title instead.
  public let widget: Widget = adw_view_switcher_title_new()
  /// The switcher for the bottom, shown only if the window is narrow.
  public var bar: Widget { reference.object.widget }

  /// The views that it switches between.
  public var stack: ViewStack? {
    didSet {
      adw_view_switcher_title_set_stack(widget.cast(), stack?.stack)
      followClicks(in: widget)
      stack?.widget.onChange(of: "visible-child") { [weak self] in self?.noteShown() }
      latest = stack?.shown ?? ""
      if adw_view_switcher_bar_get_stack(reference.object) != nil { fillBar() }
    }
  }

  /// Called when the button of the view that is shown already is clicked.
  public var onReselect: (@MainActor () -> Void)?

  private let reference = Reference(retaining: adw_view_switcher_bar_new())
  /// The view that was shown before the current click.
  private var latest = ""

  public init() {
    let (widget, reference) = (widget, reference)
    // This runs during size allocation: with an animation, the bar would be laid out before it was measured.
    widget.onChange(of: "title-visible") { [weak self] in
      let isNarrow = adw_view_switcher_title_get_title_visible(widget.cast())
      Task {
        if isNarrow != 0 { self?.fillBar() }
        adw_view_switcher_bar_set_reveal(reference.object, isNarrow)
      }
    }
  }

  /// Gives the bar its buttons, which a window that is never narrow doesn't need.
  private func fillBar() {
    adw_view_switcher_bar_set_stack(reference.object, stack?.stack)
    followClicks(in: bar)
  }

  /// Follows the clicks on the buttons of a switcher. It has new buttons for each stack.
  private func followClicks(in part: Widget) {
    for child in part.children {
      guard child.isA(gtk_toggle_button_get_type()) else {
        followClicks(in: child)
        continue
      }
      child.on("clicked") { [weak self] in
        if let self, stack?.shown == latest { onReselect?() }
      }
    }
  }

  /// A button shows its view before it reports the click.
  private func noteShown() {
    Task { latest = stack?.shown ?? "" }
  }

  /// Sets the title that a narrow window shows.
  public func setTitle(_ title: String) {
    adw_view_switcher_title_set_title(widget.cast(), title)
  }
}

/// Several views, one of which is shown.
@MainActor public final class ViewStack {
  public let widget: Widget = adw_view_stack_new()

  /// The name of the shown view; empty without views.
  public var shown: String {
    get { adw_view_stack_get_visible_child_name(stack).map { String(cString: $0) } ?? "" }
    set { adw_view_stack_set_visible_child_name(stack, newValue) }
  }

  fileprivate var stack: OpaquePointer { widget.cast() }
  private var views: [(name: String, widget: Widget)] = []

  public init() {
    // Otherwise each change is also laid out in the hidden views, to measure them.
    adw_view_stack_set_hhomogeneous(stack, 0)
    adw_view_stack_set_vhomogeneous(stack, 0)
  }

  /// Adds a view with the title and the icon of its button.
  public func add(_ view: Widget, name: String, title: String, icon: String) {
    views.append((name, view))
    adw_view_stack_add_titled(stack, view, name, title)
    adw_view_stack_page_set_icon_name(adw_view_stack_get_page(stack, view), icon)
  }

  /// Adds a view that the switchers don't offer.
  public func add(_ view: Widget, name: String) {
    views.append((name, view))
    adw_view_stack_add_named(stack, view, name)
  }

  /// Hides all views but the shown one from screen readers; the stack hides them only visually.
  public func concealHiddenViews() {
    for view in views { view.widget.concealed(view.name != shown) }
  }
}
