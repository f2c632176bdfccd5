import CGtk

/// Ignores the keys in the first second of a window that appears by itself: they were meant for what was there before.
/// A key that is pressed in this second is ignored until it is released.
@MainActor struct KeyPause {
  /// In microseconds.
  static let length: gint64 = 1_000_000

  /// When the window was first painted, in microseconds; `nil` before that.
  var start: gint64?
  private var held: Set<guint> = []

  /// - Parameter now: in microseconds, by the clock of `start`.
  /// - Returns: whether the key does nothing.
  mutating func ignoresPress(of key: guint, at now: gint64) -> Bool {
    let isEarly = start.map { now - $0 < KeyPause.length } ?? true
    if isEarly { held.insert(key) }
    return isEarly || held.contains(key)
  }

  mutating func released(_ key: guint) { held.remove(key) }
}

extension Widget {
  /// Ignores keys from now until a second after the first frame of this window, which isn't shown yet.
  @MainActor func ignoreKeysAtFirst() {
    var pause = KeyPause()
    onFirstFrame { pause.start = g_get_monotonic_time() }
    let controller = addKeyController(capture: true)
    controller.onKeySignal("key-pressed") { key, _ in pause.ignoresPress(of: key, at: g_get_monotonic_time()) }
    controller.onKeySignal("key-released") { key, _ in
      pause.released(key)
      return false
    }
  }
}
