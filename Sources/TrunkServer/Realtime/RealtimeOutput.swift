import NIOCore
import NIOWebSocket
import Synchronization

/// Writes to one live connection, from any thread.
final class RealtimeOutput: Sendable {
  private let channel: any Channel
  private let deadline: NIOLoopBound<Deadline>
  private let budget: Budget
  /// The connection and its client.
  private let holders: [Budget.Holder]
  private let closed = Atomic(false)

  /// - Parameter client: its name, see `ClientAddress`.
  init(_ channel: any Channel, _ deadline: Deadline, _ budget: Budget, client: String) {
    self.channel = channel
    self.budget = budget
    holders = [.connection(ObjectIdentifier(channel)), .client(client)]
    self.deadline = NIOLoopBound(deadline, eventLoop: channel.eventLoop)
  }

  /// Whether nothing more can be written.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Sends a message. A client that doesn't read is disconnected, and pulls after it reconnects.
  /// - Parameter account: the account whose row it is. What waits for all its connections counts too.
  func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, account: String? = nil) {
    guard !isClosed else { return }
    let cost = max(RealtimeLimits.leastCost, data.readableBytes)
    let holders = holders + (account.map { [.account($0)] } ?? [])
    guard let claim = budget.claim(cost, of: .unread, by: holders) else { return close(.tryAgainLater) }
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: data)).whenComplete { _ in claim.end() }
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
