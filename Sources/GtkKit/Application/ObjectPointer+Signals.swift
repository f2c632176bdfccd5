import CGtk
import Synchronization

/// Passes a handler through C. The connection holds the only reference and releases it in the destroy-notify.
final class HandlerBox<Handler: Sendable>: Sendable {
  let handler: Handler

  init(_ handler: Handler) {
    self.handler = handler
    liveHandlers.wrappingAdd(1, ordering: .relaxed)
  }

  deinit {
    liveHandlers.wrappingSubtract(1, ordering: .relaxed)
  }

  /// A retained address for C, which `releaseHandler` releases.
  static func retained(_ handler: Handler) -> gpointer {
    Unmanaged.passRetained(HandlerBox(handler)).toOpaque()
  }

  static func handler(at data: gpointer) -> Handler {
    Unmanaged<HandlerBox>.fromOpaque(data).takeUnretainedValue().handler
  }
}

private let liveHandlers = Atomic<Int>(0)

/// The number of handlers that C holds. Tests compare it before and after to find leaks.
public var liveHandlerCount: Int { liveHandlers.load(ordering: .relaxed) }

/// Releases the box that `HandlerBox.retained` returned, for any type of handler.
let releaseHandler: @convention(c) (gpointer?) -> Void = { data in
  guard let data else { return }
  Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// A handler that is connected to a signal. It stays connected if this value is discarded.
@MainActor public struct Connection {
  let object: UnsafeMutableRawPointer
  let id: gulong

  /// Disconnects the handler. The object must still be alive.
  public func disconnect() {
    g_signal_handler_disconnect(object, id)
  }

  /// Runs `body` with this handler blocked, for setting a value from code.
  public func withoutNotice(_ body: () -> Void) {
    g_signal_handler_block(object, id)
    body()
    g_signal_handler_unblock(object, id)
  }
}

// Every handler is connected swapped: C passes our data first, before the signal's own arguments. So one trampoline
// that ignores the rest serves all signals whose arguments don't matter.
@MainActor extension ObjectPointer {
  /// Calls `handler` for a signal without a return value, ignoring its arguments.
  @discardableResult
  public func on(_ signal: String, _ handler: @escaping @MainActor () -> Void) -> Connection {
    connect(signal, handler, plain)
  }

  /// Calls `handler` when the property changes.
  @discardableResult
  public func onChange(of property: String, _ handler: @escaping @MainActor () -> Void) -> Connection {
    connect("notify::" + property, handler, plain)
  }

  /// Handles a signal that asks whether it was handled, such as `close-request`; returning true stops it.
  @discardableResult
  public func onQuestion(_ signal: String, _ handler: @escaping @MainActor () -> Bool) -> Connection {
    connect(signal, handler, question)
  }

  /// Handles a signal whose first argument is an object, such as the row of `row-activated`.
  @discardableResult
  public func onObject(
    _ signal: String, _ handler: @escaping @MainActor (OpaquePointer?) -> Void
  ) -> Connection {
    connect(signal, handler, object)
  }

  /// Handles a signal with an object and a number, such as the page of `draw-page`.
  @discardableResult
  public func onObjectAndNumber(
    _ signal: String, _ handler: @escaping @MainActor (OpaquePointer?, Int) -> Void
  ) -> Connection {
    connect(signal, handler, objectAndNumber)
  }

  /// Handles a signal whose first argument is a string, such as `response`.
  @discardableResult
  public func onText(_ signal: String, _ handler: @escaping @MainActor (String) -> Void) -> Connection {
    connect(signal, handler, text)
  }

  /// Handles a signal with a string that asks whether it was handled, such as `activate-link`; returning true stops it.
  @discardableResult
  public func onTextQuestion(_ signal: String, _ handler: @escaping @MainActor (String) -> Bool) -> Connection {
    connect(signal, handler, textQuestion)
  }

  /// Handles a signal whose first argument is a position, such as `activate` of a list view.
  @discardableResult
  public func onPosition(_ signal: String, _ handler: @escaping @MainActor (Int) -> Void) -> Connection {
    connect(signal, handler, position)
  }

  /// Handles a signal with a point, such as `motion`.
  @discardableResult
  public func onPoint(
    _ signal: String, _ handler: @escaping @MainActor (Double, Double) -> Void
  ) -> Connection {
    connect(signal, handler, point)
  }

  /// Handles a signal with a number, such as `scale-changed`.
  @discardableResult
  public func onNumber(_ signal: String, _ handler: @escaping @MainActor (Double) -> Void) -> Connection {
    connect(signal, handler, number)
  }

  /// Handles a gesture's signal with a number of presses and a point.
  @discardableResult
  public func onPress(
    _ signal: String, _ handler: @escaping @MainActor (Int, Double, Double) -> Void
  ) -> Connection {
    connect(signal, handler, press)
  }

  /// Handles a key signal with key value and modifiers; returning true stops it.
  @discardableResult
  public func onKeySignal(
    _ signal: String, _ handler: @escaping @MainActor (guint, GdkModifierType) -> Bool
  ) -> Connection {
    connect(signal, handler, key)
  }

  /// Handles a signal with two distances, such as `scroll`; returning true stops it.
  @discardableResult
  public func onDistance(
    _ signal: String, _ handler: @escaping @MainActor (Double, Double) -> Bool
  ) -> Connection {
    connect(signal, handler, distance)
  }

  /// Handles the signal `open` of an application with the addresses of the files.
  @discardableResult
  public func onFiles(_ signal: String, _ handler: @escaping @MainActor ([String]) -> Void) -> Connection {
    connect(signal, handler, files)
  }

  /// Handles the signal `drop` of files with their addresses; returning true accepts them.
  @discardableResult
  func onDroppedFiles(_ handler: @escaping @MainActor ([String]) -> Bool) -> Connection {
    connect("drop", handler, droppedFiles)
  }

  /// Handles the options of an application's command line. The handler returns the exit code of the program, or a
  /// negative number to start it as usual.
  @discardableResult
  func onOptions(
    _ handler: @escaping @MainActor (UnsafeMutablePointer<GVariantDict>) -> CInt
  ) -> Connection {
    connect("handle-local-options", handler, options)
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

// One trampoline per C signature, outside any actor: only `assumeIsolated` checks the thread.

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

private let objectAndNumber: @convention(c) (gpointer, OpaquePointer?, gint) -> Void = { data, object, number in
  let handler = HandlerBox<@MainActor (OpaquePointer?, Int) -> Void>.handler(at: data)
  let handover = Handover(object)
  MainActor.assumeIsolated { handler(handover.value, Int(number)) }
}

private let text: @convention(c) (gpointer, UnsafePointer<CChar>) -> Void = { data, text in
  let handler = HandlerBox<@MainActor (String) -> Void>.handler(at: data)
  let text = String(cString: text)
  MainActor.assumeIsolated { handler(text) }
}

private let textQuestion: @convention(c) (gpointer, UnsafePointer<CChar>) -> gboolean = { data, text in
  let handler = HandlerBox<@MainActor (String) -> Bool>.handler(at: data)
  let text = String(cString: text)
  return MainActor.assumeIsolated { handler(text) }.gboolean
}

private let position: @convention(c) (gpointer, guint) -> Void = { data, position in
  let handler = HandlerBox<@MainActor (Int) -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler(Int(position)) }
}

private let point: @convention(c) (gpointer, Double, Double) -> Void = { data, x, y in
  let handler = HandlerBox<@MainActor (Double, Double) -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler(x, y) }
}

private let number: @convention(c) (gpointer, Double) -> Void = { data, value in
  let handler = HandlerBox<@MainActor (Double) -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler(value) }
}

private let distance: @convention(c) (gpointer, Double, Double) -> gboolean = { data, x, y in
  let handler = HandlerBox<@MainActor (Double, Double) -> Bool>.handler(at: data)
  return MainActor.assumeIsolated { handler(x, y) }.gboolean
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

private let options: @convention(c) (gpointer, UnsafeMutablePointer<GVariantDict>) -> gint = { data, options in
  let handler = HandlerBox<@MainActor (UnsafeMutablePointer<GVariantDict>) -> CInt>.handler(at: data)
  let handover = Handover(options)
  return MainActor.assumeIsolated { handler(handover.value) }
}

private let files: @convention(c) (gpointer, UnsafePointer<OpaquePointer?>?, gint) -> Void = { data, files, count in
  let handler = HandlerBox<@MainActor ([String]) -> Void>.handler(at: data)
  let addresses = (0..<Int(count)).compactMap { files?[$0].flatMap(address) }
  MainActor.assumeIsolated { handler(addresses) }
}

private let droppedFiles: @convention(c) (gpointer, UnsafePointer<GValue>) -> gboolean = { data, value in
  let handler = HandlerBox<@MainActor ([String]) -> Bool>.handler(at: data)
  guard let dropped = g_value_get_boxed(value) else { return 0 }
  var addresses: [String] = []
  let list = gdk_file_list_get_files(OpaquePointer(dropped))
  var next = list
  while let item = next {
    if let file = item.pointee.data, let address = address(of: OpaquePointer(file)) { addresses.append(address) }
    next = item.pointee.next
  }
  g_slist_free(list)
  return MainActor.assumeIsolated { handler(addresses) }.gboolean
}

private func address(of file: OpaquePointer) -> String? {
  guard let text = g_file_get_uri(file) else { return nil }
  defer { g_free(text) }
  return String(cString: text)
}
