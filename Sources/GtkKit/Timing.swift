import CGtk

/// A call in the future, or a repeated one, on the main loop. It is cancelled when this object goes.
@MainActor public final class Timeout {
  private var source: guint = 0

  /// Calls `handler` once, after that many milliseconds.
  public static func after(milliseconds: Int, _ handler: @escaping @MainActor () -> Void) -> Timeout {
    let timeout = Timeout()
    timeout.start(milliseconds) { [weak timeout] in
      timeout?.source = 0
      handler()
      return false
    }
    return timeout
  }

  /// Calls `handler` every so many milliseconds until it returns false.
  public static func every(milliseconds: Int, _ handler: @escaping @MainActor () -> Bool) -> Timeout {
    let timeout = Timeout()
    timeout.start(milliseconds) { [weak timeout] in
      let goesOn = handler()
      if !goesOn { timeout?.source = 0 }
      return goesOn
    }
    return timeout
  }

  /// Whether the call is still to come.
  public var isPending: Bool { source != 0 }

  /// Nothing is called after this. May be called twice, and from the handler.
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
  /// Calls `handler` once, when the first frame of this window is painted.
  public func onFirstFrame(_ handler: @escaping @MainActor () -> Void) {
    on("map") {
      onFrame {
        handler()
        return false
      }
    }
  }

  /// Calls `handler` after each painted frame of the mapped window that this is in until it returns false.
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
