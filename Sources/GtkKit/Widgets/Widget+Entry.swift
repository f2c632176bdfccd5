import CGtk
import CShim

/// A single-line field. `name` is the accessible name; the placeholder shows while it is empty.
@MainActor public func entry(
  name: String, placeholder: String = "", text: String = "", onChange: (@MainActor () -> Void)? = nil
) -> Widget {
  let entry: Widget = gtk_entry_new()
  gtk_entry_set_placeholder_text(entry.cast(), placeholder)
  gtk_editable_set_text(entry.cast(), text)
  // Otherwise the field requests the width of twenty characters and keeps a narrow window from shrinking.
  gtk_editable_set_width_chars(entry.cast(), 4)
  entry.followComposition()
  if let onChange { entry.onTextChange(onChange) }
  return entry.accessibleName(name)
}

/// A search field that calls `onChange` with every key, and `onStop` for Esc.
@MainActor public func liveSearchEntry(
  name: String, onChange: @escaping @MainActor () -> Void, onStop: @escaping @MainActor () -> Void
) -> Widget {
  let entry: Widget = gtk_search_entry_new()
  trunk_placeholder(entry, name)
  gtk_editable_set_width_chars(entry.cast(), 4)
  entry.followComposition()
  entry.onTextChange(onChange)
  entry.on("stop-search", onStop)
  return entry.accessibleName(name)
}

/// A search field. `onChange` is called shortly after the last key.
@MainActor public func searchEntry(
  name: String, placeholder: String? = nil, onChange: @escaping @MainActor () -> Void
) -> Widget {
  let entry: Widget = gtk_search_entry_new()
  trunk_placeholder(entry, placeholder ?? name)
  gtk_editable_set_width_chars(entry.cast(), 4)
  entry.followComposition()
  entry.on("search-changed", onChange)
  // Esc clears the search.
  entry.on("stop-search") { entry.text = "" }
  return entry.accessibleName(name)
}

/// A field for a code of digits, as wide as this many characters. Enter presses the window's default button.
@MainActor public func codeEntry(name: String, placeholder: String, width: Int) -> Widget {
  let entry = entry(name: name, placeholder: placeholder)
  gtk_editable_set_alignment(entry.cast(), 0.5)
  gtk_editable_set_width_chars(entry.cast(), gint(width))
  gtk_entry_set_input_purpose(entry.cast(), GTK_INPUT_PURPOSE_DIGITS)
  return entry.activatesDefault()
}

@MainActor extension Widget {
  /// The text of an entry or an entry row as it is on the screen: with the text that an input method composes.
  public var text: String {
    get { Composition.of(self)?.fullText ?? String(cString: gtk_editable_get_text(cast())) }
    nonmutating set {
      Composition.of(self)?.discard()
      gtk_editable_set_text(cast(), newValue)
    }
  }

  /// Calls `handler` when the `text` of an entry or an entry row changes, also while an input method composes it.
  @discardableResult
  public func onTextChange(_ handler: @escaping @MainActor () -> Void) -> Connection {
    Composition.of(self)?.onChange.append(handler)
    return on("changed", handler)
  }

  /// Counts what an input method composes in an entry as a part of its text.
  func followComposition() {
    if let delegate = gtk_editable_get_delegate(cast()) { Composition(of: delegate.widget) }
  }

  /// Lets Enter in this entry press the window's default button.
  @discardableResult
  public func activatesDefault() -> Widget {
    gtk_entry_set_activates_default(cast(), 1)
    return self
  }

  /// Sets the width of an entry, in characters.
  public func fieldWidth(_ count: Int) {
    gtk_editable_set_width_chars(cast(), gint(count))
    gtk_editable_set_max_width_chars(cast(), gint(count))
  }

  /// Selects all text of an entry, so that typing replaces it.
  public func selectAll() {
    gtk_editable_select_region(cast(), 0, -1)
  }

  /// Moves the cursor of an entry to the end, so that typing continues the text.
  public func moveCursorToEnd() {
    gtk_editable_set_position(cast(), -1)
  }
}
