import CGtk
import CShim

// Boxed lists and their rows. Rows would read markup, so the builders turn it off.

/// A field as a row of a boxed list, with its caption inside.
@MainActor public func entryRow(
  _ title: String, text: String = "", onChange: (@MainActor () -> Void)? = nil
) -> Widget {
  let row: Widget = adw_entry_row_new()
  adw_preferences_row_set_use_markup(row.cast(), 0)
  adw_preferences_row_set_title(row.cast(), oneLine(title))
  gtk_editable_set_text(row.cast(), text)
  row.followComposition()
  if let onChange { row.onTextChange(onChange) }
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

/// A group of settings. Rows are in a boxed list, where the search of a `PreferencesWindow` finds them; other widgets
/// follow below.
/// - Parameters:
///   - title: the heading; empty for none.
///   - note: a text below the heading; empty for none.
@MainActor public func settingsGroup(_ title: String, note: String = "", _ content: Widget...) -> Widget {
  let group: Widget = adw_preferences_group_new()
  adw_preferences_group_set_title(group.cast(), escaped(title))
  adw_preferences_group_set_description(group.cast(), note.isEmpty ? nil : escaped(note))
  for widget in content { adw_preferences_group_add(group.cast(), widget) }
  leaveFocusToRows(in: group)
  return group
}

/// Lists would take the focus too, without an accessible name.
@MainActor private func leaveFocusToRows(in widget: Widget) {
  if widget.isA(gtk_list_box_get_type()) { widget.focusable(false) }
  for part in widget.children { leaveFocusToRows(in: part) }
}

/// Makes a boxed list one stop of the Tab key. Up and down move between its rows, left and right inside a row.
@MainActor public func tabStop(_ list: Widget) -> Widget { trunk_tab_stop_new(list) }

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

/// A row of a boxed list with any content. It can't be pressed, and only its content takes the focus.
/// - Parameter title: the words by which the search of a `PreferencesWindow` finds it.
@MainActor public func contentRow(_ content: Widget, title: String = "") -> Widget {
  let row: Widget = adw_preferences_row_new()
  adw_preferences_row_set_use_markup(row.cast(), 0)
  adw_preferences_row_set_title(row.cast(), oneLine(title))
  gtk_list_box_row_set_child(row.cast(), content)
  return row.activatable(false)
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

@MainActor extension Widget {
  /// Shows the rows of an `expanderRow`.
  public func openRow() {
    adw_expander_row_set_expanded(cast(), 1)
  }
}

/// Only the rows take the focus; the lists would take it too, without an accessible name. The first row expands the
/// others.
@MainActor private func prepareParts(of widget: Widget) {
  if widget.isA(gtk_list_box_get_type()) { gtk_widget_set_focusable(widget, 0) }
  if widget.isA(adw_action_row_get_type()) { widget.offersActivation() }
  for part in widget.children { prepareParts(of: part) }
}

/// A row with a switch.
@MainActor public func switchRow(
  _ title: String, _ subtitle: String = "", isOn: Bool, onChange: (@MainActor (Bool) -> Void)? = nil
) -> Widget {
  let toggle: Widget = gtk_switch_new()
  gtk_switch_set_active(toggle.cast(), isOn.gboolean)
  toggle.valign(.center)
  let row = row(title, subtitle, end: toggle)
  adw_action_row_set_title_lines(row.cast(), 0)
  adw_action_row_set_subtitle_lines(row.cast(), 0)
  adw_action_row_set_activatable_widget(row.cast(), toggle)
  if let onChange { row.onSwitch(onChange) }
  return row
}

@MainActor extension Widget {
  private var toggle: Widget? { adw_action_row_get_activatable_widget(cast()) }

  /// Whether the switch of a `switchRow` is on. Setting it calls the handler of `onSwitch`.
  public var isSwitchOn: Bool {
    get { toggle.map { gtk_switch_get_active($0.cast()) != 0 } ?? false }
    nonmutating set { if let toggle { gtk_switch_set_active(toggle.cast(), newValue.gboolean) } }
  }

  /// Handles changes of the switch of a `switchRow`.
  public func onSwitch(_ handler: @escaping @MainActor (Bool) -> Void) {
    guard let toggle else { return }
    toggle.onChange(of: "active") { handler(gtk_switch_get_active(toggle.cast()) != 0) }
  }

  /// Sets title and subtitle of a `row`.
  ///
  /// - Parameters:
  ///   - note: a second paragraph of the subtitle; empty for none.
  ///   - titleLines: the number of lines shown of the title; 0 shows all.
  public func setRow(_ title: String, _ subtitle: String, note: String = "", titleLines: Int = 1) {
    adw_preferences_row_set_title(cast(), oneLine(title))
    adw_action_row_set_title_lines(cast(), mayBeCut(title) ? gint(titleLines) : 0)
    let paragraphs = [subtitle, note].filter { !$0.isEmpty }
    adw_action_row_set_subtitle(cast(), paragraphs.map { oneLine($0) }.joined(separator: "\n"))
    accessibleName(([title] + paragraphs).joined(separator: ", "))
  }

  /// Sets how many lines of a row's title are shown; 0 shows all.
  @discardableResult
  public func titleLines(_ most: Int) -> Widget {
    adw_action_row_set_title_lines(cast(), gint(most))
    return self
  }

  /// Sets how many lines of a row's subtitle are shown; 0 shows all.
  @discardableResult
  public func subtitleLines(_ most: Int) -> Widget {
    adw_action_row_set_subtitle_lines(cast(), gint(most))
    return self
  }

  /// Adds a widget at the end of a `row`.
  public func addSuffix(_ widget: Widget) {
    adw_action_row_add_suffix(cast(), widget)
  }

  /// Sets whether a row can be pressed and takes the focus.
  @discardableResult
  public func activatable(_ isActivatable: Bool = true) -> Widget {
    gtk_list_box_row_set_activatable(cast(), isActivatable.gboolean)
    return focusable(isActivatable)
  }

  /// Whether it is a row of a boxed list.
  public var isRow: Bool { isA(gtk_list_box_row_get_type()) }

  /// The row's place in its list, from 0; -1 if it is in none.
  public var rowIndex: Int { Int(gtk_list_box_row_get_index(cast())) }
}
