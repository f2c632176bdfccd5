/// Between the frames of a WebSocket and the messages of a live connection.
struct RealtimeSocket: Sendable {
  /// Frames that may wait for a client that does not read.
  private static let backlog = 512

  let hub: RealtimeHub
  let authority: Authority
  let framing: RealtimeFraming

  /// Returns when the connection is over.
  func run(_ reader: consuming WebSocketReader) async {
    let (frames, output) = AsyncStream<WebSocketFrame>.makeStream(
      bufferingPolicy: .bufferingOldest(RealtimeSocket.backlog))
    let connection = RealtimeConnection(hub: hub, authority: authority, framing: framing, output: output)
    if !hub.add(connection) { connection.close(.tryAgainLater) }
    let socket = reader.inbox.socket
    async let writing: Void = RealtimeSocket.write(frames, to: socket)
    await read(&reader, connection, output)
    hub.remove(connection, users: connection.users)
    output.finish()
    await writing
    await reader.inbox.discard()
  }

  private func read(
    _ reader: inout WebSocketReader, _ connection: RealtimeConnection,
    _ output: AsyncStream<WebSocketFrame>.Continuation
  ) async {
    do throws(WebSocketFrame.CloseCode) {
      while true {
        // Clients beat their hearts at least twice in that time.
        if !connection.isOver { reader.inbox.socket.expectData(within: ServerConfiguration.patience) }
        guard let message = try await reader.next() else { return }
        switch message {
        case .text(let text): connection.receive(text)
        case .ping(let payload): output.yield(.pong(payload))
        case .close: return connection.close(.normal)
        // Binary messages are broadcasts, which are not served.
        case .binary, .pong: break
        }
      }
    } catch {
      connection.close(error)
    }
  }

  private static func write(_ frames: AsyncStream<WebSocketFrame>, to socket: PolledSocket) async {
    for await frame in frames {
      guard await socket.write(frame.bytes) else { return socket.abort() }
    }
    // Nothing more is said; who reads from it reads on for a moment, until the client has heard that.
    Connection.beginEnd(of: socket)
  }
}
