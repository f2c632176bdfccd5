import CGtk

/// The commands of buttons and rows.
@MainActor extension Widget {
  /// Sets the command that a button or row invokes, by its detailed name, for example `win.water::sprout-…`.
  @discardableResult
  public func action(_ detailedName: String) -> Widget {
    // GTK changes name and target one after the other, and complains about a pair that doesn't fit.
    removeAction()
    gtk_actionable_set_detailed_action_name(cast(), detailedName)
    return self
  }

  /// Sets the command that a button or row invokes, with any string as its target.
  @discardableResult
  public func action(_ name: String, target: String) -> Widget {
    removeAction()
    gtk_actionable_set_action_target_value(cast(), g_variant_new_string(target))
    gtk_actionable_set_action_name(cast(), name)
    return self
  }

  /// Takes the command away from a button or row.
  public func removeAction() {
    gtk_actionable_set_action_name(cast(), nil)
  }

  /// The command of a button or row, without its target; `nil` if it has none, or is something else.
  public var actionName: String? {
    guard isA(gtk_actionable_get_type()) else { return nil }
    return gtk_actionable_get_action_name(cast()).map { String(cString: $0) }
  }

  /// The target of the command of a button or row, if it is a string.
  public var actionTarget: String? {
    guard isA(gtk_actionable_get_type()), let value = gtk_actionable_get_action_target_value(cast()),
      String(cString: g_variant_get_type_string(value)) == "s"
    else { return nil }
    return String(cString: g_variant_get_string(value, nil))
  }

  /// The button or row on screen, at any depth, that invokes a command with a target.
  public func shown(command: String, target: String) -> Widget? {
    guard isMapped else { return nil }
    if actionName == command, actionTarget == target { return self }
    for child in children {
      if let found = child.shown(command: command, target: target) { return found }
    }
    return nil
  }

  /// Invokes a command by its detailed name, as a button here would.
  /// - Returns: `false` if the command does not exist here or is disabled.
  @discardableResult
  public func activate(_ detailedName: String) -> Bool {
    var name: UnsafeMutablePointer<CChar>?
    var target: OpaquePointer?
    guard g_action_parse_detailed_name(detailedName, &name, &target, nil) != 0 else { return false }
    defer {
      g_free(name)
      if let target { g_variant_unref(target) }
    }
    return gtk_widget_activate_action_variant(self, name, target) != 0
  }

  /// Invokes a command with any string as its target, or, without one, by its detailed name.
  public func activate(_ name: String, target: String?) {
    if let target {
      gtk_widget_activate_action_variant(self, name, g_variant_new_string(target))
    } else {
      activate(name)
    }
  }

  /// Lets the buttons of a dialog invoke the `win.` commands of the window below it.
  public func insertActions(of window: Widget) {
    gtk_widget_insert_action_group(self, "win", window.cast())
  }
}
