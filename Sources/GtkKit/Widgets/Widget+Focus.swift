import CGtk

@MainActor extension Widget {
  /// Moves the focus to this widget, or to its first descendant that takes it.
  /// - Returns: whether it has the focus now.
  @discardableResult
  public func focus() -> Bool {
    let isFocused = gtk_widget_grab_focus(self) != 0
    if isFocused { FocusKeeper.accept(in: self) }
    return isFocused
  }

  /// Moves the focus to the first descendant that Tab would reach from before this widget.
  /// - Returns: whether there is one.
  @discardableResult
  public func focusFirst() -> Bool {
    // From a descendant with the focus, GTK would go on to the next one.
    releaseFocus()
    guard gtk_widget_child_focus(self, GTK_DIR_TAB_FORWARD) != 0 else { return false }
    FocusKeeper.accept(in: self)
    return true
  }

  /// Takes the focus from this widget and its descendants before they are hidden. GTK would give it to another widget,
  /// which the keys that are still being typed would use.
  public func releaseFocus() {
    if containsFocus, let root = gtk_widget_get_root(self) { gtk_root_set_focus(root, nil) }
  }

  /// Sets whether the widget takes the focus.
  @discardableResult
  public func focusable(_ isFocusable: Bool) -> Widget {
    gtk_widget_set_focusable(self, isFocusable.gboolean)
    return self
  }

  /// Whether the widget takes the focus.
  public var isFocusable: Bool { gtk_widget_get_focusable(self) != 0 }

  /// Whether the keyboard acts on this widget.
  public var hasFocus: Bool { gtk_widget_has_focus(self) != 0 }

  /// Whether this widget or a descendant has the focus of its window, even if another window is active.
  public var containsFocus: Bool {
    guard let focused = gtk_widget_get_root(self).flatMap({ gtk_root_get_focus($0) }) else { return false }
    return focused == self || contains(focused)
  }

  /// Whether letters are typed into this widget.
  public var takesLetters: Bool { isA(gtk_text_get_type()) || isA(gtk_text_view_get_type()) }

  /// The child in which the focus is, or last was.
  public var focusedChild: Widget? { gtk_widget_get_focus_child(self) }
}
