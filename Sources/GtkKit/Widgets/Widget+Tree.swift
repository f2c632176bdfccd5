import CGtk

// A widget's place among the others.
@MainActor extension Widget {
  /// The widget that contains this one.
  public var parent: Widget? { gtk_widget_get_parent(self) }

  /// The widgets directly inside this one, in order.
  public var children: [Widget] {
    var found: [Widget] = []
    var next: Widget? = gtk_widget_get_first_child(self)
    while let child = next {
      found.append(child)
      next = gtk_widget_get_next_sibling(child)
    }
    return found
  }

  /// Whether this widget contains another one, at any depth.
  public func contains(_ descendant: Widget) -> Bool {
    gtk_widget_is_ancestor(descendant, self) != 0
  }

  /// Whether it is on screen.
  public var isMapped: Bool { gtk_widget_get_mapped(self) != 0 }

  /// Whether it is visible if its parents are.
  public var isVisible: Bool { gtk_widget_get_visible(self) != 0 }

  /// Whether it and all its parents are sensitive.
  public var isSensitive: Bool { gtk_widget_is_sensitive(self) != 0 }

  /// The width in pixels; 0 before it is laid out.
  public var width: Int { Int(gtk_widget_get_width(self)) }
}
