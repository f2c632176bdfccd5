import CGtk

/// Whether the desktop's screen reader is turned on; `false` if the desktop has no such setting.
@MainActor public var screenReaderIsOn: Bool {
  let (id, key) = ("org.gnome.desktop.a11y.applications", "screen-reader-enabled")
  // Asking for settings that are not installed would end the program.
  guard let schema = g_settings_schema_source_lookup(g_settings_schema_source_get_default(), id, 1) else {
    return false
  }
  defer { g_settings_schema_unref(schema) }
  guard g_settings_schema_has_key(schema, key) != 0 else { return false }
  let settings = g_settings_new(id)
  defer { g_object_unref(settings) }
  return g_settings_get_boolean(settings, key) != 0
}
