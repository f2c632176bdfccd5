import CGtk
import CShim
import Glibc

/// Calls when the wall clock reaches a time, and at once when the clock is set or the computer wakes up.
///
/// A timer of GLib counts running time: it would come hours late after a suspend and know nothing of a clock that was
/// set. It costs no wake-up until then. Ends when this object goes.
@MainActor public final class WallTimer {
  private let handle = trunk_timer_new()
  private var source: guint = 0

  /// - Parameter handler: called for every time that was set, and for every jump of the clock.
  public init(_ handler: @escaping @MainActor () -> Void) {
    guard handle >= 0 else { return }
    source = g_unix_fd_add_full(
      G_PRIORITY_DEFAULT, handle, G_IO_IN, readAndCall, HandlerBox.retained(handler), releaseHandler)
  }

  /// - Parameter milliseconds: since 1970, by the wall clock. Replaces the time set before.
  public func set(at milliseconds: Int64) {
    guard handle >= 0 else { return }
    trunk_timer_set(handle, milliseconds)
  }

  isolated deinit {
    if source != 0 { g_source_remove(source) }
    if handle >= 0 { Glibc.close(handle) }
  }
}

private let readAndCall: GUnixFDSourceFunc = { handle, _, data in
  // Reading makes the handle quiet again: it gives the count of expiries, or ECANCELED when the clock was set.
  var count: UInt64 = 0
  _ = read(handle, &count, MemoryLayout.size(ofValue: count))
  guard let data else { return 0 }
  let handler = HandlerBox<@MainActor () -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler() }
  return 1
}
