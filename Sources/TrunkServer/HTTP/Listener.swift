import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Accepts clients at one address and serves them until it is stopped.
final class Listener: Sendable {
  /// The maximum number of bytes read from a client at once. Bytes that arrive together stay in memory together.
  private static let portion = 4096
  /// The maximum size of request line and headers in bytes.
  private static let headLimit = 65_536
  /// The maximum number of headers in one request.
  private static let headerLimit = 256

  /// The URL that it listens on.
  let url: String
  /// Runs on the only thread that waits for clients.
  let loop: any EventLoop
  private let server: any Channel
  private let clients: Clients

  /// Listens immediately, but clients wait until `run`.
  /// - Parameter limit: the maximum number of connections.
  /// - Throws: `ServerProblem`
  init(host: String, port: UInt16, limit: Int, service: Service) throws(ServerProblem) {
    guard let address = try? SocketAddress(ipAddress: host, port: Int(port)) else { throw .badAddress(host) }
    // One thread serves all connections and runs their tasks, so that requests wake no other thread except for disk
    // access. It lives as long as the program.
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    self.loop = loop
    let clients = Clients(limit: limit, budget: service.budget)
    let executor = LoopExecutor(loop)
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      .serverChannelInitializer { server in
        server.eventLoop.makeCompletedFuture { try server.pipeline.syncOperations.addHandler(AcceptLog()) }
      }
      // Send a message without waiting until the previous one is acknowledged.
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Listener.portion))
      .childChannelInitializer { client in
        client.eventLoop.makeCompletedFuture {
          let name = try Listener.admit(client, to: clients, service.metrics)
          let (pace, deadline, http) = (Pace(service.budget, client: name), Deadline(), Listener.handlers())
          let last = RequestHandler(
            service: service, clients: clients, pace: pace, deadline: deadline, http: http, executor: executor)
          try client.pipeline.syncOperations.addHandlers([pace, deadline] + http + [last])
        }
      }
    do {
      server = try bootstrap.bind(to: address).wait()
    } catch {
      throw .system((error as? IOError)?.errnoCode ?? EINVAL)
    }
    url = "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(server.localAddress?.port ?? Int(port))"
    self.clients = clients
  }

  /// The number of open connections.
  var connectionCount: Int { clients.count }

  private static func admit(
    _ client: any Channel, to clients: Clients, _ metrics: ServerMetrics
  ) throws(Clients.Rejection) -> String? {
    do throws(Clients.Rejection) {
      return try clients.admit(client, from: client.remoteAddress?.ipAddress)
    } catch {
      metrics.rejected(.connections)
      throw error
    }
  }

  /// The HTTP handlers between bytes and parts of requests and responses. They never buffer more than the limits allow,
  /// not even of an incomplete request.
  static func handlers() -> [any ChannelHandler & RemovableChannelHandler] {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = headLimit
    limits.maxHeaderListSize = headLimit
    limits.maxHeaderFieldCount = headerLimit
    let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
    return [
      HTTPResponseEncoder(),
      // The decoder's limits don't count the spaces before a value.
      ByteToMessageHandler(decoder, maximumBufferSize: 2 * headLimit),
      HTTPServerPipelineHandler(),
    ]
  }

  /// Serves clients until `stop`.
  func run() async throws {
    do {
      try await server.setOption(.autoRead, value: true).get()
    } catch ChannelError.ioOnClosedChannel {
      // Stopped before it ran.
    }
    try await server.closeFuture.get()
  }

  /// How long a client may still send the rest of a request when the server stops, in seconds.
  private static let timeForRest: Int64 = 2

  /// Accepts no more clients, and waits until open requests are finished.
  /// - Parameter timeout: the maximum wait in seconds.
  func stop(timeout: Int64) async {
    let loop = server.eventLoop
    server.close(promise: nil)
    let end = loop.makePromise(of: Void.self)
    let channels = clients.dismiss()
    EventLoopFuture.andAllComplete(channels.map(\.closeFuture), on: loop).cascade(to: end)
    loop.scheduleTask(in: .seconds(Listener.timeForRest)) {
      for channel in channels { channel.pipeline.fireUserInboundEventTriggered(RequestHandler.StopsReceiving()) }
    }
    loop.scheduleTask(in: .seconds(timeout)) { end.succeed() }
    // Never fails.
    try? await end.futureResult.get()
  }
}

/// Logs why a client can't be accepted. File descriptors or memory ran out; that is temporary, and NIO retries.
private final class AcceptLog: ChannelInboundHandler {
  typealias InboundIn = any Channel

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    ServerLog.log.warning("accepting a client failed", error: error)
    context.fireErrorCaught(error)
  }
}

/// Runs tasks on the thread of an event loop.
private final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
