import CGtk

@MainActor extension Widget {
  /// Offers to a screen reader what a click on this row does: GTK 4.8 tells it only of the commands that a row has of its
  /// own, not that it can be pressed.
  /// - Parameters:
  ///   - isPossible: false where this row does nothing, now that it shows something else.
  ///   - activate: what is done where the row itself does not know it.
  @discardableResult
  public func offersActivation(
    _ isPossible: Bool = true, activate: (@MainActor () -> Void)? = nil
  ) -> Widget {
    if let action = g_object_get_data(cast(), activationKey) {
      g_simple_action_set_enabled(OpaquePointer(action), isPossible.gboolean)
    } else if isPossible {
      // The row has the group, and with it the action, for all its life.
      insertActions(as: "row") { group in
        let action = group.addAction("activate", activate ?? { click() })
        g_object_set_data(cast(), activationKey, action.address)
      }
    }
    return self
  }

  /// Adds commands that only this widget and what is in it can invoke, as `prefix.name`.
  public func insertActions(as prefix: String, _ add: (OpaquePointer) -> Void) {
    Reference(adopting: g_simple_action_group_new()).use { group in
      add(group)
      gtk_widget_insert_action_group(self, prefix, group)
    }
  }

  private func click() {
    // A list to pick from takes the row that is selected, whichever was activated.
    var extendsAndToggles = [g_variant_new_boolean(0), g_variant_new_boolean(0)]
    gtk_widget_activate_action_variant(self, "listitem.select", g_variant_new_tuple(&extendsAndToggles, 2))
    gtk_widget_activate(self)
  }
}

private let activationKey = "trunk-activation"
