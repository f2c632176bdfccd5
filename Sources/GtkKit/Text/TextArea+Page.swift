import CGtk

/// A page with a heading and a text. It edits the text of a text area.
@MainActor public struct TextPage {
  public let widget: Widget
  let view: Widget

  /// Moves the focus to the text, without moving the cursor.
  public func focus() { view.focus() }
}

extension TextArea {
  /// The length of a line that is easy to read, in characters.
  private static let measure = 66

  /// Makes a page that edits the same text: it shares the area's text, cursor and undo history.
  /// - Parameters:
  ///   - heading: the widget above the text.
  ///   - corner: a widget in the upper corner.
  ///   - onSubmit: called by Ctrl+Enter.
  public func page(heading: Widget, corner: Widget, onSubmit: @escaping @MainActor () -> Void) -> TextPage {
    let view: Widget = gtk_text_view_new_with_buffer(buffer)
    gtk_text_view_set_wrap_mode(view.cast(), GTK_WRAP_WORD_CHAR)
    gtk_text_view_set_accepts_tab(view.cast(), 0)
    // Long lines are easier to read with more space between them.
    gtk_text_view_set_pixels_inside_wrap(view.cast(), 6)
    gtk_text_view_set_pixels_below_lines(view.cast(), 6)
    view.css("journal").accessibleName(name)
    spelling?.attach(to: view)
    followComposition(in: view)
    view.onShortcut("<Control>Return", onSubmit)
    let counter = label("", "hint", "numeric").halign(.end)
    for property in ["label", "visible"] {
      g_object_bind_property(self.counter, property, counter, property, G_BINDING_SYNC_CREATE)
    }
    let side = 18
    let text = column(spacing: 16, heading, scrolled(view), counter).margin(
      top: 36, bottom: 24, start: side, end: side)
    let clamp = clamp(text.vexpand())
    // The font depends on the style, which a widget has only in a window.
    view.on("map") {
      let width = gint(view.characterWidth * Double(TextArea.measure)) + 2 * gint(side)
      adw_clamp_set_maximum_size(clamp.cast(), width)
      adw_clamp_set_tightening_threshold(clamp.cast(), width)
    }
    let widget = column(corner.halign(.end).margin(top: 12, end: 12), clamp.vexpand()).css("text-page")
    return TextPage(widget: widget, view: view)
  }

  /// Moves the focus to the text, without moving the cursor.
  public func focusAtCursor() { view.focus() }

  /// Whether the text has the focus.
  public var hasFocus: Bool { gtk_widget_is_focus(view) != 0 }
}

extension Widget {
  /// The average width of a letter of this widget's font, in pixels.
  @MainActor fileprivate var characterWidth: Double {
    guard let metrics = pango_context_get_metrics(gtk_widget_get_pango_context(self), nil, nil) else { return 10 }
    defer { pango_font_metrics_unref(metrics) }
    return Double(pango_font_metrics_get_approximate_char_width(metrics)) / Double(PANGO_SCALE)
  }
}
