import CGtk

/// Scrolls a child vertically.
/// - Parameter maxHeight: the maximum height that it requests for its child, in pixels.
@MainActor public func scrolled(_ child: Widget, maxHeight: Int? = nil) -> Widget {
  let scrolled: Widget = gtk_scrolled_window_new()
  gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
  gtk_scrolled_window_set_child(scrolled.cast(), child)
  // A scrolled window would take the focus without an accessible name; its content can be reached by keys.
  gtk_widget_set_focusable(scrolled, 0)
  scrolled.css("page-scroller").passOnIdleWheel()
  if let maxHeight {
    gtk_scrolled_window_set_propagate_natural_height(scrolled.cast(), 1)
    gtk_scrolled_window_set_max_content_height(scrolled.cast(), gint(maxHeight))
  }
  return scrolled.vexpand()
}

/// The number of pixels that one turn of the wheel scrolls sideways.
private let wheelStep = 60.0

/// Keeps a child on one line that is scrolled sideways if it doesn't fit: by touch, by the wheel and by the focus.
@MainActor public func scrolledSideways(_ child: Widget) -> Widget {
  let scrolled: Widget = gtk_scrolled_window_new()
  // Without a scroll bar, which would cover the child.
  gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER)
  let viewport: Widget = gtk_viewport_new(nil, nil)
  gtk_scrollable_set_hscroll_policy(viewport.cast(), GTK_SCROLL_NATURAL)
  gtk_viewport_set_scroll_to_focus(viewport.cast(), 1)
  gtk_viewport_set_child(viewport.cast(), child)
  gtk_scrolled_window_set_child(scrolled.cast(), viewport)
  gtk_widget_set_focusable(scrolled, 0)
  scrolled.css("sideways")
  viewport.onWheel { turns in
    guard let adjustment = gtk_scrolled_window_get_hadjustment(scrolled.cast()),
      gtk_adjustment_get_upper(adjustment) > gtk_adjustment_get_page_size(adjustment)
    else { return false }
    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + turns * wheelStep)
    return true
  }
  return scrolled
}

@MainActor extension Widget {
  /// Leaves the wheel to a scrolled widget around this one while this one has nothing to scroll. GTK's own controllers
  /// consume each turn.
  fileprivate func passOnIdleWheel() {
    guard let adjustment = gtk_scrolled_window_get_vadjustment(cast()) else { return }
    let controllers = controllers(of: gtk_event_controller_scroll_get_type())
      .map { ($0, gtk_event_controller_get_propagation_phase($0)) }
    func update() {
      let scrolls = gtk_adjustment_get_upper(adjustment) > gtk_adjustment_get_page_size(adjustment)
      for (controller, phase) in controllers {
        gtk_event_controller_set_propagation_phase(controller, scrolls ? phase : GTK_PHASE_NONE)
      }
    }
    update()
    adjustment.on("changed") { update() }
  }

  /// Calls `handler` whenever this `scrolled` widget is scrolled, with the distances in pixels from the top and to the
  /// end. This may happen while sizes are allocated, when nothing may change its size.
  public func onScroll(_ handler: @escaping @MainActor (_ top: Double, _ end: Double) -> Void) {
    guard let adjustment = gtk_scrolled_window_get_vadjustment(cast()) else { return }
    adjustment.on("value-changed") {
      let top = gtk_adjustment_get_value(adjustment)
      handler(top, gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment) - top)
    }
  }

  /// Moves what this `scrolled` widget shows by a distance in pixels, downwards positive.
  public func scroll(by distance: Double) {
    guard let adjustment = gtk_scrolled_window_get_vadjustment(cast()) else { return }
    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + distance)
  }

  /// Moves what this `scrolled` widget shows by a number of its heights, less a few lines.
  func scroll(pages: Double) { scroll(by: pages * Double(gtk_widget_get_height(self)) * 0.9) }

  /// Scrolls the area around this widget, if there is one, until it is visible.
  public func scrollIntoView() {
    gtk_widget_get_ancestor(self, gtk_scrolled_window_get_type())?.scroll(to: self)
  }

  /// Scrolls this `scrolled` widget as little as needed to show a descendant, once it is laid out. The top is shown of
  /// one that is higher than the page.
  /// - Parameter margin: what is shown above or below it, in pixels.
  public func scroll(to part: Widget, margin: Double = 10) {
    let kept = Reference(retaining: part)
    onFrame { [self] in
      defer { withExtendedLifetime(kept) {} }
      var bounds = graphene_rect_t()
      // With its padding and border.
      guard gtk_widget_compute_bounds(part, self, &bounds) != 0 else { return false }
      let top = Double(bounds.origin.y) - margin
      let bottom = Double(bounds.origin.y + bounds.size.height) + margin
      scroll(by: min(top, max(bottom - Double(gtk_widget_get_height(self)), 0)))
      return false
    }
    redraw()
  }

  /// Calls `handler` after the height of what this `scrolled` widget shows, or its own height, has changed.
  func onHeightChange(_ handler: @escaping @MainActor () -> Void) {
    guard let adjustment = gtk_scrolled_window_get_vadjustment(cast()) else { return }
    // Sizes are being allocated: nothing may change them now.
    adjustment.on("changed") { Task(operation: handler) }
  }

  /// What stays in sight below the line that is written, in pixels: more than the fading edge.
  private static var spaceBelowCaret: Double { 44 }

  /// Scrolls this `scrolled` widget as little as needed to show the line that is being written, if a text view in it
  /// has the focus. The text view is in a frame that scrolls by itself.
  func scrollToCaret() {
    guard let view = gtk_widget_get_root(self)?.widget.focusedWidget, view.isA(gtk_text_view_get_type()),
      contains(view), let frame = view.parent, let buffer = gtk_text_view_get_buffer(view.cast())
    else { return }
    var caret = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(buffer, &caret, gtk_text_buffer_get_insert(buffer))
    var line = GdkRectangle()
    gtk_text_view_get_iter_location(view.cast(), &caret, &line)
    var (x, y): (gint, gint) = (0, 0)
    gtk_text_view_buffer_to_window_coords(view.cast(), GTK_TEXT_WINDOW_WIDGET, line.x, line.y, &x, &y)
    var (left, top) = (0.0, 0.0)
    var bounds = graphene_rect_t()
    guard gtk_widget_translate_coordinates(view, self, Double(x), Double(y), &left, &top) != 0,
      gtk_widget_compute_bounds(frame, self, &bounds) != 0
    else { return }
    let (least, most) = (Double(bounds.origin.y), Double(bounds.origin.y + bounds.size.height))
    let bottom = min(top + Double(line.height), most) + Widget.spaceBelowCaret
    top = max(top, least) - Widget.spaceBelowCaret
    scroll(by: min(top, max(bottom - Double(gtk_widget_get_height(self)), 0)))
  }

  /// Scrolls a `scrolled` to its start.
  public func scrollToTop() {
    gtk_scrolled_window_get_vadjustment(cast()).map { gtk_adjustment_set_value($0, 0) }
  }

  /// Calls `handler` whenever a `scrolled` reaches its lower end.
  public func onScrolledToEnd(_ handler: @escaping @MainActor () -> Void) {
    onPosition("edge-reached") { if $0 == Int(GTK_POS_BOTTOM.rawValue) { handler() } }
  }
}
