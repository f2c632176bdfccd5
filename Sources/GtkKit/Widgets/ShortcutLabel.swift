import CGtk

/// Shows a key combination such as `<Control>Return` as keycaps. GTK 4.18 deprecates `GtkShortcutLabel`.
@MainActor public func shortcutLabel(_ keys: String) -> Widget {
  let widget: Widget = gtk_shortcut_label_new(keys)
  for cap in widget.children where cap.isA(gtk_label_get_type()) {
    // In English, GTK writes “Page_Up”.
    cap.setText(String(String(cString: gtk_label_get_text(cap.cast())).map { $0 == "_" ? " " : $0 }))
  }
  return widget
}
