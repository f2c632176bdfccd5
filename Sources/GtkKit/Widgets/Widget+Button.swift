import CGtk
import CShim

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

/// Returns a round button with a person's initials, or with a generic icon if the name is empty, which grows with text.
/// - Parameter size: the diameter in pixels at the usual size of texts.
@MainActor public func avatarButton(size: Int, name: String, command: String) -> Widget {
  let avatar: Widget = adw_avatar_new(gint(size), nil, 1)
  avatar.followTextScale { adw_avatar_set_size(avatar.cast(), gint((Double(size) * $0).rounded())) }
  // The button has the name. A screen reader would also read the type of the picture.
  avatar.concealed(true)
  return contentButton(avatar, command: command)
    .accessibleName(name).tooltip(name).css("flat", "avatar").valign(.center)
}

@MainActor extension Widget {
  /// Changes the text of a `button`.
  public func setButtonText(_ title: String) {
    gtk_button_set_label(cast(), oneLine(title))
  }

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
  gtk_menu_button_set_primary(button.cast(), isPrimary.gboolean)
  button.onMenu { button in
    guard gtk_menu_button_get_popover(button.cast()) == nil else { return }
    menu(entries).use { gtk_menu_button_set_menu_model(button.cast(), $0.cast()) }
    if let popover: Widget = gtk_menu_button_get_popover(button.cast())?.cast() { nameMenuItems(in: popover) }
  }
  return button.accessibleName(name).tooltip(name)
}

private typealias Builder = @MainActor @Sendable (Widget) -> Void

@MainActor extension Widget {
  /// Calls `build` whenever a menu button is about to show its menu, or to hide it. What is built at the first call
  /// doesn't delay the window.
  func onMenu(_ build: @escaping @MainActor @Sendable (_ button: Widget) -> Void) {
    gtk_menu_button_set_create_popup_func(cast(), buildMenu, HandlerBox<Builder>.retained(build), releaseHandler)
  }
}

private let buildMenu: GtkMenuButtonCreatePopupFunc = { button, data in
  guard let button, let data else { return }
  let handover = Handover(button)
  let build = HandlerBox<Builder>.handler(at: data)
  MainActor.assumeIsolated { build(handover.value.cast()) }
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
