import CGtk

// Widgets that contain others, and how their children change.

/// A place for a single child, set with `setChild`.
@MainActor public func bin() -> Widget {
  adw_bin_new()
}

/// Shows widgets above each other; the first one determines the size.
@MainActor public func overlay(_ content: Widget, _ above: Widget...) -> Widget {
  let overlay: Widget = gtk_overlay_new()
  gtk_overlay_set_child(overlay.cast(), content)
  above.forEach { gtk_overlay_add_overlay(overlay.cast(), $0) }
  return overlay
}

/// Two contents in the same place, one of which fades into the other. The place is large enough for what is visible.
@MainActor public func crossfading(_ content: Widget, _ other: Widget) -> Widget {
  // An overlay would give each the height that it needs at its least width.
  let both: Widget = gtk_grid_new()
  for part in [content, other] { gtk_grid_attach(both.cast(), part.hexpand().vexpand(), 0, 0, 1, 1) }
  return both
}

/// A place whose content slides in from below with `isRevealed`.
@MainActor public func revealer(_ content: Widget, milliseconds: Int) -> Widget {
  let revealer: Widget = gtk_revealer_new()
  gtk_revealer_set_transition_type(revealer.cast(), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
  gtk_revealer_set_transition_duration(revealer.cast(), guint(milliseconds))
  gtk_revealer_set_child(revealer.cast(), content)
  return revealer
}

@MainActor extension Widget {
  /// Shows or hides the content of a `revealer`.
  public func isRevealed(_ isRevealed: Bool) { gtk_revealer_set_reveal_child(cast(), isRevealed.gboolean) }
}

/// A button with any content.
@MainActor public func contentButton(_ content: Widget) -> Widget {
  let button: Widget = gtk_button_new()
  gtk_button_set_child(button.cast(), content)
  return button
}

/// A button with any content that invokes a command by its detailed name.
@MainActor public func contentButton(_ content: Widget, command: String) -> Widget {
  contentButton(content).action(command)
}

@MainActor extension Widget {
  /// Appends children to this box, boxed list or expander row.
  @discardableResult
  public func append(_ children: Widget...) -> Widget {
    for child in children {
      if isA(gtk_list_box_get_type()) {
        gtk_list_box_append(cast(), child)
      } else if isA(adw_expander_row_get_type()) {
        adw_expander_row_add_row(cast(), child)
      } else {
        gtk_box_append(cast(), child)
      }
    }
    return self
  }

  /// Inserts a child into this boxed list at a position from 0.
  public func insert(_ child: Widget, at position: Int) {
    gtk_list_box_insert(cast(), child, gint(position))
  }

  /// Inserts a child into this box after another one; `nil` inserts it as the first.
  public func insert(_ child: Widget, after sibling: Widget?) {
    gtk_box_insert_child_after(cast(), child, sibling)
  }

  /// Removes a child from this box, boxed list or expander row.
  public func remove(_ child: Widget) {
    if isA(gtk_list_box_get_type()) {
      gtk_list_box_remove(cast(), child)
    } else if isA(adw_expander_row_get_type()) {
      adw_expander_row_remove(cast(), child)
    } else {
      gtk_box_remove(cast(), child)
    }
  }

  /// Removes all children of this box.
  public func removeAll() {
    for child in children { gtk_box_remove(cast(), child) }
  }

  /// Moves a child of this box behind another one; `nil` makes it the first.
  public func move(_ child: Widget, after sibling: Widget?) {
    gtk_box_reorder_child_after(cast(), child, sibling)
  }

  /// Arranges the children of this box beside each other, or above each other.
  public func arrange(sideways isSideways: Bool, spacing: Int) {
    gtk_orientable_set_orientation(cast(), isSideways ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
    gtk_box_set_spacing(cast(), gint(spacing))
  }

  /// Sets the content of a button or `bin`. A button loses its text.
  public func setChild(_ child: Widget?) {
    if isA(gtk_button_get_type()) {
      gtk_button_set_child(cast(), child)
    } else {
      adw_bin_set_child(cast(), child)
    }
  }

  /// Moves the child of a bin into an empty one.
  public func moveChild(to other: Widget) {
    guard let child = adw_bin_get_child(cast()) else { return }
    g_object_ref(child)
    adw_bin_set_child(cast(), nil)
    adw_bin_set_child(other.cast(), child)
    g_object_unref(child)
  }
}
