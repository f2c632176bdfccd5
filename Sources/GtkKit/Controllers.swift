import CGtk

// Event controllers for input beyond buttons and fields. Each belongs to its widget, so nothing else needs to be kept.
@MainActor extension Widget {
  /// Calls `handler` for keys that reach this widget; returning true stops them. In the capture phase it runs before
  /// the focused child, otherwise only for keys that the child didn't handle, so a field keeps its letters.
  @discardableResult
  public func onKey(
    capture: Bool = false, _ handler: @escaping @MainActor (guint, GdkModifierType) -> Bool
  ) -> Connection {
    let controller: OpaquePointer = gtk_event_controller_key_new()
    gtk_event_controller_set_propagation_phase(controller, capture ? GTK_PHASE_CAPTURE : GTK_PHASE_BUBBLE)
    return add(controller).onKeySignal("key-pressed", handler)
  }

  /// Calls `handler` with the pointer's position, and with nil when the pointer leaves.
  public func onPointer(_ handler: @escaping @MainActor ((x: Double, y: Double)?) -> Void) {
    let controller = add(gtk_event_controller_motion_new())
    controller.onPoint("enter") { handler(($0, $1)) }
    controller.onPoint("motion") { handler(($0, $1)) }
    controller.on("leave") { handler(nil) }
  }

  /// Calls `handler` with the number of clicks and the position when the button is released here.
  @discardableResult
  public func onClick(
    button: Int = 1, _ handler: @escaping @MainActor (Int, Double, Double) -> Void
  ) -> Connection {
    let gesture: OpaquePointer = gtk_gesture_click_new()
    gtk_gesture_single_set_button(gesture, guint(button))
    return add(gesture).onPress("released", handler)
  }

  /// Calls `handler` when this widget or a descendant gains the focus, or when the focus leaves them.
  public func onFocus(_ handler: @escaping @MainActor (Bool) -> Void) {
    let controller = add(gtk_event_controller_focus_new())
    controller.on("enter") { handler(true) }
    controller.on("leave") { handler(false) }
  }

  /// Calls `handler` for a key combination such as `<Control>Return`, wherever the focus is in this widget.
  public func onShortcut(_ keys: String, _ handler: @escaping @MainActor () -> Void) {
    var (value, modifiers): (guint, GdkModifierType) = (0, GdkModifierType(0))
    guard gtk_accelerator_parse(keys, &value, &modifiers) != 0 else { return }
    onKey(capture: true) { pressed, held in
      let held = held.rawValue & gtk_accelerator_get_default_mod_mask().rawValue
      let isIt = gdk_keyval_to_lower(pressed) == value && held == modifiers.rawValue
      if isIt { handler() }
      return isIt
    }
  }

  private func add(_ controller: OpaquePointer) -> OpaquePointer {
    gtk_widget_add_controller(self, controller)
    return controller
  }
}
