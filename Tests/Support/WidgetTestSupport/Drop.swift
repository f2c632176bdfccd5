import CGtk
import GtkKit
import XCTest

/// Drops files or folders onto a widget: emits the signal of a drop, as GTK does.
@MainActor public func drop(_ paths: [String], onto widget: Widget) throws {
  let target = try XCTUnwrap(dropTarget(of: widget))
  var files: UnsafeMutablePointer<GSList>?
  for path in paths.reversed() { files = g_slist_prepend(files, UnsafeMutableRawPointer(g_file_new_for_path(path))) }
  var dropped = GValue()
  g_value_init(&dropped, gdk_file_list_get_type())
  g_value_take_boxed(&dropped, UnsafeMutableRawPointer(gdk_file_list_new_from_list(files)))
  g_slist_free_full(files) { g_object_unref($0) }
  var values = [GValue](repeating: GValue(), count: 4)
  g_value_init(&values[0], gtk_drop_target_get_type())
  g_value_set_object(&values[0], target)
  withUnsafeMutablePointer(to: &dropped) { value in
    g_value_init(&values[1], g_value_get_type())
    g_value_set_boxed(&values[1], value)
    for index in 2...3 { g_value_init(&values[index], g_type_from_name("gdouble")) }
    var accepted = GValue()
    g_value_init(&accepted, g_type_from_name("gboolean"))
    g_signal_emitv(values, g_signal_lookup("drop", gtk_drop_target_get_type()), 0, &accepted)
    XCTAssertEqual(g_value_get_boolean(&accepted), 1)
    for index in values.indices { g_value_unset(&values[index]) }
    g_value_unset(&accepted)
  }
  g_value_unset(&dropped)
}

@MainActor private func dropTarget(of widget: Widget) -> gpointer? {
  guard let controllers = gtk_widget_observe_controllers(widget) else { return nil }
  defer { g_object_unref(UnsafeMutableRawPointer(controllers)) }
  return (0..<g_list_model_get_n_items(controllers)).compactMap { g_list_model_get_item(controllers, $0) }.first {
    // The widget holds it.
    g_object_unref($0)
    return g_type_check_instance_is_a($0.assumingMemoryBound(to: GTypeInstance.self), gtk_drop_target_get_type()) != 0
  }
}
