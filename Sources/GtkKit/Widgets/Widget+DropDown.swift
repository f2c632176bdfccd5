import CGtk

/// A drop-down list. `selected` is an index.
@MainActor public func dropDown(
  name: String, _ items: [String], selected: Int = 0, onSelect: @escaping @MainActor (Int) -> Void
) -> Widget {
  let dropDown: Widget = gtk_drop_down_new(strings(items), nil)

  // GTK's default rows leave the focusable widget without an accessible name. In the button it needn't be focusable.
  let inButton = factory(row: { _ in label("") }) { row, text in
    row.setText(text)
    if let place = gtk_widget_get_parent(row) { gtk_widget_set_focusable(place, 0) }
  }
  inButton.use { gtk_drop_down_set_factory(dropDown.cast(), $0.cast()) }
  listRows().use { gtk_drop_down_set_list_factory(dropDown.cast(), $0.cast()) }

  gtk_drop_down_set_selected(dropDown.cast(), guint(clamping: selected))
  dropDown.onChange(of: "selected") {
    // An empty list has no selected item.
    if let position = dropDown.selectedItem { onSelect(position) }
  }
  nameParts(of: dropDown, name)
  return dropDown.accessibleName(name)
}

/// A row of a boxed list with a caption and a drop-down list. It has no items until `setItems`.
@MainActor public func comboRow(_ title: String) -> Widget {
  let row: Widget = adw_combo_row_new()
  adw_preferences_row_set_use_markup(row.cast(), 0)
  adw_preferences_row_set_title(row.cast(), oneLine(title))
  // Show the selection under the caption, where a long text has the full width, and as plain text instead of a list of
  // one item.
  adw_combo_row_set_use_subtitle(row.cast(), 1)
  adw_action_row_set_subtitle_lines(row.cast(), 2)
  listRows().use { adw_combo_row_set_list_factory(row.cast(), $0.cast()) }
  nameParts(of: row, title)
  // Otherwise Enter on this row would press the window's default button.
  gtk_widget_set_receives_default(row, 1)
  return row.css("pick").accessibleName(title).offersActivation()
}

@MainActor extension Widget {
  /// The index of the selected item of a drop-down list or a combo row; `nil` if none is selected, for example while
  /// the items change.
  public var selectedItem: Int? {
    get {
      let isDropDown = isA(gtk_drop_down_get_type())
      let position = isDropDown ? gtk_drop_down_get_selected(cast()) : adw_combo_row_get_selected(cast())
      return position == guint.max ? nil : Int(position)
    }
    nonmutating set {
      let position = newValue.map { guint(clamping: $0) } ?? guint.max
      if isA(gtk_drop_down_get_type()) {
        gtk_drop_down_set_selected(cast(), position)
      } else {
        adw_combo_row_set_selected(cast(), position)
      }
    }
  }

  /// Replaces the items of a combo row.
  public func setItems(_ items: [String]) {
    Reference(adopting: strings(items)).use { adw_combo_row_set_model(cast(), $0) }
  }
}

@MainActor private func strings(_ items: [String]) -> OpaquePointer {
  let strings: OpaquePointer = gtk_string_list_new(nil)
  items.forEach { gtk_string_list_append(strings, oneLine($0)) }
  return strings
}

/// Names the button and the list, which take the focus. The scrolled window around the list must not take it.
@MainActor private func nameParts(of widget: Widget, _ name: String) {
  if widget.isA(gtk_scrolled_window_get_type()) { gtk_widget_set_focusable(widget, 0) }
  if widget.isA(gtk_list_view_get_type()) || widget.isA(gtk_button_get_type()) { widget.accessibleName(name) }
  for part in widget.children { nameParts(of: part, name) }
}

/// Creates the rows of the opened list, each with an accessible name.
@MainActor private func listRows() -> Reference {
  factory(row: listRow) { row, text in
    gtk_widget_get_first_child(row)?.setText(text)
    gtk_widget_get_parent(row)?.accessibleName(text).offersActivation()
  }
}

/// A text, followed by a check mark if it is selected.
@MainActor private func listRow(for item: OpaquePointer) -> Widget {
  let mark = icon("object-select-symbolic").visible(false)
  item.onChange(of: "selected") { mark.visible(gtk_list_item_get_selected(item) != 0) }
  return line(spacing: 10, label("").hexpand(), mark)
}

/// Creates rows for list items that contain a string.
@MainActor private func factory(
  row: @escaping @MainActor (OpaquePointer) -> Widget,
  show: @escaping @MainActor (Widget, String) -> Void
) -> Reference {
  let factory = Reference(adopting: gtk_signal_list_item_factory_new())
  factory.object.onObject("setup") { item in
    guard let item else { return }
    gtk_list_item_set_child(item, row(item))
  }
  factory.object.onObject("bind") { item in
    guard let item, let row = gtk_list_item_get_child(item), let value = gtk_list_item_get_item(item),
      let text = gtk_string_object_get_string(OpaquePointer(value))
    else { return }
    show(row, String(cString: text))
  }
  return factory
}
