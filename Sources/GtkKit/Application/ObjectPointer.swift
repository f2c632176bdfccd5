import CGtk

/// Any GTK widget. Builders return this type; `cast()` converts it to the type that a C function needs.
public typealias Widget = UnsafeMutablePointer<GtkWidget>

/// A pointer to a GObject. Swift imports GTK's public structs as `UnsafeMutablePointer<GtkBox>` and its final types as
/// `OpaquePointer`.
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
  /// Casts to the struct pointer that the context requires. Unchecked, like a C cast.
  public func cast<Struct>() -> UnsafeMutablePointer<Struct> {
    address.assumingMemoryBound(to: Struct.self)
  }

  /// Casts for a C function of a final type. Unchecked, like a C cast.
  public func cast() -> OpaquePointer {
    OpaquePointer(address)
  }

  /// Casts to a widget. Unchecked, like a C cast.
  public var widget: Widget { cast() }

  /// Whether the instance has this type or one derived from it.
  public func isA(_ type: GType) -> Bool {
    g_type_check_instance_is_a(cast(), type) != 0
  }
}

extension Bool {
  /// The value as a `gboolean`.
  public var gboolean: CInt { self ? 1 : 0 }
}

/// Holds a strong reference to a GObject.
///
/// Swift may release a local variable right after its last use, before a C function that received `object` returns.
/// Keep references in properties, or use them through `use`.
@MainActor public final class Reference {
  /// The instance.
  public let object: OpaquePointer

  /// Adds a reference, or sinks a floating one. For widgets, and for objects that a getter returns without ownership.
  public init(retaining object: some ObjectPointer) {
    self.object = object.cast()
    g_object_ref_sink(object.address)
  }

  /// Takes ownership of the reference that a constructor returned.
  public init(adopting object: some ObjectPointer) {
    self.object = object.cast()
  }

  /// Passes the instance to `body` and keeps it alive until `body` returns.
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
