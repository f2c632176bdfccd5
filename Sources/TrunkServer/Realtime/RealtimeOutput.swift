import NIOCore
import NIOWebSocket
import Synchronization

/// Writes to one live connection, from any thread.
final class RealtimeOutput: Sendable {
  private let channel: any Channel
  private let deadline: NIOLoopBound<Deadline>
  /// The bytes that wait for clients to read them.
  private let unread: Budget
  /// The shares of the connection and of all connections of its client.
  private let shares: [Budget.Share]
  private let closed = Atomic(false)

  /// - Parameter client: its name, see `ClientAddress`.
  init(_ channel: any Channel, _ deadline: Deadline, _ unread: Budget, client: String) {
    self.channel = channel
    self.unread = unread
    shares = [
      .init(.connection(ObjectIdentifier(channel)), RealtimeLimits.unread.ofConnection),
      .init(.client(ClientAddress.customer(of: client)), RealtimeLimits.unread.ofClient),
    ]
    self.deadline = NIOLoopBound(deadline, eventLoop: channel.eventLoop)
  }

  /// Whether nothing more can be written.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Sends a message. A client that doesn't read is disconnected, and pulls after it reconnects.
  /// - Parameter account: the account whose row it is. What waits for all its connections counts too.
  func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, account: String? = nil) {
    guard !isClosed else { return }
    let cost = max(RealtimeLimits.leastCost, data.readableBytes)
    let shares = shares + (account.map { [.init(.account($0), RealtimeLimits.unread.ofAccount)] } ?? [])
    guard unread.take(cost, shares) else { return close(.tryAgainLater) }
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: data)).whenComplete { [unread] _ in
      unread.giveBack(cost, shares)
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
