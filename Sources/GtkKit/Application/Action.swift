import CGtk

/// A named command of the application (`app.…`) or of a window (`win.…`), invoked by menus, keys, notifications, D-Bus
/// and tests. The application or window owns it, so this value may be discarded.
@MainActor public final class Action {
  private let reference: Reference

  /// The current choice. Setting it does not call the handler.
  public var choice: String {
    get { withState { String(cString: g_variant_get_string($0, nil)) } ?? "" }
    set { g_simple_action_set_state(reference.object, g_variant_new_string(newValue)) }
  }

  /// Activates the command like a menu item.
  public func activate() {
    g_action_activate(reference.object, nil)
  }

  /// Activates the command like a menu item with this target.
  public func activate(_ target: String) {
    g_action_activate(reference.object, g_variant_new_string(target))
  }

  var address: UnsafeMutableRawPointer { reference.object.address }

  fileprivate init(adopting action: OpaquePointer) {
    reference = Reference(adopting: action)
  }

  private func withState<Value>(_ read: (OpaquePointer) -> Value) -> Value? {
    guard let state = g_action_get_state(reference.object) else { return nil }
    defer { g_variant_unref(state) }
    return read(state)
  }
}

@MainActor extension ObjectPointer {
  /// Adds a command without a target to this application or window.
  @discardableResult
  public func addAction(_ name: String, _ handler: @escaping @MainActor () -> Void) -> Action {
    add(g_simple_action_new(name, nil)) { $0.on("activate", handler) }
  }

  /// Adds a command whose target is a string, such as the id of a sprout.
  @discardableResult
  public func addAction(_ name: String, target handler: @escaping @MainActor (String) -> Void) -> Action {
    add(withTextType { g_simple_action_new(name, $0) }) { action in
      action.onObject("activate") { target in
        guard let target else { return }
        handler(String(cString: g_variant_get_string(target, nil)))
      }
    }
  }

  /// Adds a command that selects one of several strings. `handler` receives the new choice, which is already set.
  @discardableResult
  public func addChoice(
    _ name: String, choice: String, _ handler: @escaping @MainActor (String) -> Void
  ) -> Action {
    add(withTextType { g_simple_action_new_stateful(name, $0, g_variant_new_string(choice)) }) { action in
      action.onObject("change-state") { state in
        guard let state else { return }
        g_simple_action_set_state(action, state)
        handler(String(cString: g_variant_get_string(state, nil)))
      }
    }
  }

  /// Adds a command that turns something on and off. A menu shows it with a check mark. `handler` receives the new
  /// state, which is already set.
  @discardableResult
  public func addSwitch(_ name: String, isOn: Bool, _ handler: @escaping @MainActor (Bool) -> Void) -> Action {
    add(g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn.gboolean))) { action in
      action.onObject("change-state") { state in
        guard let state else { return }
        g_simple_action_set_state(action, state)
        handler(g_variant_get_boolean(state) != 0)
      }
    }
  }

  /// Sets the keys of a command of this application, for example `<Control>q`. A detailed name may include a target:
  /// `win.view::today`.
  public func setKeys(_ keys: [String], for action: String) {
    let copies = keys.map { g_strdup($0) }
    defer { copies.forEach { g_free($0) } }
    var list = copies.map { UnsafePointer($0) } + [nil]
    gtk_application_set_accels_for_action(cast(), action, &list)
  }

  private func add(_ action: OpaquePointer, connect: (OpaquePointer) -> Connection) -> Action {
    _ = connect(action)
    g_action_map_add_action(cast(), action)
    return Action(adopting: action)
  }

  private func withTextType(_ make: (OpaquePointer?) -> OpaquePointer) -> OpaquePointer {
    let type = g_variant_type_new("s")
    defer { g_variant_type_free(type) }
    return make(type)
  }
}

/// A menu item, or a section of them.
public indirect enum MenuEntry {
  /// A command by its detailed name, for example `app.quit` or `win.view::tree`. The application's keys for it are
  /// shown automatically; give `key`, for example `<Control>z`, only if something else handles it. A `target` can be
  /// any text, unlike one in the name.
  case item(String, action: String, key: String? = nil, target: String? = nil)
  /// Items between two separators.
  case section([MenuEntry])
}

/// A menu model for menu buttons. Labels are shown as they are; an underscore is not an access key.
@MainActor public func menu(_ entries: [MenuEntry]) -> Reference {
  let menu = Reference(adopting: g_menu_new())
  menu.use { append(entries, to: $0) }
  return menu
}

/// Appends items to a `GMenu`, which may be shown already.
@MainActor func append(_ entries: [MenuEntry], to menu: OpaquePointer) {
  for entry in entries {
    switch entry {
    case .item(let label, let action, let key, let target):
      Reference(adopting: g_menu_item_new(withoutMnemonic(label), action)).use { item in
        if let key { g_menu_item_set_attribute_value(item, "accel", g_variant_new_string(key)) }
        if let target { g_menu_item_set_action_and_target_value(item, action, g_variant_new_string(target)) }
        g_menu_append_item(menu, item)
      }
    case .section(let entries):
      GtkKit.menu(entries).use { g_menu_append_section(menu, nil, $0.cast()) }
    }
  }
}
