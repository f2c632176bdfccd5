import CGtk

// Event controllers for input beyond buttons and fields. Each belongs to its widget, so nothing else needs to be kept.
@MainActor extension Widget {
  /// Calls `handler` for keys that reach this widget; returning true stops them. In the capture phase it runs before
  /// the focused child, otherwise only for keys that the child didn't handle, so a field keeps its letters.
  @discardableResult
  public func onKey(
    capture: Bool = false, _ handler: @escaping @MainActor (KeyPress) -> Bool
  ) -> Connection {
    let controller = addKeyController(capture: capture)
    return controller.onKeySignal("key-pressed") {
      handler(KeyPress($0, $1, gtk_event_controller_get_current_event(controller.cast())))
    }
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

  /// Calls `handler` with the position when the secondary button is pressed here, before a context menu opens.
  func onSecondaryPress(_ handler: @escaping @MainActor (Double, Double) -> Void) {
    let gesture: OpaquePointer = gtk_gesture_click_new()
    gtk_gesture_single_set_button(gesture, guint(GDK_BUTTON_SECONDARY))
    gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
    add(gesture).onPress("pressed") { _, x, y in handler(x, y) }
  }

  /// The widget's event controllers of a type. They live as long as the widget.
  func controllers(of type: GType) -> [OpaquePointer] {
    Reference(adopting: gtk_widget_observe_controllers(self)).use { list in
      (0..<g_list_model_get_n_items(list)).compactMap { position in
        guard let controller = g_list_model_get_item(list, position) else { return nil }
        // The widget keeps its controllers.
        defer { g_object_unref(controller) }
        return controller.isA(type) ? controller.cast() : nil
      }
    }
  }

  /// Calls `handler` with the turns of the wheel, downwards positive; returning true stops the event.
  public func onWheel(_ handler: @escaping @MainActor (Double) -> Bool) {
    let flags = GTK_EVENT_CONTROLLER_SCROLL_VERTICAL.rawValue | GTK_EVENT_CONTROLLER_SCROLL_DISCRETE.rawValue
    add(gtk_event_controller_scroll_new(GtkEventControllerScrollFlags(flags))).onDistance("scroll") { _, turns in
      handler(turns)
    }
  }

  /// Calls `handler` with the horizontal position while the button or a finger is pressed, and at last when it is
  /// released.
  public func onDrag(_ handler: @escaping @MainActor (_ x: Double, _ isOver: Bool) -> Void) {
    let gesture = add(gtk_gesture_drag_new())
    var start = 0.0
    gesture.onPoint("drag-begin") { x, _ in
      start = x
      handler(x, false)
    }
    gesture.onPoint("drag-update") { distance, _ in handler(start + distance, false) }
    gesture.onPoint("drag-end") { distance, _ in handler(start + distance, true) }
  }

  /// Calls `handler` while two fingers move, with their distance relative to that at the beginning.
  public func onPinch(_ handler: @escaping @MainActor (Double) -> Void) {
    add(gtk_gesture_zoom_new()).onNumber("scale-changed", handler)
  }

  /// Calls `handler` when this widget or a descendant gains the focus, or when the focus leaves them.
  public func onFocus(_ handler: @escaping @MainActor (Bool) -> Void) {
    let controller = add(gtk_event_controller_focus_new())
    controller.on("enter") { handler(true) }
    controller.on("leave") { handler(false) }
  }

  /// Calls `handler` for a key combination such as `<Control>Return`, wherever the focus is in this widget.
  public func onShortcut(_ keys: String, _ handler: @escaping @MainActor () -> Void) {
    guard let (value, modifiers) = parseKeys(keys) else { return }
    onKey(capture: true) { press in
      let isIt = gdk_keyval_to_lower(press.value) == value && press.modifiers.rawValue == modifiers
      if isIt {
        commitComposedText()
        handler()
      }
      return isIt
    }
  }

  /// Calls `handler` for Alt and a key of the row of digits, with the digit 1…9 and whether Shift is held; returning
  /// true stops the key. The place of the key counts, because on many keyboards Shift makes another sign of it, or of
  /// the sign without Shift.
  public func onAltDigit(_ handler: @escaping @MainActor (_ digit: Int, _ isShifted: Bool) -> Bool) {
    let controller = addKeyController(capture: true)
    controller.onKeySignal("key-pressed") { _, held in
      let modifiers = held.rawValue & gtk_accelerator_get_default_mod_mask().rawValue
      guard modifiers & ~GDK_SHIFT_MASK.rawValue == GDK_ALT_MASK.rawValue,
        let event = gtk_event_controller_get_current_event(controller.cast()),
        let digit = digit(atPlace: gdk_key_event_get_keycode(event)), digit < 10
      else { return false }
      return handler(digit, modifiers & GDK_SHIFT_MASK.rawValue != 0)
    }
  }

  /// Calls `handler` with the digit 1…9 of a key that is pressed without Ctrl or Alt; returning true stops the key. On
  /// keyboards whose row of digits needs Shift for them, its place counts too.
  public func onDigit(_ handler: @escaping @MainActor (Int) -> Bool) {
    onKey(capture: true) { press in
      guard press.modifiers.isDisjoint(with: [.control, .alt]),
        let digit = press.characters.lazy.compactMap(\.wholeNumberValue).first, (1...9).contains(digit)
      else { return false }
      return handler(digit)
    }
  }

  /// Ignores repeats of a key combination such as `<Control>Return`, so that holding it triggers its command once. The
  /// command may move the focus to a place where a repeat would trigger it again.
  public func ignoreRepeats(of keys: String) {
    guard let (value, modifiers) = parseKeys(keys) else { return }
    // If the focus leaves this widget while the key is held, its release doesn't arrive here. So a press also counts
    // as a new one when the last one was more than a second ago.
    var last: ContinuousClock.Instant?
    let controller = addKeyController(capture: true)
    controller.onKeySignal("key-pressed") { pressed, held in
      guard pressed == value, held.rawValue & modifiers == modifiers else { return false }
      defer { last = .now }
      return last.map { $0 + .seconds(1) > .now } ?? false
    }
    controller.on("key-released") { last = nil }
  }

  /// Calls `handler` when a key or a button of the pointer is pressed, before anything else in this window gets it.
  /// Repeats of a held key don't count.
  public func onFreshInput(_ handler: @escaping @MainActor () -> Void) {
    var held: Set<guint> = []
    let keys = addKeyController(capture: true)
    keys.onKeySignal("key-pressed") { key, _ in
      if held.insert(gdk_keyval_to_lower(key)).inserted { handler() }
      return false
    }
    keys.onKeySignal("key-released") { key, _ in
      held.remove(gdk_keyval_to_lower(key))
      return false
    }
    let gesture: OpaquePointer = gtk_gesture_click_new()
    gtk_gesture_single_set_button(gesture, 0)
    gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
    add(gesture).onPress("pressed") { _, _, _ in handler() }
  }

  func addKeyController(capture: Bool) -> OpaquePointer {
    let controller: OpaquePointer = gtk_event_controller_key_new()
    gtk_event_controller_set_propagation_phase(controller, capture ? GTK_PHASE_CAPTURE : GTK_PHASE_BUBBLE)
    return add(controller)
  }

  private func add(_ controller: OpaquePointer) -> OpaquePointer {
    gtk_widget_add_controller(self, controller)
    return controller
  }
}

/// The key value and the modifiers of a combination such as `<Control>Return`.
@MainActor private func parseKeys(_ keys: String) -> (value: guint, modifiers: UInt32)? {
  var (value, modifiers): (guint, GdkModifierType) = (0, GdkModifierType(0))
  guard gtk_accelerator_parse(keys, &value, &modifiers) != 0 else { return nil }
  return (value, modifiers.rawValue)
}
