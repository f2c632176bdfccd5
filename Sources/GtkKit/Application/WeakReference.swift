import CGtk

/// Refers to a GObject without keeping it alive.
@MainActor public final class WeakReference {
  // GLib stores the address of this place.
  private let place = UnsafeMutablePointer<GWeakRef>.allocate(capacity: 1)

  public init(_ object: some ObjectPointer) {
    g_weak_ref_init(place, object.address)
  }

  /// The object as a widget; `nil` if it no longer exists.
  public var widget: Widget? {
    guard let object = g_weak_ref_get(place) else { return nil }
    // Only its owners keep it alive. They use it on this thread, so it can't disappear before this one returns.
    g_object_unref(object)
    return object.widget
  }

  isolated deinit {
    g_weak_ref_clear(place)
    place.deallocate()
  }
}
