import CGtk

@MainActor extension Widget {
  /// Accepts files that are dragged onto this widget.
  /// - Parameter handler: gets their addresses, such as `file:///home/ada/garden.json`.
  public func onDrop(_ handler: @escaping @MainActor ([String]) -> Void) {
    guard let target = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY) else { return }
    target.onDroppedFiles { addresses in
      guard !addresses.isEmpty else { return false }
      handler(addresses)
      return true
    }
    gtk_widget_add_controller(self, target.cast())
  }
}
