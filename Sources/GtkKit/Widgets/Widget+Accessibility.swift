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

  /// Tells screen readers that the row with the focus is the selected one, in a list where none can be selected. They
  /// would otherwise say of each row that it isn't.
  func selectedByFocus() {
    guard g_object_get_data(cast(), selectedByFocusKey) == nil else { return }
    g_object_set_data(cast(), selectedByFocusKey, address)
    onFocus { [self] in trunk_accessible_selected(self, $0.gboolean) }
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

  /// Hides a part whose words are in the name or the description of another widget from screen readers, such as the
  /// texts of a row.
  /// - Parameter isReadThere: `false` if it is read by itself again.
  @discardableResult
  public func readElsewhere(_ isReadThere: Bool = true) -> Widget {
    g_object_set_data(cast(), readElsewhereKey, isReadThere ? address : nil)
    if isA(gtk_label_get_type()) { return concealIfEmpty() }
    concealed(isReadThere)
    return self
  }

  /// Hides a label without a text from screen readers, which would read its type instead.
  @discardableResult
  func concealIfEmpty() -> Widget {
    concealed(gtk_label_get_text(cast()).pointee == 0 || g_object_get_data(cast(), readElsewhereKey) != nil)
    return self
  }
}

private let selectedByFocusKey = "trunk-selected-by-focus"
private let readElsewhereKey = "trunk-read-elsewhere"
