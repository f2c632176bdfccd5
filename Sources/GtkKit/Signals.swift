import CGtk
import Synchronization

/// One handler on its way through C. The connection holds the only reference, and its destroy-notify drops
/// it.
final class HandlerBox<Handler: Sendable>: Sendable {
  let handler: Handler

  init(_ handler: Handler) {
    self.handler = handler
    liveHandlers.wrappingAdd(1, ordering: .relaxed)
  }

  deinit {
    liveHandlers.wrappingSubtract(1, ordering: .relaxed)
  }

  /// A retained address for C; `releaseHandler` takes it back.
  static func retained(_ handler: Handler) -> gpointer {
    Unmanaged.passRetained(HandlerBox(handler)).toOpaque()
  }

  static func handler(at data: gpointer) -> Handler {
    Unmanaged<HandlerBox>.fromOpaque(data).takeUnretainedValue().handler
  }
}

private let liveHandlers = Atomic<Int>(0)

/// How many handlers C holds at this moment. Tests compare it before and after, to find leaks.
public var liveHandlerCount: Int { liveHandlers.load(ordering: .relaxed) }

/// Drops what `HandlerBox.retained` gave away, whatever its type.
let releaseHandler: @convention(c) (gpointer?) -> Void = { data in
  guard let data else { return }
  Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// A handler that is connected to a signal. It stays connected when this value is thrown away.
@MainActor public struct Connection {
  let object: UnsafeMutableRawPointer
  let id: gulong

  /// Ends the connection. The object must still be alive.
  public func disconnect() {
    g_signal_handler_disconnect(object, id)
  }

  /// Runs `body` without this handler hearing of it, for setting a value from code.
  public func withoutNotice(_ body: () -> Void) {
    g_signal_handler_block(object, id)
    body()
    g_signal_handler_unblock(object, id)
  }
}

// Every handler is connected swapped: C passes our data first, whatever the signal's own arguments are, so
// one trampoline that ignores the rest serves all signals whose arguments do not matter.
@MainActor extension ObjectPointer {
  /// Calls `handler` at every `signal` that returns nothing, whatever its arguments.
  @discardableResult
  public func on(_ signal: String, _ handler: @escaping @MainActor () -> Void) -> Connection {
    connect(signal, handler, plain)
  }

  /// Calls `handler` when the property changes.
  @discardableResult
  public func onChange(of property: String, _ handler: @escaping @MainActor () -> Void) -> Connection {
    connect("notify::" + property, handler, plain)
  }

  /// For a signal that asks whether it was dealt with, as `close-request`: true stops it.
  @discardableResult
  public func onQuestion(_ signal: String, _ handler: @escaping @MainActor () -> Bool) -> Connection {
    connect(signal, handler, question)
  }

  /// For a signal whose first argument is an object, such as the row of `row-activated`.
  @discardableResult
  public func onObject(
    _ signal: String, _ handler: @escaping @MainActor (OpaquePointer?) -> Void
  ) -> Connection {
    connect(signal, handler, object)
  }

  /// For a signal whose first argument is a text, such as `response`.
  @discardableResult
  public func onText(_ signal: String, _ handler: @escaping @MainActor (String) -> Void) -> Connection {
    connect(signal, handler, text)
  }

  /// For a signal whose first argument is a position, such as `activate` of a list view.
  @discardableResult
  public func onPosition(_ signal: String, _ handler: @escaping @MainActor (Int) -> Void) -> Connection {
    connect(signal, handler, position)
  }

  /// For a signal with a point, such as `motion`.
  @discardableResult
  public func onPoint(
    _ signal: String, _ handler: @escaping @MainActor (Double, Double) -> Void
  ) -> Connection {
    connect(signal, handler, point)
  }

  /// For a signal of a gesture: count of presses and the point.
  @discardableResult
  public func onPress(
    _ signal: String, _ handler: @escaping @MainActor (Int, Double, Double) -> Void
  ) -> Connection {
    connect(signal, handler, press)
  }

  /// For a signal of a key: key value and modifiers; true stops it.
  @discardableResult
  public func onKeySignal(
    _ signal: String, _ handler: @escaping @MainActor (guint, GdkModifierType) -> Bool
  ) -> Connection {
    connect(signal, handler, key)
  }

  private func connect<Handler: Sendable, Callback>(
    _ signal: String, _ handler: Handler, _ callback: Callback
  ) -> Connection {
    let id = g_signal_connect_data(
      address, signal, unsafeBitCast(callback, to: GCallback.self), HandlerBox.retained(handler),
      { data, _ in releaseHandler(data) }, G_CONNECT_SWAPPED)
    return Connection(object: address, id: id)
  }
}

// One trampoline for each C signature. Outside any actor, so that nothing but `assumeIsolated` checks the
// thread.

private let plain: @convention(c) (gpointer) -> Void = { data in
  let handler = HandlerBox<@MainActor () -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler() }
}

private let question: @convention(c) (gpointer) -> gboolean = { data in
  let handler = HandlerBox<@MainActor () -> Bool>.handler(at: data)
  return MainActor.assumeIsolated { handler() }.gboolean
}

private let object: @convention(c) (gpointer, OpaquePointer?) -> Void = { data, object in
  let handler = HandlerBox<@MainActor (OpaquePointer?) -> Void>.handler(at: data)
  let handover = Handover(object)
  MainActor.assumeIsolated { handler(handover.value) }
}

private let text: @convention(c) (gpointer, UnsafePointer<CChar>) -> Void = { data, text in
  let handler = HandlerBox<@MainActor (String) -> Void>.handler(at: data)
  let text = String(cString: text)
  MainActor.assumeIsolated { handler(text) }
}

private let position: @convention(c) (gpointer, guint) -> Void = { data, position in
  let handler = HandlerBox<@MainActor (Int) -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler(Int(position)) }
}

private let point: @convention(c) (gpointer, Double, Double) -> Void = { data, x, y in
  let handler = HandlerBox<@MainActor (Double, Double) -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler(x, y) }
}

private let press: @convention(c) (gpointer, gint, Double, Double) -> Void = { data, count, x, y in
  let handler = HandlerBox<@MainActor (Int, Double, Double) -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler(Int(count), x, y) }
}

private let key: @convention(c) (gpointer, guint, guint, GdkModifierType) -> gboolean = {
  data, value, _, modifiers in
  let handler = HandlerBox<@MainActor (guint, GdkModifierType) -> Bool>.handler(at: data)
  return MainActor.assumeIsolated { handler(value, modifiers) }.gboolean
}
