import NIOCore
import NIOHTTP1
import NIOWebSocket

extension RequestHandler {
  /// Hands the connection over to the WebSocket handlers.
  func goLive(_ live: RealtimeSocket, _ incoming: IncomingRequest, _ context: ChannelHandlerContext) {
    guard incoming.request.isWebSocketHandshake else {
      return respond(.noHandshake, incoming.request, false, context)
    }
    // Needs no I/O, so it completes before any other event.
    RequestHandler.upgrader.buildUpgradeResponse(
      channel: context.channel, upgradeRequest: incoming.head, initialResponseHeaders: HTTPHeaders()
    ).assumeIsolated().whenComplete { result in
      guard case .success(let headers) = result else {
        return self.respond(.noHandshake, incoming.request, false, context)
      }
      self.state = .live
      self.record(Response(status: 101), incoming.request)
      if let forwardedClient = self.forwardedClient {
        // This handler is removed, but the client stays connected.
        context.channel.closeFuture.whenComplete { [clients = self.clients] _ in clients.leave(forwardedClient) }
        self.forwardedClient = nil
      }
      self.deadline.awaited = .message
      let welcome = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
      context.writeAndFlush(self.wrapOutboundOut(.head(welcome)), promise: nil)
      let pipeline = context.pipeline.syncOperations
      do {
        try pipeline.addHandlers(live.handlers(context.channel, self.deadline, self.pace))
      } catch {
        ServerLog.log.error("a live connection can't be served", error: error)
        return context.close(promise: nil)
      }
      // The decoder is removed last and forwards its unread bytes.
      let gone = self.http.map { pipeline.removeHandler($0) }
      self.http = []
      EventLoopFuture.andAllComplete(gone, on: context.eventLoop).assumeIsolated().whenComplete { _ in
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
      }
    }
  }

  /// Creates the response to a handshake. The rest of the upgrader isn't used, because it works only for the first
  /// request of a connection, and proxies reuse connections.
  private static let upgrader = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
    upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
}
