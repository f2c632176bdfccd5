import CSoup

/// An RFC 6455 connection through libsoup, on its own thread: verifies TLS, follows no redirects, uses no compression,
/// and allows `ws` only to this computer. libsoup answers pings.
///
/// It ends with `close()`, with a failure, or with the last reference to it. libsoup limits the size of a frame, but
/// not of a whole fragmented message.
public actor WebSocket {
  /// The received texts, for a single reader; binary messages are skipped. Throws a `WebSocketFailure` unless this side
  /// closed the connection.
  public nonisolated let messages: AsyncThrowingStream<String, any Error>

  private nonisolated let thread = LoopThread(name: "websocket")
  private nonisolated let limits: WebSocketLimits
  private let incoming: AsyncThrowingStream<String, any Error>.Continuation
  private var handshake: Handshake?
  private var closing: [CheckedContinuation<Void, Never>] = []
  private var isClosedHere = false
  private var failure: WebSocketFailure?
  private var session: UnsafeMutablePointer<SoupSession>?
  private var connection: OpaquePointer?
  private var handlers: [gulong] = []

  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// - Parameter authorities: a file of certificates to trust instead of the system's.
  public static func connect(
    to address: String, limits: WebSocketLimits = WebSocketLimits(), authorities: String? = nil
  ) async throws(WebSocketFailure) -> WebSocket {
    let socket = WebSocket(limits)
    let watch = Task {
      try await Task.sleep(for: limits.connect)
      await socket.finishHandshake(.failure(.unreachable(detail: "timed out")))
    }
    defer { watch.cancel() }
    let outcome = await withTaskCancellationHandler {
      await socket.open(address, authorities: authorities)
    } onCancel: {
      Task { await socket.finishHandshake(.failure(.cancelled)) }
    }
    try outcome.get()
    return socket
  }

  private init(_ limits: WebSocketLimits) {
    self.limits = limits
    (messages, incoming) = AsyncThrowingStream.makeStream(
      bufferingPolicy: .bufferingOldest(limits.unreadMessages))
  }

  isolated deinit {
    releaseConnection()
    incoming.finish()
    if let session { g_object_unref(session) }
  }

  /// Sends a text.
  /// - Throws: `connectionLost` if the connection isn't open.
  public func send(_ text: String) throws(WebSocketFailure) {
    guard let connection, soup_websocket_connection_get_state(connection) == SOUP_WEBSOCKET_STATE_OPEN
    else { throw .connectionLost }
    var text = text
    let bytes = text.withUTF8 { g_bytes_new($0.baseAddress, gsize($0.count)) }
    soup_websocket_connection_send_message(connection, SOUP_WEBSOCKET_DATA_TEXT, bytes)
    g_bytes_unref(bytes)
  }

  /// Sends pending messages and a close frame, and waits up to a few seconds until the peer has closed too.
  public func close() async {
    guard let connection else { return }
    isClosedHere = true
    if soup_websocket_connection_get_state(connection) == SOUP_WEBSOCKET_STATE_OPEN {
      soup_websocket_connection_close(connection, UInt16(SOUP_WEBSOCKET_CLOSE_NORMAL.rawValue), nil)
    }
    await withCheckedContinuation { closing.append($0) }
  }
}

// MARK: - Opening

extension WebSocket {
  /// A handshake in progress. Its callback always comes, even after all waiting tasks were cancelled.
  private struct Handshake {
    let continuation: CheckedContinuation<Result<Void, WebSocketFailure>, Never>
    let cancellable: UnsafeMutablePointer<GCancellable>?
    let message: OpaquePointer
  }

  private func open(_ address: String, authorities: String?) async -> Result<Void, WebSocketFailure> {
    guard !Task.isCancelled else { return .failure(.cancelled) }
    guard address.hasPrefix("ws"), let kind = HTTPAddress("http" + address.dropFirst(2)), kind.isSafe,
      let message = soup_message_new("GET", address)
    else { return .failure(.insecureAddress) }
    let session = soup_session_new()
    self.session = session
    // Unencrypted data never leaves this computer, not even to a proxy.
    if !kind.isEncrypted { soup_session_set_proxy_resolver(session, nil) }
    if let authorities {
      guard let database = g_tls_file_database_new(authorities, nil) else {
        g_object_unref(UnsafeMutableRawPointer(message))
        return .failure(.unreachable(detail: "no certificates to trust"))
      }
      soup_session_set_tls_database(session, database)
      g_object_unref(UnsafeMutableRawPointer(database))
    }
    // A redirect would receive the key that is part of the URL.
    soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT)
    soup_message_disable_feature(message, soup_websocket_extension_manager_get_type())
    return await withCheckedContinuation { continuation in
      let cancellable = g_cancellable_new()
      handshake = Handshake(continuation: continuation, cancellable: cancellable, message: message)
      soup_session_websocket_connect_async(
        session, message, nil, nil, G_PRIORITY_DEFAULT, cancellable, handshakeEnded,
        Unmanaged.passRetained(self).toOpaque())
    }
  }

  /// Only the first outcome counts.
  private func finishHandshake(_ outcome: Result<Void, WebSocketFailure>) {
    guard let handshake else { return }
    self.handshake = nil
    g_cancellable_cancel(handshake.cancellable)
    g_object_unref(handshake.cancellable)
    g_object_unref(UnsafeMutableRawPointer(handshake.message))
    handshake.continuation.resume(returning: outcome)
  }

  fileprivate func handshakeDone(_ result: OpaquePointer?) {
    var error: UnsafeMutablePointer<GError>?
    let connection = soup_session_websocket_connect_finish(session, result, &error)
    defer { g_clear_error(&error) }
    guard let handshake else {
      if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
      return
    }
    guard let connection else { return finishHandshake(.failure(Self.failure(of: handshake.message, error))) }
    soup_websocket_connection_set_max_incoming_payload_size(connection, guint64(limits.frameBytes))
    self.connection = connection
    handlers = [
      connect("message", unsafeBitCast(messageArrived, to: GCallback.self)),
      connect("error", unsafeBitCast(errorOccurred, to: GCallback.self)),
      connect("closed", unsafeBitCast(connectionClosed, to: GCallback.self)),
    ]
    finishHandshake(.success(()))
  }

  private func connect(_ signal: String, _ handler: @escaping GCallback) -> gulong {
    g_signal_connect_data(
      connection.map { UnsafeMutableRawPointer($0) }, signal, handler,
      Unmanaged.passRetained(WeakSocket(self)).toOpaque(), { data, _ in releaseObject(data) }, GConnectFlags(0))
  }

  private static func failure(of message: OpaquePointer, _ error: UnsafeMutablePointer<GError>?) -> WebSocketFailure {
    let status = Int(soup_message_get_status(message).rawValue)
    let detail = error.map { String(cString: $0.pointee.message) } ?? ""
    switch status {
    case 0: return .unreachable(detail: detail)
    case 101: return .violation(detail: detail)
    default:
      let retryAfter = soup_message_headers_get_one(soup_message_get_response_headers(message), "Retry-After")
      return .rejected(status: status, retryAfter: retryAfter.flatMap { RetryAfter.seconds(String(cString: $0)) })
    }
  }
}

// MARK: - Open

extension WebSocket {
  fileprivate func arrived(_ text: String) {
    if case .dropped = incoming.yield(text) { abort(.tooMany) }
  }

  fileprivate func occurred(_ error: GError) {
    let detail = error.message.map { String(cString: $0) } ?? ""
    // Ignore errors of the connection itself: its end reports them, and they may follow the peer's close frame.
    guard error.domain == soup_websocket_error_quark() else { return }
    switch error.code {
    case gint(SOUP_WEBSOCKET_CLOSE_TOO_BIG.rawValue): failure = failure ?? .tooLarge
    default: failure = failure ?? .violation(detail: detail)
    }
  }

  fileprivate func closed() {
    guard let connection else { return }
    let code = Int(soup_websocket_connection_get_close_code(connection))
    releaseConnection()
    if isClosedHere {
      incoming.finish()
    } else {
      incoming.finish(throwing: failure ?? (code == 0 || code == 1006 ? .connectionLost : .closed(code: code)))
    }
  }

  /// Drops the connection without waiting for the peer.
  private func abort(_ failure: WebSocketFailure) {
    self.failure = failure
    releaseConnection()
    incoming.finish(throwing: failure)
  }

  private func releaseConnection() {
    guard let connection else { return }
    self.connection = nil
    for handler in handlers { g_signal_handler_disconnect(UnsafeMutableRawPointer(connection), handler) }
    g_object_unref(UnsafeMutableRawPointer(connection))
    for waiting in closing { waiting.resume() }
    closing = []
  }
}

/// A weak reference for the connection's handlers, so that they don't keep the owning socket alive.
private final class WeakSocket {
  weak var socket: WebSocket?
  init(_ socket: WebSocket) { self.socket = socket }

  static func socket(at data: gpointer) -> WebSocket? {
    Unmanaged<WeakSocket>.fromOpaque(data).takeUnretainedValue().socket
  }
}

private let handshakeEnded: GAsyncReadyCallback = { _, result, data in
  guard let data else { return }
  let socket = Unmanaged<WebSocket>.fromOpaque(data).takeRetainedValue()
  let result = Handover(result)
  socket.assumeIsolated { $0.handshakeDone(result.value) }
}

private let messageArrived: @convention(c) (OpaquePointer, gint, OpaquePointer?, gpointer) -> Void = {
  _, type, bytes, data in
  guard type == gint(SOUP_WEBSOCKET_DATA_TEXT.rawValue), let socket = WeakSocket.socket(at: data) else { return }
  var count: gsize = 0
  let start = g_bytes_get_data(bytes, &count)
  let text = String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  socket.assumeIsolated { $0.arrived(text) }
}

private let errorOccurred: @convention(c) (OpaquePointer, UnsafePointer<GError>, gpointer) -> Void = {
  _, error, data in
  guard let socket = WeakSocket.socket(at: data) else { return }
  let error = Handover(error.pointee)
  socket.assumeIsolated { $0.occurred(error.value) }
}

private let connectionClosed: @convention(c) (OpaquePointer, gpointer) -> Void = { _, data in
  guard let socket = WeakSocket.socket(at: data) else { return }
  socket.assumeIsolated { $0.closed() }
}
