import CGtk

/// The size of texts relative to the usual one, as the desktop sets it: 2 for texts of twice the size.
@MainActor public var textScale: Double {
  guard let settings = gtk_settings_get_default() else { return 1 }
  var value = GValue()
  // `G_TYPE_INT`, a macro that Swift can't import.
  g_value_init(&value, GType(6 << 2))
  defer { g_value_unset(&value) }
  g_object_get_property(settings.cast(), "gtk-xft-dpi", &value)
  // 1,024 units for each of 96 dots per inch; -1 if the display has no setting.
  let dots = Double(g_value_get_int(&value)) / 1024
  return dots > 0 ? dots / 96 : 1
}

@MainActor extension Widget {
  /// Calls `body` with the size of texts, now and whenever it changes, until the widget is destroyed.
  public func followTextScale(_ body: @escaping @MainActor (Double) -> Void) {
    body(textScale)
    guard let settings = gtk_settings_get_default() else { return }
    let change = settings.onChange(of: "gtk-xft-dpi") { body(textScale) }
    on("destroy") { change.disconnect() }
  }
}
