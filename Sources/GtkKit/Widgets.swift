import CGtk
import CShim

// The builders that views consist of. Text is shown as it is. Only `AdwActionRow` and similar widgets need escaping,
// and the builders do that.

/// Arranges children vertically.
@MainActor public func column(spacing: Int = 0, _ children: Widget...) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, gint(spacing))
  children.forEach { gtk_box_append(box.cast(), $0) }
  return box
}

/// Arranges children horizontally.
@MainActor public func line(spacing: Int = 0, _ children: Widget...) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, gint(spacing))
  children.forEach { gtk_box_append(box.cast(), $0) }
  return box
}

/// Arranges children horizontally and wraps them into lines. Those that `expand` share the remaining width.
@MainActor public func wrapping(spacing: Int = 8, _ children: Widget...) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
  children.forEach { gtk_box_append(box.cast(), $0) }
  trunk_wrap_children(box, gint(spacing))
  return box
}

/// A vertical box that screen readers present as one named group.
@MainActor public func group(_ name: String, spacing: Int = 0, _ children: Widget...) -> Widget {
  let box: Widget = trunk_group_new(gint(spacing))
  children.forEach { gtk_box_append(box.cast(), $0) }
  return box.named(name)
}

/// A single-line text, cut with an ellipsis if it is too wide.
@MainActor public func label(_ text: String, _ classes: String...) -> Widget {
  let label: Widget = gtk_label_new(oneLine(text))
  gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END)
  gtk_label_set_xalign(label.cast(), 0)
  classes.forEach { gtk_widget_add_css_class(label, $0) }
  return label
}

/// A text that wraps at words if possible, otherwise within a word. It can be selectable.
@MainActor public func paragraph(_ text: String, _ classes: String..., selectable: Bool = false) -> Widget {
  let label: Widget = gtk_label_new(clamped(text))
  gtk_label_set_wrap(label.cast(), 1)
  gtk_label_set_wrap_mode(label.cast(), PANGO_WRAP_WORD_CHAR)
  gtk_label_set_natural_wrap_mode(label.cast(), GTK_NATURAL_WRAP_NONE)
  gtk_label_set_xalign(label.cast(), 0)
  gtk_label_set_selectable(label.cast(), selectable.gboolean)
  classes.forEach { gtk_widget_add_css_class(label, $0) }
  return label
}

/// A section's heading, with a quieter note after it and an optional widget at the end.
@MainActor public func sectionHeader(_ title: String, note: String = "", end: Widget? = nil) -> Widget {
  let header = line(spacing: 10, label(title, "section-title"), label(note, "hint", "section-note").expand())
  header.css("section-header")
  if let end { header.append(end) }
  return header
}

/// A button with a text.
@MainActor public func button(
  _ title: String, _ classes: String..., action: @escaping @MainActor () -> Void
) -> Widget {
  let button = actionless(title, classes)
  button.on("clicked", action)
  return button
}

/// A button that invokes a command by its detailed name.
@MainActor public func button(_ title: String, _ classes: String..., command: String) -> Widget {
  actionless(title, classes).action(command)
}

@MainActor private func actionless(_ title: String, _ classes: [String]) -> Widget {
  let button: Widget = gtk_button_new_with_label(oneLine(title))
  classes.forEach { gtk_widget_add_css_class(button, $0) }
  return button.alignDown(GTK_ALIGN_CENTER)
}

/// A flat button with an icon; `name` is its tooltip and what a screen reader says.
@MainActor public func iconButton(
  _ icon: String, name: String, action: @escaping @MainActor () -> Void
) -> Widget {
  let button: Widget = gtk_button_new_from_icon_name(icon)
  button.on("clicked", action)
  return button.named(name).tooltip(name).css("flat").alignDown(GTK_ALIGN_CENTER)
}

/// A flat button with an icon that invokes a command.
@MainActor public func iconButton(_ icon: String, name: String, command: String) -> Widget {
  let button: Widget = gtk_button_new_from_icon_name(icon)
  return button.action(command).named(name).tooltip(name).css("flat").alignDown(GTK_ALIGN_CENTER)
}

/// A window of an application. It has the application's commands.
@MainActor public func applicationWindow(_ application: OpaquePointer) -> Widget {
  trunk_application_window_new(application.cast())
}

/// A round button with a person's initials, or a generic icon without a name.
@MainActor public func avatarButton(size: Int, name: String, command: String) -> Widget {
  let button: Widget = gtk_button_new()
  gtk_button_set_child(button.cast(), adw_avatar_new(gint(size), nil, 1))
  return button.action(command).named(name).tooltip(name).css("flat", "avatar").alignDown(GTK_ALIGN_CENTER)
}

@MainActor extension Widget {
  /// Sets the name whose initials an `avatarButton` shows.
  public func setAvatar(_ name: String) {
    guard let avatar = gtk_button_get_child(cast()) else { return }
    adw_avatar_set_text(avatar.cast(), oneLine(name))
  }
}

/// A button that opens a menu. F10 opens the primary one.
@MainActor public func menuButton(
  _ icon: String, name: String, isPrimary: Bool = false, _ entries: [MenuEntry]
) -> Widget {
  let button: Widget = gtk_menu_button_new()
  gtk_menu_button_set_icon_name(button.cast(), icon)
  menu(entries).use { gtk_menu_button_set_menu_model(button.cast(), $0.cast()) }
  gtk_menu_button_set_primary(button.cast(), isPrimary.gboolean)
  if let popover: Widget = gtk_menu_button_get_popover(button.cast())?.cast() { nameMenuItems(in: popover) }
  return button.named(name).tooltip(name)
}

/// Gives menu items accessible names. GTK 4.18 names each item by its label, but gives the label a role that can't have
/// a name, see `gtkmodelbutton.c` there.
@MainActor private func nameMenuItems(in widget: Widget) {
  var child: Widget? = gtk_widget_get_first_child(widget)
  while let part = child {
    let isItem = gtk_accessible_get_accessible_role(widget.cast()) == GTK_ACCESSIBLE_ROLE_MENU_ITEM
    // The other labels of an item are keys, which GTK exposes itself.
    if isItem, String(cString: gtk_widget_get_css_name(part)) == "label" {
      trunk_accessible_role(part, GTK_ACCESSIBLE_ROLE_LABEL)
      part.named(String(cString: gtk_label_get_text(part.cast())))
    } else {
      nameMenuItems(in: part)
    }
    child = gtk_widget_get_next_sibling(part)
  }
}

/// A single-line field. `name` is the accessible name; the placeholder shows while it is empty.
@MainActor public func entry(
  name: String, placeholder: String = "", text: String = "", onChange: (@MainActor () -> Void)? = nil
) -> Widget {
  let entry: Widget = gtk_entry_new()
  gtk_entry_set_placeholder_text(entry.cast(), placeholder)
  gtk_editable_set_text(entry.cast(), text)
  // Otherwise the field requests the width of twenty characters and keeps a narrow window from shrinking.
  gtk_editable_set_width_chars(entry.cast(), 4)
  if let onChange { entry.on("changed", onChange) }
  return entry.named(name)
}

/// A search field. `onChange` is called shortly after the last key.
@MainActor public func searchEntry(name: String, onChange: @escaping @MainActor () -> Void) -> Widget {
  let entry: Widget = gtk_search_entry_new()
  trunk_placeholder(entry, name)
  gtk_editable_set_width_chars(entry.cast(), 4)
  entry.on("search-changed", onChange)
  // Esc clears the search.
  entry.on("stop-search") { entry.text = "" }
  return entry.named(name)
}

/// A field as a row of a boxed list, with its caption inside.
@MainActor public func entryRow(
  _ title: String, text: String = "", onChange: (@MainActor () -> Void)? = nil
) -> Widget {
  let row: Widget = adw_entry_row_new()
  adw_preferences_row_set_use_markup(row.cast(), 0)
  adw_preferences_row_set_title(row.cast(), oneLine(title))
  gtk_editable_set_text(row.cast(), text)
  if let onChange { row.on("changed", onChange) }
  return row
}

/// A card with rows.
@MainActor public func boxedList(_ rows: Widget...) -> Widget {
  let list: Widget = gtk_list_box_new()
  gtk_list_box_set_selection_mode(list.cast(), GTK_SELECTION_NONE)
  // Only the rows and their content take the focus; the list would take it too, without an accessible name.
  gtk_widget_set_focusable(list, 0)
  rows.forEach { gtk_list_box_append(list.cast(), $0) }
  return list.css("boxed-list")
}

/// A row of a boxed list: a leading widget, a title over a subtitle, a trailing widget. With `action` the whole row can
/// be pressed.
@MainActor public func row(
  _ title: String, _ subtitle: String = "", start: Widget? = nil, end: Widget? = nil,
  action: (@MainActor () -> Void)? = nil
) -> Widget {
  let row: Widget = adw_action_row_new()
  adw_preferences_row_set_use_markup(row.cast(), 0)
  adw_action_row_set_subtitle_lines(row.cast(), 1)
  row.setRow(title, subtitle)
  if let start { adw_action_row_add_prefix(row.cast(), start) }
  if let end { adw_action_row_add_suffix(row.cast(), end) }
  if let action {
    gtk_list_box_row_set_activatable(row.cast(), 1)
    row.on("activated", action)
    row.offersActivation()
  } else {
    gtk_widget_set_focusable(row, 0)
  }
  return row
}

/// A row that expands to show the rows below it.
@MainActor public func expanderRow() -> Widget {
  let row: Widget = adw_expander_row_new()
  adw_preferences_row_set_use_markup(row.cast(), 0)
  prepareParts(of: row)
  return row.offersActivation {
    adw_expander_row_set_expanded(row.cast(), adw_expander_row_get_expanded(row.cast()) == 0 ? 1 : 0)
  }
}

/// Only the rows take the focus; the lists would take it too, without an accessible name. The first row expands the
/// others.
@MainActor private func prepareParts(of widget: Widget) {
  if widget.isA(gtk_list_box_get_type()) { gtk_widget_set_focusable(widget, 0) }
  if widget.isA(adw_action_row_get_type()) { widget.offersActivation() }
  var child = gtk_widget_get_first_child(widget)
  while let part = child {
    prepareParts(of: part)
    child = gtk_widget_get_next_sibling(part)
  }
}

/// A row with a switch.
@MainActor public func switchRow(
  _ title: String, _ subtitle: String = "", isOn: Bool, onChange: @escaping @MainActor (Bool) -> Void
) -> Widget {
  let toggle: Widget = gtk_switch_new()
  gtk_switch_set_active(toggle.cast(), isOn.gboolean)
  toggle.onChange(of: "active") { onChange(gtk_switch_get_active(toggle.cast()) != 0) }
  toggle.alignDown(GTK_ALIGN_CENTER)
  let row = row(title, subtitle, end: toggle)
  adw_action_row_set_subtitle_lines(row.cast(), 0)
  adw_action_row_set_activatable_widget(row.cast(), toggle)
  return row
}

@MainActor extension Widget {
  /// Sets title and subtitle of a `row`.
  ///
  /// - Parameter titleLines: the number of lines shown of the title; 0 shows all.
  public func setRow(_ title: String, _ subtitle: String, titleLines: Int = 1) {
    adw_preferences_row_set_title(cast(), oneLine(title))
    adw_action_row_set_title_lines(cast(), mayBeCut(title) ? gint(titleLines) : 0)
    adw_action_row_set_subtitle(cast(), oneLine(subtitle))
    named(subtitle.isEmpty ? title : title + ", " + subtitle)
  }
}

/// Limits a view's width on a wide window, to 700 pixels by default, and centres it.
@MainActor public func clamp(_ child: Widget, width: Int = 700) -> Widget {
  let clamp: Widget = adw_clamp_new()
  adw_clamp_set_maximum_size(clamp.cast(), gint(width))
  adw_clamp_set_tightening_threshold(clamp.cast(), gint(width))
  adw_clamp_set_child(clamp.cast(), child)
  return clamp
}

/// Scrolls a child vertically.
@MainActor public func scrolled(_ child: Widget) -> Widget {
  let scrolled: Widget = gtk_scrolled_window_new()
  gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
  gtk_scrolled_window_set_child(scrolled.cast(), child)
  // A scrolled window would take the focus without an accessible name; its content can be reached by keys.
  gtk_widget_set_focusable(scrolled, 0)
  return scrolled.expandDown()
}

/// Shows the first child that fits, or nothing if none does. Give the widest first.
@MainActor public func droppable(_ children: Widget...) -> Widget {
  let squeezer: Widget = adw_squeezer_new()
  adw_squeezer_set_allow_none(squeezer.cast(), 1)
  adw_squeezer_set_homogeneous(squeezer.cast(), 0)
  adw_squeezer_set_switch_threshold_policy(squeezer.cast(), ADW_FOLD_THRESHOLD_POLICY_NATURAL)
  for child in children { adw_squeezer_add(squeezer.cast(), child) }
  return squeezer
}

/// A header bar with a title, or with a widget in its place.
@MainActor public func headerBar(
  title: Widget? = nil, start: [Widget] = [], end: [Widget] = []
) -> Widget {
  let bar: Widget = adw_header_bar_new()
  adw_header_bar_set_title_widget(bar.cast(), title)
  start.forEach { adw_header_bar_pack_start(bar.cast(), $0) }
  end.forEach { adw_header_bar_pack_end(bar.cast(), $0) }
  return bar
}

/// An icon from the icon theme. It is decorative and hidden from screen readers.
@MainActor public func icon(_ name: String, size: Int = 16) -> Widget {
  let image: Widget = trunk_image_new(GTK_ACCESSIBLE_ROLE_PRESENTATION)
  gtk_image_set_from_icon_name(image.cast(), name)
  gtk_image_set_pixel_size(image.cast(), gint(size))
  return image
}

/// A thin separator line.
@MainActor public func rule() -> Widget {
  gtk_separator_new(GTK_ORIENTATION_HORIZONTAL)
}

/// The content of an empty list, always with a hint at what to do next.
@MainActor public func emptyState(
  icon: String, title: String, hint: String, button: Widget? = nil
) -> Widget {
  let content = column(
    spacing: 10, GtkKit.icon(icon, size: 48).css("wood"),
    paragraph(title, "title-3").centred(), paragraph(hint, "hint").centred())
  if let button { content.append(button.align(GTK_ALIGN_CENTER).margin(top: 6)) }
  return content.css("empty-state").alignDown(GTK_ALIGN_CENTER).align(GTK_ALIGN_CENTER)
}

@MainActor extension Widget {
  /// Centres the lines of a label.
  @discardableResult
  public func centred() -> Widget {
    gtk_label_set_justify(cast(), GTK_JUSTIFY_CENTER)
    gtk_label_set_xalign(cast(), 0.5)
    return self
  }
}
