import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves the metrics to programs on this computer.
final class MetricsListener: Sendable {
  private static let host = "127.0.0.1"
  /// More than Prometheus and an administrator need.
  private static let connectionLimit = 16

  /// The URL of the metrics.
  let url: String
  private let server: any Channel

  /// - Parameters:
  ///   - port: 0 lets the system choose one.
  ///   - text: creates the response.
  /// - Throws: `ServerProblem`
  init(
    port: UInt16, loop: any EventLoop, text: @escaping @Sendable () async throws -> String
  ) throws(ServerProblem) {
    let clients = Clients(limit: MetricsListener.connectionLimit, budget: Budget())
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { client in
        client.eventLoop.makeCompletedFuture {
          _ = try clients.admit(client, from: client.remoteAddress?.ipAddress)
          try client.pipeline.syncOperations.addHandlers(
            [Deadline()] + Listener.handlers() + [MetricsHandler(text: text)])
        }
      }
    do {
      server = try bootstrap.bind(host: MetricsListener.host, port: Int(port)).wait()
    } catch {
      throw .system((error as? IOError)?.errnoCode ?? EINVAL)
    }
    url = "http://\(MetricsListener.host):\(server.localAddress?.port ?? Int(port))/metrics"
  }

  func stop() { server.close(promise: nil) }
}

/// Answers one request and closes the connection.
private final class MetricsHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let text: @Sendable () async throws -> String
  private var head: HTTPRequestHead?

  init(text: @escaping @Sendable () async throws -> String) {
    self.text = text
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      self.head = nil
      answer(head, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    // A web page could have its own name point to this computer, to read the metrics with the user's browser.
    guard MetricsHandler.isLocal(head.headers["host"].first) else {
      return send(.misdirectedRequest, "Use http://127.0.0.1\n", context)
    }
    guard head.uri.split(separator: "?").first == "/metrics" else { return send(.notFound, "Not found\n", context) }
    guard head.method == .GET else { return send(.methodNotAllowed, "Use GET\n", context) }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.makeFutureWithTask(text).whenComplete { result in
      let (handler, context) = bound.value
      switch result {
      case .success(let text): handler.send(.ok, text, context)
      case .failure(let error):
        ServerLog.log.error("the metrics could not be measured", error: error)
        handler.send(.internalServerError, "The metrics could not be measured\n", context)
      }
    }
  }

  private static func isLocal(_ host: String?) -> Bool {
    ["127.0.0.1", "localhost", "[::1]"].contains { name in
      host == name
        || host?.hasPrefix(name + ":") == true && host?.dropFirst(name.count + 1).allSatisfy(\.isNumber) == true
    }
  }

  private func send(_ status: HTTPResponseStatus, _ text: String, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    let headers: HTTPHeaders = [
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Content-Length": "\(text.utf8.count)",
      "Connection": "close",
    ]
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in bound.value.close(promise: nil) }
  }
}
