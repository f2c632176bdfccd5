import CGtk
import CResources

/// Makes the program's own icons known by name ("trunk-drop-symbolic"), wherever the program lies.
@MainActor func registerIcons(on display: OpaquePointer) {
  let bytes = g_bytes_new_static(trunk_resource_icons.bytes, gsize(trunk_resource_icons.length))
  defer { g_bytes_unref(bytes) }
  // Only a broken build makes this fail, and then GTK shows its missing-image icon: no reason to stop.
  if let resource = g_resource_new_from_data(bytes, nil) {
    g_resources_register(resource)
    g_resource_unref(resource)
  }
  gtk_icon_theme_add_resource_path(
    gtk_icon_theme_get_for_display(display), "/garden/trunk/trunk/icons")
}
