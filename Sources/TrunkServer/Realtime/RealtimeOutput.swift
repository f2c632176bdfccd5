import NIOCore
import NIOWebSocket
import Synchronization

/// Writes to one live connection, from any thread.
final class RealtimeOutput: Sendable {
  private let channel: any Channel
  private let deadline: NIOLoopBound<Deadline>
  private let backlog = Backlog(limit: RealtimeLimits.backlog)
  private let ofClient: Backlog
  private let closed = Atomic(false)

  /// - Parameter ofClient: the backlog of all connections of the client.
  init(_ channel: any Channel, _ deadline: Deadline, _ ofClient: Backlog) {
    self.channel = channel
    self.ofClient = ofClient
    self.deadline = NIOLoopBound(deadline, eventLoop: channel.eventLoop)
  }

  /// Whether nothing more can be written.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Sends a message. A client that doesn't read is disconnected, and pulls after it reconnects.
  /// - Parameter shared: the backlog of all the account's connections, which counts too.
  func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ shared: Backlog? = nil) {
    guard !isClosed else { return }
    let cost = max(RealtimeLimits.leastCost, data.readableBytes)
    let backlogs = [backlog, ofClient] + (shared.map { [$0] } ?? [])
    if let full = backlogs.firstIndex(where: { !$0.add(cost) }) {
      for backlog in backlogs[..<full] { backlog.remove(cost) }
      return close(.tryAgainLater)
    }
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: data)).whenComplete { _ in
      for backlog in backlogs { backlog.remove(cost) }
    }
  }

  /// Runs `body` on the connection's event loop, where its messages are received.
  func onEventLoop(_ body: @escaping @Sendable () -> Void) { channel.eventLoop.execute(body) }

  /// Sends the reason and closes the connection when the client has received it or its time is over.
  func close(_ code: WebSocketErrorCode) {
    guard !closed.exchange(true, ordering: .relaxed) else { return }
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    channel.eventLoop.execute {
      self.deadline.value.awaited = .reading
      self.channel.writeAndFlush(frame).whenComplete { _ in
        self.deadline.value.awaited = .closing
        // Keep reading what the client sends until then: closing with unread data would lose the reason.
        self.channel.close(mode: .output, promise: nil)
      }
    }
  }
}

extension WebSocketErrorCode {
  /// Added to the codes of RFC 6455, 7.4.1, after its publication.
  static let tryAgainLater = WebSocketErrorCode(codeNumber: 1013)
}
