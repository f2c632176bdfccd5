import CGio

/// A value of D-Bus. GLib's own constructors with variable arguments can't be called from Swift.
enum Variant {
  static func text(_ text: String) -> OpaquePointer { g_variant_new_string(text) }

  static func tuple(_ items: [OpaquePointer]) -> OpaquePointer {
    let items = items.map(Optional.some)
    return g_variant_new_tuple(items, gsize(items.count))
  }

  /// Returns an array.
  /// - Parameter type: the type of an item, such as `s`.
  static func array(_ type: String, _ items: [OpaquePointer]) -> OpaquePointer {
    let itemType = g_variant_type_new(type)
    defer { g_variant_type_free(itemType) }
    let items = items.map(Optional.some)
    return g_variant_new_array(itemType, items, gsize(items.count))
  }

  static func texts(_ texts: [String]) -> OpaquePointer { array("s", texts.map { text($0) }) }

  /// Returns an `a{sv}`.
  static func dictionary(_ values: [(String, String)]) -> OpaquePointer {
    array("{sv}", values.map { g_variant_new_dict_entry(text($0), g_variant_new_variant(text($1))) })
  }
}

/// The arguments of a call, whose types GLib has checked.
struct Arguments {
  private let tuple: OpaquePointer

  init(_ tuple: OpaquePointer) { self.tuple = tuple }

  func text(_ index: Int) -> String { child(tuple, index) { String(cString: g_variant_get_string($0, nil)) } }

  func texts(_ index: Int) -> [String] {
    child(tuple, index) { array in
      (0..<Int(g_variant_n_children(array))).map { position in
        child(array, position) { String(cString: g_variant_get_string($0, nil)) }
      }
    }
  }

  func number(_ index: Int) -> UInt32 { child(tuple, index) { g_variant_get_uint32($0) } }

  private func child<Value>(_ parent: OpaquePointer, _ index: Int, _ read: (OpaquePointer) -> Value) -> Value {
    let child: OpaquePointer = g_variant_get_child_value(parent, gsize(index))
    defer { g_variant_unref(child) }
    return read(child)
  }
}
