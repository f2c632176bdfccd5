import CGtk
import CShim
import Glibc

/// Calls a handler when the wall clock reaches a time, and immediately when the clock is set or the computer wakes up.
///
/// GLib's timers count running time: after a suspend they would be hours late, and they don't notice a changed clock.
/// This timer wakes the program only when it calls the handler. Releasing this object stops it.
@MainActor public final class WallTimer {
  private let handle = trunk_timer_new()
  private var source: guint = 0

  /// - Parameter handler: called for each time that was set, and for each jump of the clock.
  public init(_ handler: @escaping @MainActor () -> Void) {
    guard handle >= 0 else { return }
    source = g_unix_fd_add_full(
      G_PRIORITY_DEFAULT, handle, G_IO_IN, readAndCall, HandlerBox.retained(handler), releaseHandler)
  }

  /// - Parameter milliseconds: since 1970, by the wall clock. Replaces the previous time.
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
  // Reading clears the handle. It returns the number of expiries, or ECANCELED if the clock was set.
  var count: UInt64 = 0
  _ = read(handle, &count, MemoryLayout.size(ofValue: count))
  guard let data else { return 0 }
  let handler = HandlerBox<@MainActor () -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler() }
  return 1
}
