// In an optimized build, the compiler finds the names of GIO that both libraries have only through the one it loaded
// first.
import CSecret
import CSoup

/// An event after which a server may be reachable again, or an open connection may be dead.
public enum Wake: Sendable, Equatable {
  /// The network changed; the value says whether one is available. One change can cause several events.
  case network(isAvailable: Bool)
  /// The computer has resumed from suspend.
  case resumed
}

extension Wake {
  /// Returns the events from now on, from GLib's network monitor and, if available, from the login manager on the
  /// system bus. Slow readers get only the newest event.
  public static func events() async -> AsyncStream<Wake> {
    let (signs, continuation) = AsyncStream<Wake>.makeStream(bufferingPolicy: .bufferingNewest(8))
    let watch = WakeWatch(continuation)
    await watch.start()
    continuation.onTermination = { _ in Task { await watch.stop() } }
    return signs
  }
}

/// The signal handlers of one stream.
private actor WakeWatch {
  /// Lives as long as the program: GLib's monitor exists once, and reports in the loop in which it was created.
  private static let thread = LoopThread(name: "wakes")

  private let continuation: AsyncStream<Wake>.Continuation
  private var monitor: OpaquePointer?
  private var handlers: [gulong] = []
  private var bus: OpaquePointer?
  private var subscription: guint = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { WakeWatch.thread.asUnownedSerialExecutor() }

  init(_ continuation: AsyncStream<Wake>.Continuation) {
    self.continuation = continuation
  }

  func start() {
    monitor = g_network_monitor_get_default()
    // The first signal reports addresses and routes; the second, connectivity found by a network manager.
    handlers = ["network-changed", "notify::connectivity"].map { (signal: String) in
      g_signal_connect_data(
        monitor.map { UnsafeMutableRawPointer($0) }, signal, unsafeBitCast(networkChanged, to: GCallback.self),
        retainedContinuation(), { data, _ in releaseObject(data) }, GConnectFlags(0))
    }
    listenToSystemBus()
  }

  /// Uses its own connection, because the shared one ends the program when the bus goes away.
  private func listenToSystemBus() {
    guard let address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nil, nil) else { return }
    defer { g_free(address) }
    let flags = GDBusConnectionFlags(
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    bus = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil)
    guard let bus else { return }
    subscription = g_dbus_connection_signal_subscribe(
      bus, "org.freedesktop.login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "/org/freedesktop/login1",
      nil, G_DBUS_SIGNAL_FLAGS_NONE, preparedForSleep, retainedContinuation(), releaseObject)
  }

  func stop() {
    if let monitor {
      for handler in handlers { g_signal_handler_disconnect(UnsafeMutableRawPointer(monitor), handler) }
    }
    monitor = nil
    guard let bus else { return }
    g_dbus_connection_signal_unsubscribe(bus, subscription)
    g_dbus_connection_close(bus, nil, nil, nil)
    g_object_unref(UnsafeMutableRawPointer(bus))
    self.bus = nil
  }

  private func retainedContinuation() -> gpointer {
    Unmanaged.passRetained(ContinuationBox(continuation)).toOpaque()
  }
}

private final class ContinuationBox: Sendable {
  let continuation: AsyncStream<Wake>.Continuation
  init(_ continuation: AsyncStream<Wake>.Continuation) { self.continuation = continuation }

  static func yield(_ sign: Wake, to data: gpointer) {
    Unmanaged<ContinuationBox>.fromOpaque(data).takeUnretainedValue().continuation.yield(sign)
  }
}

/// Handles both signals: their second arguments differ, but neither is needed.
private let networkChanged: @convention(c) (OpaquePointer, gpointer?, gpointer) -> Void = { monitor, _, data in
  ContinuationBox.yield(.network(isAvailable: g_network_monitor_get_network_available(monitor) != 0), to: data)
}

private let preparedForSleep: GDBusSignalCallback = { _, _, _, _, _, parameters, data in
  // True before a suspend, false after it.
  guard let data, let parameters, String(cString: g_variant_get_type_string(parameters)) == "(b)" else { return }
  let value = g_variant_get_child_value(parameters, 0)
  defer { g_variant_unref(value) }
  if g_variant_get_boolean(value) == 0 { ContinuationBox.yield(.resumed, to: data) }
}
