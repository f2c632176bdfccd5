import CGtk
import GtkKit

/// Turns animations on or off, as the desktop does.
@MainActor public func setAnimations(_ isOn: Bool) {
  set("gtk-enable-animations", "gboolean") { g_value_set_boolean(&$0, isOn ? 1 : 0) }
}

/// Sets the size of texts, as the desktop does: 1 is the usual size.
@MainActor public func setTextScale(_ scale: Int) {
  set("gtk-xft-dpi", "gint") { g_value_set_int(&$0, gint(scale * 96 * 1024)) }
}

@MainActor private func set(_ setting: String, _ type: String, _ fill: (inout GValue) -> Void) {
  var value = GValue()
  g_value_init(&value, g_type_from_name(type))
  fill(&value)
  g_object_set_property(gtk_settings_get_default()?.cast(), setting, &value)
  g_value_unset(&value)
}
