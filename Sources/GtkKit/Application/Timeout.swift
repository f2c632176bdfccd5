import CGtk

/// A single or repeated call on the main loop. Releasing this object cancels it.
@MainActor public final class Timeout {
  private var source: guint = 0

  /// Calls `handler` once, after this many milliseconds.
  public static func after(milliseconds: Int, _ handler: @escaping @MainActor () -> Void) -> Timeout {
    let timeout = Timeout()
    timeout.start(milliseconds) { [weak timeout] in
      timeout?.source = 0
      handler()
      return false
    }
    return timeout
  }

  /// Calls `handler` at this interval until it returns false.
  public static func every(milliseconds: Int, _ handler: @escaping @MainActor () -> Bool) -> Timeout {
    let timeout = Timeout()
    timeout.start(milliseconds) { [weak timeout] in
      let goesOn = handler()
      if !goesOn { timeout?.source = 0 }
      return goesOn
    }
    return timeout
  }

  /// Returns when the main loop has nothing more urgent to do. A frame that is due is painted before.
  public static func untilIdle() async {
    await withCheckedContinuation { continuation in
      let resume: @MainActor () -> Bool = {
        continuation.resume()
        return false
      }
      g_idle_add_full(G_PRIORITY_LOW, callAgain, HandlerBox.retained(resume), releaseHandler)
    }
  }

  /// Whether a call is still pending.
  public var isPending: Bool { source != 0 }

  /// Cancels further calls. May be called twice, and from the handler.
  public func cancel() {
    guard source != 0 else { return }
    g_source_remove(source)
    source = 0
  }

  private func start(_ milliseconds: Int, _ handler: @escaping @MainActor () -> Bool) {
    source = g_timeout_add_full(
      G_PRIORITY_DEFAULT, guint(clamping: milliseconds), callAgain, HandlerBox.retained(handler),
      releaseHandler)
  }

  isolated deinit {
    cancel()
  }
}

@MainActor extension Widget {
  /// Calls `handler` once, after the window's first frame is painted.
  public func onFirstFrame(_ handler: @escaping @MainActor () -> Void) {
    on("map") {
      onFrame {
        handler()
        return false
      }
    }
  }

  /// Calls `handler` after each painted frame of this widget's mapped window, until it returns false.
  public func onFrame(_ handler: @escaping @MainActor () -> Bool) {
    guard let clock = gtk_widget_get_frame_clock(self) else { return }
    var connection: Connection?
    connection = clock.on("after-paint") {
      guard let current = connection, !handler() else { return }
      connection = nil
      current.disconnect()
    }
  }
}

private let callAgain: GSourceFunc = { data in
  guard let data else { return 0 }
  let handler = HandlerBox<@MainActor () -> Bool>.handler(at: data)
  return MainActor.assumeIsolated { handler() }.gboolean
}
