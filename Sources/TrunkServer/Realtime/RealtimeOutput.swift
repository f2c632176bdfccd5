import NIOCore
import NIOWebSocket
import Synchronization

/// What is said on one live connection, from any thread.
final class RealtimeOutput: Sendable {
  /// Bytes that may wait for a client that does not read.
  private static let backlog = 8 << 20
  /// Bytes that a message counts as, at least: 512 may wait.
  private static let leastCost = backlog / 512

  private let channel: any Channel
  private let deadline: NIOLoopBound<Deadline>
  private let waiting = Atomic(0)
  private let closed = Atomic(false)

  init(_ channel: any Channel, _ deadline: Deadline) {
    self.channel = channel
    self.deadline = NIOLoopBound(deadline, eventLoop: channel.eventLoop)
  }

  /// Whether nothing more is said.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Who does not read gets no more and is disconnected; after the next connection it pulls.
  func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
    guard !isClosed else { return }
    let cost = max(RealtimeOutput.leastCost, data.readableBytes)
    guard waiting.add(cost, ordering: .relaxed).newValue <= RealtimeOutput.backlog else {
      return close(.tryAgainLater)
    }
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: data)).whenComplete { _ in
      self.waiting.subtract(cost, ordering: .relaxed)
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
