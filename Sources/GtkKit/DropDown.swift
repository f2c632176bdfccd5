import CGtk

/// A list to pick one from. `selected` counts from 0.
@MainActor public func dropDown(
  name: String, _ items: [String], selected: Int = 0, onSelect: @escaping @MainActor (Int) -> Void
) -> Widget {
  let strings = gtk_string_list_new(nil)
  items.forEach { gtk_string_list_append(strings, oneLine($0)) }
  let dropDown: Widget = gtk_drop_down_new(strings, nil)

  // GTK's own rows leave the part that takes the focus without a name. In the button there is none to take.
  let inButton = factory(row: { _ in label("") }) { row, text in
    row.setText(text)
    if let place = gtk_widget_get_parent(row) { gtk_widget_set_focusable(place, 0) }
  }
  inButton.use { gtk_drop_down_set_factory(dropDown.cast(), $0.cast()) }
  listRows().use { gtk_drop_down_set_list_factory(dropDown.cast(), $0.cast()) }

  gtk_drop_down_set_selected(dropDown.cast(), guint(clamping: selected))
  dropDown.onChange(of: "selected") {
    let position = gtk_drop_down_get_selected(dropDown.cast())
    // Nothing is selected while the list is empty.
    if position != guint.max { onSelect(Int(position)) }
  }
  nameParts(of: dropDown, name)
  return dropDown.named(name)
}

/// A row of a boxed list that offers a list to pick one from, with its caption inside. It has no items yet: give it a
/// model of strings.
@MainActor public func comboRow(_ title: String) -> Widget {
  let row: Widget = adw_combo_row_new()
  adw_preferences_row_set_use_markup(row.cast(), 0)
  adw_preferences_row_set_title(row.cast(), oneLine(title))
  // Under the caption, where a long text has the whole width; and as plain text, without a list of one in the row.
  adw_combo_row_set_use_subtitle(row.cast(), 1)
  adw_action_row_set_subtitle_lines(row.cast(), 2)
  listRows().use { adw_combo_row_set_list_factory(row.cast(), $0.cast()) }
  nameParts(of: row, title)
  // Otherwise Enter on this row would do the deed of the window.
  gtk_widget_set_receives_default(row, 1)
  return row.css("pick").named(title).offersActivation()
}

/// The button and the list take the focus, and the scrolled window around the list would too.
@MainActor private func nameParts(of widget: Widget, _ name: String) {
  if widget.isA(gtk_scrolled_window_get_type()) { gtk_widget_set_focusable(widget, 0) }
  if widget.isA(gtk_list_view_get_type()) || widget.isA(gtk_button_get_type()) { widget.named(name) }
  var child = gtk_widget_get_first_child(widget)
  while let part = child {
    nameParts(of: part, name)
    child = gtk_widget_get_next_sibling(part)
  }
}

/// The rows of the list that opens, each named for a screen reader.
@MainActor private func listRows() -> Reference {
  factory(row: listRow) { row, text in
    gtk_widget_get_first_child(row)?.setText(text)
    gtk_widget_get_parent(row)?.named(text).offersActivation()
  }
}

/// A text with a mark behind it while it is the selected one.
@MainActor private func listRow(for item: OpaquePointer) -> Widget {
  let mark = icon("object-select-symbolic").visible(false)
  item.onChange(of: "selected") { mark.visible(gtk_list_item_get_selected(item) != 0) }
  return line(spacing: 10, label("").expand(), mark)
}

/// Makes rows for list items that hold a text.
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
