import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Accepts clients at one address and serves them until it is stopped.
final class Listener: Sendable {
  /// Bytes that are taken from a client at once. What arrives together is kept together while it waits for its turn.
  private static let portion = 4096
  /// Bytes of the first line and the headers, at most.
  private static let headLimit = 65_536
  /// Headers of one request, at most.
  private static let headerLimit = 256

  /// Where it listens.
  let url: String
  private let server: any Channel
  private let clients: Clients

  /// Listens from now on; clients wait until it runs.
  /// - Parameter limit: clients at once.
  /// - Throws: `ServerProblem`
  init(host: String, port: UInt16, limit: Int, service: Service) throws(ServerProblem) {
    guard let address = try? SocketAddress(ipAddress: host, port: Int(port)) else { throw .badAddress(host) }
    // One thread for all, that of the tasks which serve them too: no request wakes another one, but for the disk. It
    // stays as long as the program.
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    let clients = Clients(limit: limit, limitPerClient: ServerConfiguration.connectionsPerClient)
    let executor = LoopExecutor(loop)
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      .serverChannelInitializer { server in
        server.eventLoop.makeCompletedFuture { try server.pipeline.syncOperations.addHandler(AcceptLog()) }
      }
      // A message must not wait until the one before has arrived.
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Listener.portion))
      .childChannelInitializer { client in
        client.eventLoop.makeCompletedFuture {
          try clients.admit(client, from: client.remoteAddress?.ipAddress)
          let (deadline, http) = (Deadline(), Listener.handlers())
          let last = RequestHandler(
            service: service, clients: clients, deadline: deadline, http: http, executor: executor)
          try client.pipeline.syncOperations.addHandlers([deadline] + http + [last])
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

  /// HTTP between bytes and parts of requests and answers. Nothing that a client sends is kept beyond the limits, also
  /// not before it is complete.
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

  /// Accepts no more clients, lets those that are there finish what they have asked for, and waits for them.
  /// - Parameter patience: seconds.
  func stop(patience: Int64) async {
    let loop = server.eventLoop
    server.close(promise: nil)
    let end = loop.makePromise(of: Void.self)
    EventLoopFuture.andAllComplete(clients.dismiss().map(\.closeFuture), on: loop).cascade(to: end)
    loop.scheduleTask(in: .seconds(patience)) { end.succeed() }
    // Never fails.
    try? await end.futureResult.get()
  }
}

/// Says why clients can't be accepted. Files or memory are short; that passes, and the library tries again.
private final class AcceptLog: ChannelInboundHandler {
  typealias InboundIn = any Channel

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    Log.note("accepting a client failed: \(error)")
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
