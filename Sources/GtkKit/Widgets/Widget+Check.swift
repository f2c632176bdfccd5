import CGtk

/// A box to tick, with a label. It emits "toggled".
@MainActor public func checkBox(_ title: String) -> Widget {
  // GTK 4.8 offers assistive technologies no action for it.
  gtk_check_button_new_with_label(title).offersActivation()
}

@MainActor extension Widget {
  /// Whether a `checkBox` is ticked.
  public var isChecked: Bool {
    get { gtk_check_button_get_active(cast()) != 0 }
    nonmutating set { gtk_check_button_set_active(cast(), newValue.gboolean) }
  }
}
