@_exported import CGtk

/// Any GTK widget. Builders return this type; `cast()` gives the one that a C function asks for.
public typealias Widget = UnsafeMutablePointer<GtkWidget>

/// Whatever stands for a GObject: GTK's public structs arrive in Swift as `UnsafeMutablePointer<GtkBox>`,
/// its final types as `OpaquePointer`.
public protocol ObjectPointer {
  /// The address of the instance.
  var address: UnsafeMutableRawPointer { get }
}

extension UnsafeMutablePointer: ObjectPointer {
  public var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension OpaquePointer: ObjectPointer {
  public var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutableRawPointer: ObjectPointer {
  public var address: UnsafeMutableRawPointer { self }
}

extension ObjectPointer {
  /// The same instance as the struct pointer that the context asks for. Not checked, like a C cast.
  public func cast<Struct>() -> UnsafeMutablePointer<Struct> {
    address.assumingMemoryBound(to: Struct.self)
  }

  /// The same instance for a C function of a final type. Not checked, like a C cast.
  public func cast() -> OpaquePointer {
    OpaquePointer(address)
  }

  /// The same instance as a widget. Not checked, like a C cast.
  public var widget: Widget { cast() }

  /// Whether the instance is of that type or one derived from it.
  public func isA(_ type: GType) -> Bool {
    g_type_check_instance_is_a(cast(), type) != 0
  }
}

extension Bool {
  /// GLib's truth value.
  public var gboolean: CInt { self ? 1 : 0 }
}

/// Keeps one GObject alive as long as it lives itself.
///
/// Swift may let go of a local variable right after its last mention, before a C function that got `object`
/// is done: keep references in properties, or use them through `use`.
@MainActor public final class Reference {
  /// The instance.
  public let object: OpaquePointer

  /// Adds a reference of its own; a floating one is sunk. For widgets and for objects that a getter lends.
  public init(retaining object: some ObjectPointer) {
    self.object = object.cast()
    g_object_ref_sink(object.address)
  }

  /// Takes over the reference that a constructor returned.
  public init(adopting object: some ObjectPointer) {
    self.object = object.cast()
  }

  /// Hands out the instance and lives at least until `body` returns.
  public func use<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(object) }
  }

  isolated deinit {
    g_object_unref(object.address)
  }
}

/// Carries a pointer from a C callback on the main thread into `MainActor.assumeIsolated`.
///
/// Unchecked, because the callback and the isolated closure run on the same thread, one inside the other.
struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
