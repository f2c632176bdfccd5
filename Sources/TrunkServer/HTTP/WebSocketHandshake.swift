import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Creates the response to a handshake. The rest of NIO's upgrader isn't used, because it works only for the first
/// request of a connection, and proxies reuse connections.
enum WebSocketHandshake {
  private static let upgrader = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
    upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })

  /// - Returns: the headers of the response, without waiting for anything.
  static func headers(_ head: HTTPRequestHead, _ channel: any Channel) -> EventLoopFuture<HTTPHeaders> {
    upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: head, initialResponseHeaders: HTTPHeaders())
  }
}
