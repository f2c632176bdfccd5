import CGtk

@MainActor extension Widget {
  /// Tells screen readers that this row can be pressed. GTK 4.8 exposes only a row's own actions to them, not
  /// activation.
  /// - Parameters:
  ///   - isPossible: `false` if the row does nothing with its current content.
  ///   - activate: what to do if GTK's own activation isn't enough.
  @discardableResult
  public func offersActivation(
    _ isPossible: Bool = true, activate: (@MainActor () -> Void)? = nil
  ) -> Widget {
    if let action = g_object_get_data(cast(), activationKey) {
      g_simple_action_set_enabled(OpaquePointer(action), isPossible.gboolean)
    } else if isPossible {
      // The row keeps the group and its action for its whole life.
      insertActions(as: "row") { group in
        let action = group.addAction("activate", activate ?? { click() })
        g_object_set_data(cast(), activationKey, action.address)
      }
    }
    return self
  }

  /// Adds commands that only this widget and its descendants can invoke, as `prefix.name`.
  public func insertActions(as prefix: String, _ add: (OpaquePointer) -> Void) {
    Reference(adopting: g_simple_action_group_new()).use { group in
      add(group)
      gtk_widget_insert_action_group(self, prefix, group)
    }
  }

  /// Presses a button, as Enter does.
  public func press() { gtk_widget_activate(self) }

  private func click() {
    // In the list of a drop-down, the selected row counts, not the activated one.
    var extendsAndToggles = [g_variant_new_boolean(0), g_variant_new_boolean(0)]
    gtk_widget_activate_action_variant(self, "listitem.select", g_variant_new_tuple(&extendsAndToggles, 2))
    gtk_widget_activate(self)
  }
}

private let activationKey = "trunk-activation"
