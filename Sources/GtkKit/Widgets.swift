import CGtk
import CShim

// The builders: what the views are made of. Text is shown as it is; only `AdwActionRow` and the
// like need escaping, and the builders do that.

/// Children one above the other.
@MainActor public func column(spacing: Int = 0, _ children: Widget...) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, gint(spacing))
  children.forEach { gtk_box_append(box.cast(), $0) }
  return box
}

/// Children side by side.
@MainActor public func line(spacing: Int = 0, _ children: Widget...) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, gint(spacing))
  children.forEach { gtk_box_append(box.cast(), $0) }
  return box
}

/// Children side by side that go on in the next line where the width ends. Those that `expand` share what is left.
@MainActor public func wrapping(spacing: Int = 8, _ children: Widget...) -> Widget {
  let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
  children.forEach { gtk_box_append(box.cast(), $0) }
  trunk_wrap_children(box, gint(spacing))
  return box
}

/// Children that a screen reader meets as one named group.
@MainActor public func group(_ name: String, spacing: Int = 0, _ children: Widget...) -> Widget {
  let box: Widget = trunk_group_new(gint(spacing))
  children.forEach { gtk_box_append(box.cast(), $0) }
  return box.named(name)
}

/// Text in one line, cut with an ellipsis where the width ends.
@MainActor public func label(_ text: String, _ classes: String...) -> Widget {
  let label: Widget = gtk_label_new(oneLine(text))
  gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END)
  gtk_label_set_xalign(label.cast(), 0)
  classes.forEach { gtk_widget_add_css_class(label, $0) }
  return label
}

/// Text that wraps, at words where it can, inside a word where it must. Can be selected when asked.
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

/// The heading of a section, a quieter note behind it and, at the end, what belongs to the section.
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

/// A window of an application, which its commands belong to.
@MainActor public func applicationWindow(_ application: OpaquePointer) -> Widget {
  trunk_application_window_new(application.cast())
}

/// A round button with the initials of a person, or with a head where there is no name.
@MainActor public func avatarButton(size: Int, name: String, command: String) -> Widget {
  let button: Widget = gtk_button_new()
  gtk_button_set_child(button.cast(), adw_avatar_new(gint(size), nil, 1))
  return button.action(command).named(name).tooltip(name).css("flat", "avatar").alignDown(GTK_ALIGN_CENTER)
}

@MainActor extension Widget {
  /// Whose initials an `avatarButton` shows.
  public func setAvatar(_ name: String) {
    guard let avatar = gtk_button_get_child(cast()) else { return }
    adw_avatar_set_text(avatar.cast(), oneLine(name))
  }
}

/// A button that opens a menu; F10 opens the primary one.
@MainActor public func menuButton(
  _ icon: String, name: String, isPrimary: Bool = false, _ entries: [MenuEntry]
) -> Widget {
  let button: Widget = gtk_menu_button_new()
  gtk_menu_button_set_icon_name(button.cast(), icon)
  menu(entries).use { gtk_menu_button_set_menu_model(button.cast(), $0.cast()) }
  gtk_menu_button_set_primary(button.cast(), isPrimary.gboolean)
  return button.named(name).tooltip(name)
}

/// A field for one line. `name` is what a screen reader says; the placeholder shows while it is empty.
@MainActor public func entry(
  name: String, placeholder: String = "", text: String = "", onChange: (@MainActor () -> Void)? = nil
) -> Widget {
  let entry: Widget = gtk_entry_new()
  gtk_entry_set_placeholder_text(entry.cast(), placeholder)
  gtk_editable_set_text(entry.cast(), text)
  // Without this, the field asks for the width of twenty characters and keeps a narrow window from shrinking.
  gtk_editable_set_width_chars(entry.cast(), 4)
  if let onChange { entry.on("changed", onChange) }
  return entry.named(name)
}

/// A search field; `onChange` comes a moment after the last key.
@MainActor public func searchEntry(name: String, onChange: @escaping @MainActor () -> Void) -> Widget {
  let entry: Widget = gtk_search_entry_new()
  trunk_placeholder(entry, name)
  gtk_editable_set_width_chars(entry.cast(), 4)
  entry.on("search-changed", onChange)
  // Esc leads back to all there is.
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

/// A card of rows under one another.
@MainActor public func boxedList(_ rows: Widget...) -> Widget {
  let list: Widget = gtk_list_box_new()
  gtk_list_box_set_selection_mode(list.cast(), GTK_SELECTION_NONE)
  // The focus belongs to the rows and to what is in them; the list would take it too, without a name.
  gtk_widget_set_focusable(list, 0)
  rows.forEach { gtk_list_box_append(list.cast(), $0) }
  return list.css("boxed-list")
}

/// A row of a boxed list: something in front, a title over a subtitle, something at the end. With `action`
/// the whole row can be pressed.
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

/// A row that unfolds to the rows below it.
@MainActor public func expanderRow() -> Widget {
  let row: Widget = adw_expander_row_new()
  adw_preferences_row_set_use_markup(row.cast(), 0)
  prepareParts(of: row)
  return row.offersActivation {
    adw_expander_row_set_expanded(row.cast(), adw_expander_row_get_expanded(row.cast()) == 0 ? 1 : 0)
  }
}

/// The focus belongs to the rows; the lists would take it too, without a name. The first row is what unfolds the others.
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
  /// Sets the two texts of a `row`.
  public func setRow(_ title: String, _ subtitle: String) {
    adw_preferences_row_set_title(cast(), oneLine(title))
    adw_action_row_set_title_lines(cast(), mayBeCut(title) ? 1 : 0)
    adw_action_row_set_subtitle(cast(), oneLine(subtitle))
    named(subtitle.isEmpty ? title : title + ", " + subtitle)
  }
}

/// Keeps a view readable on a wide window: at most 700 pixels, centred.
@MainActor public func clamp(_ child: Widget, width: Int = 700) -> Widget {
  let clamp: Widget = adw_clamp_new()
  adw_clamp_set_maximum_size(clamp.cast(), gint(width))
  adw_clamp_set_tightening_threshold(clamp.cast(), gint(width))
  adw_clamp_set_child(clamp.cast(), child)
  return clamp
}

/// Scrolls up and down what does not fit.
@MainActor public func scrolled(_ child: Widget) -> Widget {
  let scrolled: Widget = gtk_scrolled_window_new()
  gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
  gtk_scrolled_window_set_child(scrolled.cast(), child)
  // A scrolled window takes the focus itself, without a name; what is inside is enough to reach by keys.
  gtk_widget_set_focusable(scrolled, 0)
  return scrolled.expandDown()
}

/// Shows the first of its children for all of which there is room, and nothing where there is none. The widest comes first.
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

/// A picture of the icon theme, for decoration only: a screen reader passes over it.
@MainActor public func icon(_ name: String, size: Int = 16) -> Widget {
  let image: Widget = trunk_image_new(GTK_ACCESSIBLE_ROLE_PRESENTATION)
  gtk_image_set_from_icon_name(image.cast(), name)
  gtk_image_set_pixel_size(image.cast(), gint(size))
  return image
}

/// A thin rule.
@MainActor public func rule() -> Widget {
  gtk_separator_new(GTK_ORIENTATION_HORIZONTAL)
}

/// What a list shows while it is empty: always with a hint at what to do next.
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
