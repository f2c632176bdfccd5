import CGtk
import CShim

/// What screen readers know of a widget.
@MainActor extension Widget {
  /// Sets the accessible name. Required where no label shows one.
  @discardableResult
  public func accessibleName(_ name: String) -> Widget {
    trunk_accessible_label(self, oneLine(name))
    return self
  }

  /// Sets the accessible description, which a screen reader adds to the name.
  @discardableResult
  public func accessibleDescription(_ description: String) -> Widget {
    trunk_accessible_description(self, clamped(description))
    return self
  }

  /// Takes the accessible name from another widget, for example an entry from its caption.
  @discardableResult
  public func accessibleName(from label: Widget) -> Widget {
    trunk_accessible_labelled_by(self, label)
    return self
  }

  /// Hides a part that isn't visible from screen readers, for example a stack's hidden page.
  public func concealed(_ isConcealed: Bool) {
    trunk_accessible_hidden(self, isConcealed.gboolean)
  }

  /// Tells screen readers whether this widget is expanded.
  public func expanded(_ isExpanded: Bool) {
    trunk_accessible_expanded(self, isExpanded.gboolean)
  }

  /// Tells screen readers whether the content is invalid.
  @discardableResult
  public func invalid(_ isInvalid: Bool) -> Widget {
    trunk_accessible_invalid(self, isInvalid.gboolean)
    return css("error", when: isInvalid)
  }

  /// Hides a label without a text from screen readers, which would read its type instead.
  @discardableResult
  func concealIfEmpty() -> Widget {
    concealed(gtk_label_get_text(cast()).pointee == 0)
    return self
  }
}
