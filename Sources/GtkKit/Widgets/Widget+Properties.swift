import CGtk

// Properties of all widgets, chained after a builder: `label("Soil").css("hint").hexpand()`.
@MainActor extension Widget {
  /// Sets the tooltip as plain text.
  @discardableResult
  public func tooltip(_ text: String?) -> Widget {
    gtk_widget_set_tooltip_text(self, text.map { clamped($0, to: oneLineLimit) })
    return self
  }

  /// Adds style classes.
  @discardableResult
  public func css(_ classes: String...) -> Widget {
    classes.forEach { gtk_widget_add_css_class(self, $0) }
    return self
  }

  /// Adds or removes a style class.
  @discardableResult
  public func css(_ name: String, when isSet: Bool) -> Widget {
    if isSet {
      gtk_widget_add_css_class(self, name)
    } else {
      gtk_widget_remove_css_class(self, name)
    }
    return self
  }

  /// Sets all margins, in pixels.
  @discardableResult
  public func margin(_ all: Int) -> Widget {
    margin(top: all, bottom: all, start: all, end: all)
  }

  /// Sets margins in pixels. Sides that are not given keep theirs.
  @discardableResult
  public func margin(
    top: Int? = nil, bottom: Int? = nil, start: Int? = nil, end: Int? = nil
  ) -> Widget {
    if let top { gtk_widget_set_margin_top(self, gint(top)) }
    if let bottom { gtk_widget_set_margin_bottom(self, gint(bottom)) }
    if let start { gtk_widget_set_margin_start(self, gint(start)) }
    if let end { gtk_widget_set_margin_end(self, gint(end)) }
    return self
  }

  /// Expands horizontally.
  @discardableResult
  public func hexpand(_ isSet: Bool = true) -> Widget {
    gtk_widget_set_hexpand(self, isSet.gboolean)
    return self
  }

  /// Expands vertically.
  @discardableResult
  public func vexpand(_ isSet: Bool = true) -> Widget {
    gtk_widget_set_vexpand(self, isSet.gboolean)
    return self
  }

  /// Sets the horizontal alignment.
  @discardableResult
  public func halign(_ horizontal: GtkAlign) -> Widget {
    gtk_widget_set_halign(self, horizontal)
    return self
  }

  /// Sets the vertical alignment.
  @discardableResult
  public func valign(_ vertical: GtkAlign) -> Widget {
    gtk_widget_set_valign(self, vertical)
    return self
  }

  /// Sets the minimum size in pixels; -1 leaves a dimension unset.
  @discardableResult
  public func size(width: Int = -1, height: Int = -1) -> Widget {
    gtk_widget_set_size_request(self, gint(width), gint(height))
    return self
  }

  /// The natural height in pixels at a width, including margins.
  public func height(at width: Int) -> Int {
    var (least, natural): (gint, gint) = (0, 0)
    gtk_widget_measure(self, GTK_ORIENTATION_VERTICAL, gint(width), &least, &natural, nil, nil)
    return Int(natural)
  }

  /// Sets whether the widget receives clicks and pointer events. Otherwise the widget behind it receives them.
  @discardableResult
  public func targetable(_ isTargetable: Bool) -> Widget {
    gtk_widget_set_can_target(self, isTargetable.gboolean)
    return self
  }

  /// Sets how much it can be seen, from 0 to 1. It keeps its place.
  @discardableResult
  public func opacity(_ opacity: Double) -> Widget {
    gtk_widget_set_opacity(self, opacity)
    return self
  }

  /// Sets whether it is visible.
  @discardableResult
  public func visible(_ isVisible: Bool) -> Widget {
    gtk_widget_set_visible(self, isVisible.gboolean)
    return self
  }

  /// Hides it, for eyes, pointer, keys and screen readers, but keeps its place empty.
  public func isAway(_ isAway: Bool) {
    gtk_widget_set_opacity(self, isAway ? 0 : 1)
    gtk_widget_set_can_focus(self, (!isAway).gboolean)
    targetable(!isAway).concealed(isAway)
  }

  /// Sets whether it is sensitive.
  @discardableResult
  public func sensitive(_ isSensitive: Bool) -> Widget {
    gtk_widget_set_sensitive(self, isSensitive.gboolean)
    return self
  }

  /// Sets the text of a label or a button, or the title of a row, clamped to what it can show.
  public func setText(_ text: String) {
    if isA(gtk_label_get_type()) {
      let wraps = gtk_label_get_wrap(cast()) != 0
      gtk_label_set_text(cast(), wraps ? clamped(text) : oneLine(text))
      concealIfEmpty()
    } else if isA(gtk_button_get_type()) {
      gtk_button_set_label(cast(), oneLine(text))
    } else if isA(adw_preferences_row_get_type()) {
      adw_preferences_row_set_title(cast(), oneLine(text))
    }
  }

  /// Sets the text of a label as Pango markup. Every part from outside the program must be `escaped`.
  public func setMarkup(_ markup: String) {
    gtk_label_set_markup(cast(), markup)
    concealIfEmpty()
  }

  /// Keeps a controller alive as long as this widget. The controller must not hold a `Reference` to the widget.
  @discardableResult
  public func keeps(_ controller: AnyObject) -> Widget {
    let address = Unmanaged.passRetained(controller).toOpaque()
    g_object_set_data_full(cast(), "trunk-keeps-\(address)", address, releaseHandler)
    return self
  }

  /// Shows the pointer as a hand or as the usual arrow.
  public func showsHand(_ isHand: Bool) { gtk_widget_set_cursor_from_name(self, isHand ? "pointer" : nil) }

  /// The fonts of this widget, as a `PangoContext`.
  public var textContext: OpaquePointer { gtk_widget_get_pango_context(self) }

  /// The number of the screen's pixels per pixel of the widget.
  public var scaleFactor: Int { Int(gtk_widget_get_scale_factor(self)) }

  /// Whether animations are enabled; `false` with reduced motion.
  public var mayMove: Bool { adw_get_enable_animations(self) != 0 }
}

@MainActor extension Widget {
  /// Copies a text to the clipboard.
  public func copy(_ text: String) {
    gdk_clipboard_set_text(gtk_widget_get_clipboard(self), text)
  }
}
