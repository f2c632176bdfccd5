import FlyingFox
import Foundation

/// Between the frames of a WebSocket and the messages of a live connection.
struct RealtimeSocket: WSHandler {
  /// Bytes of one message, at most.
  private static let messageLimit = 1 << 20
  /// Frames that may wait for a client that does not read.
  private static let backlog = 512

  let hub: RealtimeHub
  let authority: Authority
  let framing: RealtimeFraming

  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    let (frames, output) = AsyncStream<WSFrame>.makeStream(bufferingPolicy: .bufferingOldest(RealtimeSocket.backlog))
    let connection = RealtimeConnection(hub: hub, authority: authority, framing: framing, output: output)
    guard hub.add(connection) else {
      connection.close(.tryAgainLater)
      return frames
    }
    let task = Task {
      await read(client, for: connection, output)
      hub.remove(connection, users: connection.users)
      output.finish()
    }
    output.onTermination = { _ in task.cancel() }
    return frames
  }

  private func read(
    _ client: AsyncThrowingStream<WSFrame, any Error>, for connection: RealtimeConnection,
    _ output: AsyncStream<WSFrame>.Continuation
  ) async {
    var parts = Data()
    var isText = false
    do {
      for try await frame in client {
        switch frame.opcode {
        case .ping:
          output.yield(WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload))
          continue
        case .pong: continue
        case .close:
          output.yield(.close(code: .normalClosure))
          return
        case .text, .binary:
          isText = frame.opcode == .text
          parts = frame.payload
        case .continuation: parts += frame.payload
        default: return connection.close(.protocolError)
        }
        guard parts.count <= RealtimeSocket.messageLimit else { return connection.close(.messageTooBig) }
        guard frame.fin else { continue }
        // Binary messages are broadcasts, which are not served.
        if isText, let text = String(data: parts, encoding: .utf8) { connection.receive(text) }
        parts = Data()
      }
    } catch {
      connection.close(.protocolError)
    }
  }
}
