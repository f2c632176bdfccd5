import CGtk

@MainActor extension Widget {
  /// Opens an address with the program that the user has chosen for it.
  /// - Returns: whether there is such a program and it was started.
  public func open(address: String) -> Bool {
    let context = gdk_display_get_app_launch_context(gtk_widget_get_display(self))
    defer { g_object_unref(context.map { UnsafeMutableRawPointer($0) }) }
    return g_app_info_launch_default_for_uri(address, context?.cast(), nil) != 0
  }
}

/// The address of a file; `nil` if the path isn't absolute.
public func address(ofFile path: String) -> String? {
  guard let address = g_filename_to_uri(path, nil, nil) else { return nil }
  defer { g_free(address) }
  return String(cString: address)
}
