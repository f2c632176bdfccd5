import CGtk

/// Shows a key combination such as `<Control>Return` as keycaps. GTK 4.18 deprecates `GtkShortcutLabel`.
@MainActor public func shortcutLabel(_ keys: String) -> Widget {
  gtk_shortcut_label_new(keys)
}
