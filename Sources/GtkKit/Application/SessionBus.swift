import CGtk

/// Calls of services on the session bus of the application. They never block the main loop.
@MainActor public enum SessionBus {
  /// Why a call failed.
  public enum Failure: Error {
    /// There is no session bus.
    case noBus
    /// The service doesn't run.
    case noService
    /// It didn't answer in time.
    case noAnswer
    /// It answered with an error: its D-Bus name, and a message for people.
    case failed(name: String, message: String)
  }

  /// Calls a method of a service that runs; it is not started.
  /// - Parameters:
  ///   - arguments: a tuple in the text format of GVariant, for example `('trunk.timer', true)`.
  ///   - type: its type, for example `(sb)`.
  ///   - milliseconds: the time limit.
  public static func call(
    _ service: String, path: String, interface: String, method: String, _ arguments: String, type: String,
    milliseconds: Int = 10_000
  ) async throws(Failure) {
    guard let application = g_application_get_default(),
      let connection = g_application_get_dbus_connection(application)
    else { throw .noBus }
    let variantType = g_variant_type_new(type)
    defer { g_variant_type_free(variantType) }
    guard let variant = g_variant_parse(variantType, arguments, nil, nil, nil) else {
      throw .failed(name: "", message: arguments)
    }
    let failure: Failure? = await withCheckedContinuation { continuation in
      let answer: @MainActor (Failure?) -> Void = { continuation.resume(returning: $0) }
      g_dbus_connection_call(
        connection, service, path, interface, method, variant, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START,
        gint(clamping: milliseconds), nil, finishCall, HandlerBox.retained(answer))
      g_variant_unref(variant)
    }
    if let failure { throw failure }
  }
}

private let finishCall: GAsyncReadyCallback = { connection, result, data in
  guard let data else { return }
  var error: UnsafeMutablePointer<GError>?
  let reply = g_dbus_connection_call_finish(connection.map { OpaquePointer($0) }, result, &error)
  if let reply { g_variant_unref(reply) }
  let failure = error.map { SessionBus.Failure($0) }
  g_clear_error(&error)
  let handler = HandlerBox<@MainActor (SessionBus.Failure?) -> Void>.handler(at: data)
  MainActor.assumeIsolated { handler(failure) }
  releaseHandler(data)
}

extension SessionBus.Failure {
  fileprivate nonisolated init(_ error: UnsafeMutablePointer<GError>) {
    func isError(_ code: GDBusError) -> Bool {
      g_error_matches(error, g_dbus_error_quark(), gint(bitPattern: code.rawValue)) != 0
    }
    if isError(G_DBUS_ERROR_SERVICE_UNKNOWN) || isError(G_DBUS_ERROR_NAME_HAS_NO_OWNER) {
      self = .noService
    } else if isError(G_DBUS_ERROR_NO_REPLY) || isError(G_DBUS_ERROR_TIMEOUT)
      || g_error_matches(error, g_io_error_quark(), gint(bitPattern: G_IO_ERROR_TIMED_OUT.rawValue)) != 0
    {
      self = .noAnswer
    } else {
      let name = g_dbus_error_get_remote_error(error)
      defer { g_free(name) }
      g_dbus_error_strip_remote_error(error)
      self = .failed(name: name.map { String(cString: $0) } ?? "", message: String(cString: error.pointee.message))
    }
  }
}
