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
  return box.accessibleName(name)
}

/// A single-line text, cut with an ellipsis if it is too wide.
@MainActor public func label(_ text: String, _ classes: String...) -> Widget {
  let label: Widget = gtk_label_new(oneLine(text))
  gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END)
  gtk_label_set_xalign(label.cast(), 0)
  classes.forEach { gtk_widget_add_css_class(label, $0) }
  return label.concealIfEmpty()
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
  return label.concealIfEmpty()
}

/// A section's heading, with a quieter note after it and an optional widget at the end.
@MainActor public func sectionHeader(_ title: String, note: String = "", end: Widget? = nil) -> Widget {
  let header = line(spacing: 10, label(title, "section-title"), label(note, "hint", "section-note").hexpand())
  header.css("section-header")
  if let end { header.append(end) }
  return header
}

@MainActor extension Widget {
  /// Changes the title of a `sectionHeader`.
  public func setHeading(_ title: String) {
    children.first?.setText(title)
  }

  /// Changes the note next to the title of a `sectionHeader`.
  public func setNote(_ note: String) {
    guard children.count > 1 else { return }
    children[1].setText(note)
  }
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
  return button.valign(.center)
}

/// A flat button with an icon; `name` is its tooltip and what a screen reader says.
@MainActor public func iconButton(
  _ icon: String, name: String, action: @escaping @MainActor () -> Void
) -> Widget {
  let button: Widget = gtk_button_new_from_icon_name(icon)
  button.on("clicked", action)
  return button.accessibleName(name).tooltip(name).css("flat").valign(.center)
}

/// A flat button with an icon that invokes a command.
@MainActor public func iconButton(_ icon: String, name: String, command: String) -> Widget {
  let button: Widget = gtk_button_new_from_icon_name(icon)
  return button.action(command).accessibleName(name).tooltip(name).css("flat").valign(.center)
}

/// A round button with a person's initials, or a generic icon without a name.
@MainActor public func avatarButton(size: Int, name: String, command: String) -> Widget {
  let avatar: Widget = adw_avatar_new(gint(size), nil, 1)
  // The button has the name. A screen reader would also read the type of the picture.
  avatar.concealed(true)
  return contentButton(avatar, command: command)
    .accessibleName(name).tooltip(name).css("flat", "avatar").valign(.center)
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
  return button.accessibleName(name).tooltip(name)
}

/// Gives menu items accessible names. GTK 4.18 names each item by its label, but gives the label a role that can't have
/// a name, see `gtkmodelbutton.c` there.
@MainActor private func nameMenuItems(in widget: Widget) {
  for part in widget.children {
    let isItem = gtk_accessible_get_accessible_role(widget.cast()) == GTK_ACCESSIBLE_ROLE_MENU_ITEM
    // The other labels of an item are keys, which GTK exposes itself.
    if isItem, String(cString: gtk_widget_get_css_name(part)) == "label" {
      trunk_accessible_role(part, GTK_ACCESSIBLE_ROLE_LABEL)
      part.accessibleName(String(cString: gtk_label_get_text(part.cast())))
    } else {
      nameMenuItems(in: part)
    }
  }
}

/// The greatest width of a view's content, in pixels, with a margin of 18 at each side.
public let columnWidth = 736

/// Limits a view's width on a wide window and centres it.
@MainActor public func clamp(_ child: Widget, width: Int = columnWidth) -> Widget {
  let clamp: Widget = adw_clamp_new()
  adw_clamp_set_child(clamp.cast(), child)
  clamp.setClamp(width: width)
  return clamp
}

@MainActor extension Widget {
  /// Changes the greatest width of a `clamp`, in pixels. Up to it, the child takes all of the width.
  public func setClamp(width: Int) {
    adw_clamp_set_maximum_size(cast(), gint(width))
    adw_clamp_set_tightening_threshold(cast(), gint(width))
  }
}

/// Scrolls a child vertically.
/// - Parameter maxHeight: the height in pixels up to which it requests that of its child.
@MainActor public func scrolled(_ child: Widget, maxHeight: Int? = nil) -> Widget {
  let scrolled: Widget = gtk_scrolled_window_new()
  gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
  gtk_scrolled_window_set_child(scrolled.cast(), child)
  // A scrolled window would take the focus without an accessible name; its content can be reached by keys.
  gtk_widget_set_focusable(scrolled, 0)
  scrolled.css("page-scroller").onScroll { top, _ in scrolled.tellScrolling(top) }
  if let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.cast()) {
    scrolled.on("map") { scrolled.tellScrolling(gtk_adjustment_get_value(adjustment)) }
  }
  if let maxHeight {
    gtk_scrolled_window_set_propagate_natural_height(scrolled.cast(), 1)
    gtk_scrolled_window_set_max_content_height(scrolled.cast(), gint(maxHeight))
  }
  return scrolled.vexpand()
}

private let scrollKey = "trunk-scroll"

/// The number of pixels that one turn of the wheel scrolls sideways.
private let wheelStep = 60.0

/// Keeps a child on one line that is scrolled sideways if it doesn't fit: by touch, by the wheel and by the focus.
@MainActor public func scrolledSideways(_ child: Widget) -> Widget {
  let scrolled: Widget = gtk_scrolled_window_new()
  // Without a scroll bar, which would cover the child.
  gtk_scrolled_window_set_policy(scrolled.cast(), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER)
  let viewport: Widget = gtk_viewport_new(nil, nil)
  gtk_scrollable_set_hscroll_policy(viewport.cast(), GTK_SCROLL_NATURAL)
  gtk_viewport_set_scroll_to_focus(viewport.cast(), 1)
  gtk_viewport_set_child(viewport.cast(), child)
  gtk_scrolled_window_set_child(scrolled.cast(), viewport)
  gtk_widget_set_focusable(scrolled, 0)
  viewport.onWheel { turns in
    guard let adjustment = gtk_scrolled_window_get_hadjustment(scrolled.cast()),
      gtk_adjustment_get_upper(adjustment) > gtk_adjustment_get_page_size(adjustment)
    else { return false }
    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + turns * wheelStep)
    return true
  }
  return scrolled
}

@MainActor extension Widget {
  /// Calls `handler` whenever this `scrolled` widget is scrolled, with the distances in pixels from the top and to the
  /// end. This may happen while sizes are allocated, when nothing may change its size.
  public func onScroll(_ handler: @escaping @MainActor (_ top: Double, _ end: Double) -> Void) {
    guard let adjustment = gtk_scrolled_window_get_vadjustment(cast()) else { return }
    adjustment.on("value-changed") {
      let top = gtk_adjustment_get_value(adjustment)
      handler(top, gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment) - top)
    }
  }

  /// Calls `handler` whenever anything `scrolled` inside this widget appears or is scrolled, with it and its distance from
  /// the top in pixels. This may happen while sizes are allocated, when nothing may change its size.
  public func onScrollInside(_ handler: @escaping @MainActor (_ scrolled: Widget, _ top: Double) -> Void) {
    g_object_set_data_full(cast(), scrollKey, HandlerBox.retained(handler), releaseHandler)
  }

  fileprivate func tellScrolling(_ top: Double) {
    var outer = parent
    while let widget = outer {
      if let data = g_object_get_data(widget.cast(), scrollKey) {
        return HandlerBox<@MainActor (Widget, Double) -> Void>.handler(at: data)(self, top)
      }
      outer = widget.parent
    }
  }

  /// Moves what this `scrolled` widget shows by a distance in pixels, downwards positive.
  public func scroll(by distance: Double) {
    guard let adjustment = gtk_scrolled_window_get_vadjustment(cast()) else { return }
    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + distance)
  }

  /// Scrolls a `scrolled` to its start.
  public func scrollToTop() {
    gtk_scrolled_window_get_vadjustment(cast()).map { gtk_adjustment_set_value($0, 0) }
  }

  /// Calls `handler` whenever a `scrolled` reaches its lower end.
  public func onScrolledToEnd(_ handler: @escaping @MainActor () -> Void) {
    onPosition("edge-reached") { if $0 == Int(GTK_POS_BOTTOM.rawValue) { handler() } }
  }
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
  return image.css("grows-icon-\(size)")
}

@MainActor extension Widget {
  /// Shows another icon in an `iconButton`.
  public func setButtonIcon(_ name: String) {
    gtk_button_set_icon_name(cast(), name)
  }

  /// Shows another icon in an `icon`.
  public func setIcon(_ name: String) {
    gtk_image_set_from_icon_name(cast(), name)
  }
}

/// A bar that fills from the start, without a number. It is decorative: what contains it has the number in its name.
@MainActor public func progressBar() -> Widget {
  trunk_progress_bar_new(GTK_ACCESSIBLE_ROLE_PRESENTATION)
}

@MainActor extension Widget {
  /// Sets how far a `progressBar` is filled, from 0 to 1.
  public func setFraction(_ fraction: Double) {
    gtk_progress_bar_set_fraction(cast(), fraction)
  }
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
  if let button { content.append(button.halign(.center).margin(top: 6)) }
  return content.css("empty-state").valign(.center).halign(.center)
}
