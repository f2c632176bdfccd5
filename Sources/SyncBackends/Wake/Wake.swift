// In an optimized build, the compiler finds the names of GIO that both libraries have only through the one it loaded
// first.
import CSecret
import CSoup

/// An event after which a server or a keyring may be reachable again, or an open connection may be dead.
public enum Wake: Sendable, Equatable {
  /// The network changed; the value says whether one is available. One change can cause several events.
  case network(isAvailable: Bool)
  /// The computer has resumed from suspend.
  case resumed
  /// A program that keeps keyrings has started, or one of its keyrings has changed.
  case keyring
}

extension Wake {
  /// Returns the events from now on, from GLib's network monitor and, if available, from the login manager on the
  /// system bus and the keyring on the session bus. Slow readers get only the newest event.
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
  private var buses: [OpaquePointer] = []

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
    if let bus = connect(to: G_BUS_TYPE_SYSTEM) {
      let manager = "org.freedesktop.login1"
      subscribe(bus, manager, manager + ".Manager", "PrepareForSleep", "/org/freedesktop/login1", preparedForSleep)
    }
    if let bus = connect(to: G_BUS_TYPE_SESSION) {
      let secrets = "org.freedesktop.secrets"
      subscribe(bus, secrets, "org.freedesktop.Secret.Service", nil, "/org/freedesktop/secrets", keyringChanged)
      subscribe(
        bus, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus",
        keyringChanged, about: secrets)
    }
  }

  /// Returns an own connection, because the shared one ends the program when the bus goes away.
  private func connect(to type: GBusType) -> OpaquePointer? {
    guard let address = g_dbus_address_get_for_bus_sync(type, nil, nil) else { return nil }
    defer { g_free(address) }
    let flags = GDBusConnectionFlags(
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    guard let bus = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil) else { return nil }
    buses.append(bus)
    return bus
  }

  private func subscribe(
    _ bus: OpaquePointer, _ sender: String, _ interface: String, _ member: String?, _ path: String,
    _ callback: GDBusSignalCallback, about argument: String? = nil
  ) {
    _ = g_dbus_connection_signal_subscribe(
      bus, sender, interface, member, path, argument, G_DBUS_SIGNAL_FLAGS_NONE, callback, retainedContinuation(),
      releaseObject)
  }

  func stop() {
    if let monitor {
      for handler in handlers { g_signal_handler_disconnect(UnsafeMutableRawPointer(monitor), handler) }
    }
    monitor = nil
    for bus in buses {
      // The last reference frees the subscriptions.
      g_dbus_connection_close(bus, nil, nil, nil)
      g_object_unref(UnsafeMutableRawPointer(bus))
    }
    buses = []
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

private let keyringChanged: GDBusSignalCallback = { _, _, _, _, _, _, data in
  if let data { ContinuationBox.yield(.keyring, to: data) }
}
