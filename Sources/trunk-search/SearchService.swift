import CGio
import Synchronization
import TrunkKit

/// Answers the desktop's search over D-Bus. Ends the program after some seconds without a query.
///
/// Calls arrive on the main thread, which runs GLib's loop. They are answered from other threads, as GDBus allows.
final class SearchService: Sendable {
  // Both are used from several threads, as GLib allows: https://docs.gtk.org/gio/class.DBusConnection.html says so of
  // connections, and `g_main_loop_quit` may be called from any thread.
  private nonisolated(unsafe) let connection: OpaquePointer
  private nonisolated(unsafe) let loop: OpaquePointer
  private let search = DesktopSearch()
  /// The ID of GLib's timeout that ends the program; 0 before the first one.
  private let ending = Atomic<UInt32>(0)
  private let openCalls = Atomic<Int>(0)

  /// How long the program waits for another query, in seconds.
  private static let idleTime: UInt32 = 10

  init(on connection: OpaquePointer, endingWith loop: OpaquePointer) {
    (self.connection, self.loop) = (connection, loop)
  }

  /// Offers the service on the bus.
  /// - Returns: whether the bus accepted it.
  func start() -> Bool {
    guard let node = g_dbus_node_info_new_for_xml(SearchInterface.xml, nil) else { return false }
    defer { g_dbus_node_info_unref(node) }
    var table = GDBusInterfaceVTable()
    table.method_call = callReceived
    let data = Unmanaged.passRetained(self).toOpaque()
    for interface in [SearchInterface.gnome, .krunner] {
      let info = g_dbus_node_info_lookup_interface(node, interface.rawValue)
      guard
        g_dbus_connection_register_object(connection, SearchInterface.objectPath, info, &table, data, nil, nil) != 0
      else { return false }
    }
    g_bus_own_name_on_connection(
      connection, SearchInterface.busName, G_BUS_NAME_OWNER_FLAGS_NONE, nil, nameLost, data, nil)
    postponeEnd()
    return true
  }

  /// Ends the program because it has lost its name, or never got it.
  func end() { g_main_loop_quit(loop) }

  /// Restarts the timeout that ends the program. Call it on the main thread.
  private func postponeEnd() {
    let old = ending.load(ordering: .relaxed)
    if old != 0 { g_source_remove(old) }
    let source = g_timeout_add_seconds(Self.idleTime, timeOver, Unmanaged.passUnretained(self).toOpaque())
    ending.store(source, ordering: .relaxed)
  }

  /// - Returns: whether to check again later, because a query is still running.
  fileprivate func endIfIdle() -> Bool {
    guard openCalls.load(ordering: .relaxed) == 0 else { return true }
    ending.store(0, ordering: .relaxed)
    end()
    return false
  }

  fileprivate func receive(_ method: String, _ arguments: Arguments, _ call: Call) {
    postponeEnd()
    switch method {
    case "GetInitialResultSet": answer(call, for: arguments.texts(0).joined(separator: " "), SearchAnswer.ids)
    case "GetSubsearchResultSet": answer(call, for: arguments.texts(1).joined(separator: " "), SearchAnswer.ids)
    case "Match": answer(call, for: arguments.text(0), SearchAnswer.matches)
    case "GetResultMetas": answerDetails(call, arguments.texts(0))
    case "Actions": call.answer(Variant.array("(sss)", []))
    case "ActivateResult": open(DesktopSearch.route(ofID: arguments.text(0)), arguments.number(2), call)
    case "Run": open(DesktopSearch.route(ofID: arguments.text(0)), 0, call)
    case "LaunchSearch":
      open(.search(arguments.texts(0).joined(separator: " ")), arguments.number(1), call)
    default: call.answer(nil)
    }
  }
}

extension SearchService {
  private func answer(
    _ call: Call, for text: String, _ write: @escaping @Sendable ([DesktopSearch.Result]) -> OpaquePointer
  ) {
    run {
      call.answer(write(await Self.found { try await self.search.results(for: text) }))
    }
  }

  /// Returns no results if the garden can't be read: neither desktop can show an error, and the window explains the
  /// error when it is opened.
  private static func found(_ read: () async throws -> [DesktopSearch.Result]) async -> [DesktopSearch.Result] {
    do { return try await read() } catch { return [] }
  }

  private func answerDetails(_ call: Call, _ ids: [String]) {
    run {
      call.answer(SearchAnswer.details(await Self.found { try await self.search.results(withIDs: ids) }))
    }
  }

  private func run(_ work: @escaping @Sendable () async -> Void) {
    openCalls.wrappingAdd(1, ordering: .relaxed)
    Task.detached {
      await work()
      self.openCalls.wrappingSubtract(1, ordering: .relaxed)
    }
  }

  /// Opens a page in the window, which the bus starts if it isn't running.
  /// - Parameter time: of the user's action, from the window system; 0 if it is unknown.
  private func open(_ route: Route?, _ time: UInt32, _ call: Call) {
    defer { call.answer(nil) }
    guard let route else { return }
    // GTK takes the time from the end of this text, so that the window may take the focus.
    let platform = time == 0 ? [] : [("desktop-startup-id", "trunk-search_TIME\(time)")]
    g_dbus_connection_call(
      connection, "garden.trunk.trunk", "/garden/trunk/trunk", "org.freedesktop.Application", "Open",
      Variant.tuple([Variant.texts([route.address]), Variant.dictionary(platform)]), nil, G_DBUS_CALL_FLAGS_NONE, -1,
      nil, nil, nil)
  }
}

/// A call that waits for its answer, which any thread may give: the invocation belongs to this value alone.
struct Call: @unchecked Sendable {
  private let invocation: OpaquePointer

  init(_ invocation: OpaquePointer) { self.invocation = invocation }

  /// Answers the call with one value, or with nothing. Call it once.
  func answer(_ value: OpaquePointer?) {
    g_dbus_method_invocation_return_value(invocation, value.map { Variant.tuple([$0]) })
  }
}

private let callReceived: GDBusInterfaceMethodCallFunc = { _, _, _, _, method, arguments, invocation, data in
  guard let data, let method, let arguments, let invocation else { return }
  let service = Unmanaged<SearchService>.fromOpaque(data).takeUnretainedValue()
  service.receive(String(cString: method), Arguments(arguments), Call(invocation))
}

private let nameLost: GBusNameLostCallback = { _, _, data in
  guard let data else { return }
  Unmanaged<SearchService>.fromOpaque(data).takeUnretainedValue().end()
}

private let timeOver: GSourceFunc = { data in
  guard let data else { return 0 }
  return Unmanaged<SearchService>.fromOpaque(data).takeUnretainedValue().endIfIdle() ? 1 : 0
}
