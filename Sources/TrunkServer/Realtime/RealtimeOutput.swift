import NIOCore
import NIOWebSocket
import Synchronization

/// Writes to one live connection, from any thread.
final class RealtimeOutput: Sendable {
  private let channel: any Channel
  private let deadline: NIOLoopBound<Deadline>
  private let backlog = Backlog(limit: RealtimeLimits.backlog)
  private let closed = Atomic(false)

  init(_ channel: any Channel, _ deadline: Deadline) {
    self.channel = channel
    self.deadline = NIOLoopBound(deadline, eventLoop: channel.eventLoop)
  }

  /// Whether nothing more is written.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Writes a message. A client that doesn't read is disconnected; after the next connection it pulls.
  /// - Parameter shared: the backlog of all connections of an account, which counts too.
  func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ shared: Backlog? = nil) {
    guard !isClosed else { return }
    let cost = max(RealtimeLimits.leastCost, data.readableBytes)
    guard backlog.add(cost) else { return close(.tryAgainLater) }
    guard shared?.add(cost) ?? true else {
      backlog.remove(cost)
      return close(.tryAgainLater)
    }
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: data)).whenComplete { _ in
      self.backlog.remove(cost)
      shared?.remove(cost)
    }
  }

  /// Says why, and ends the connection as soon as the client has heard it, or does not want to.
  func close(_ code: WebSocketErrorCode) {
    guard !closed.exchange(true, ordering: .relaxed) else { return }
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    channel.eventLoop.execute {
      self.deadline.value.awaited = .reading
      self.channel.writeAndFlush(frame).whenComplete { _ in
        self.deadline.value.awaited = .goodbye
        // What the client sends meanwhile is read, or closing would make what was said last get lost.
        self.channel.close(mode: .output, promise: nil)
      }
    }
  }
}

extension WebSocketErrorCode {
  /// RFC 6455, 7.4.1, as registered later.
  static let tryAgainLater = WebSocketErrorCode(codeNumber: 1013)
}
