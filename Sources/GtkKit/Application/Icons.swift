import CGtk
import CResources

/// Registers the program's own icons by name ("trunk-drop-symbolic"), wherever the program is installed.
@MainActor func registerIcons(on display: OpaquePointer) {
  let bytes = g_bytes_new_static(trunk_resource_icons.bytes, gsize(trunk_resource_icons.length))
  defer { g_bytes_unref(bytes) }
  // Fails only in a broken build, and then GTK shows its missing-image icon, so there is no reason to stop.
  if let resource = g_resource_new_from_data(bytes, nil) {
    g_resources_register(resource)
    g_resource_unref(resource)
  }
  gtk_icon_theme_add_resource_path(
    gtk_icon_theme_get_for_display(display), "/garden/trunk/trunk/icons")
  // GTK starts to read the icon theme in another thread, but forgets it when a path is added. It reads it there again
  // only when the theme is set; otherwise the window would wait for it.
  g_object_notify(gtk_settings_get_for_display(display).cast(), "gtk-icon-theme-name")
}
