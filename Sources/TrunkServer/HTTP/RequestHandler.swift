import NIOCore
import NIOHTTP1

/// Serves one connection: its requests one after the other, or a live connection.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  enum State {
    case waiting
    case receiving
    /// Until the system has accepted the whole response. Before that, neither the server nor a connection whose client
    /// has closed its side may end. `keepsAlive` tells whether another request may follow.
    case answering(keepsAlive: Bool)
    /// No more responses follow.
    case ending
    /// WebSocket handlers serve the connection.
    case live
  }

  /// The event that ends a connection whose request is still incomplete: it was not accepted, and must not keep the
  /// server from stopping.
  struct StopsReceiving: Sendable {}

  /// The cost of a part of a body in bytes, because chunks can be as small as one byte. See `Pace`.
  private static let bodyPartCost = 64
  /// The maximum size of one header's value in bytes. Proxies don't accept longer ones, and splitting a long list would
  /// keep other clients waiting.
  private static let headerLimit = 8 << 10

  let service: Service
  let clients: Clients
  let pace: Pace
  let deadline: Deadline
  let executor: any TaskExecutor
  /// The handlers between this one and the bytes.
  var http: [any RemovableChannelHandler]
  var state = State.waiting
  var incoming: IncomingRequest?
  /// When the headers of the current request arrived; `nil` if it has been answered.
  var arrival: NIODeadline?
  /// The client that a connection from a proxy counts for at the moment.
  var forwardedClient: String?
  /// The client's HTTP version.
  var version = HTTPVersion.http1_1
  /// The rest of the current part that has not been written; `nil` if there is none.
  var unwritten: ByteBuffer?
  /// The later parts of the response, and the index of the next one.
  var rest: (parts: Response.Rest, next: Int)?
  /// Creates the response, or its next part.
  var task: Task<Void, Never>?
  private let side = ClientSide()
  /// Whether the client has closed its side of the connection, and no request follows the current one.
  var isInputClosed = false

  init(
    service: Service, clients: Clients, pace: Pace, deadline: Deadline, http: [any RemovableChannelHandler],
    executor: any TaskExecutor
  ) {
    self.service = service
    self.clients = clients
    self.pace = pace
    self.http = http
    self.deadline = deadline
    self.executor = executor
    deadline.onInputClosed = { [side] in side.close() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Data after the handshake belongs to the WebSocket handlers.
    if case .live = state { return context.fireChannelRead(data) }
    switch (unwrapInboundIn(data), state) {
    case (.head(let head), .waiting): begin(head, context)
    case (.body(let part), .receiving):
      pace.add(RequestHandler.bodyPartCost)
      incoming?.append(part)
    case (.end, .receiving): answer(context)
    // Data after the last response.
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    // Cancel the query that the client no longer waits for.
    task?.cancel()
    context.fireChannelInactive()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if let rest = unwritten { send(rest, context) }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      isInputClosed = true
      if case .waiting = state { context.close(promise: nil) }
    }
    if event is StopsReceiving, case .receiving = state { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func handlerRemoved(context: ChannelHandlerContext) { releaseForwardedClient() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch (error, state) {
    case (_, .live): context.fireErrorCaught(error)
    // More data follows after a rejected request.
    case (is ByteToMessageDecoderError, _), (_, .ending): break
    case (let problem as HTTPParserError, _):
      respond(problem == .headerOverflow ? .headTooLarge : .malformed, context)
    default: context.close(promise: nil)
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    arrival = .now()
    var request = Request(head, client: context.remoteAddress?.ipAddress ?? "unknown")
    if ["GET", "HEAD"].contains(request.method) { request.side = side }
    // RFC 9112, 3.2.
    guard head.version == .http1_0 || head.headers["host"].count == 1 else { return respond(.noHost, context) }
    if let coding = request.headers["transfer-encoding"], coding.lowercased() != "chunked" {
      return respond(.notImplemented, context)
    }
    pace.client = request.peer
    guard let wait = pace.turn() else {
      service.metrics.rejected(.share)
      state = .ending
      return context.close(promise: nil)
    }
    guard request.headers.values.allSatisfy({ $0.utf8.count <= RequestHandler.headerLimit }) else {
      return respond(.headTooLarge, context)
    }
    if request.isForwarded {
      guard clients.enter(request.peer) else { return respond(.tooManyConnections, context) }
      forwardedClient = request.peer
    }
    clients.setSilent(context.channel, false)
    state = .receiving
    version = head.version
    let memory = service.bodyMemory(request)
    incoming = IncomingRequest(head: head, request: request, isSignedIn: memory != nil, memory: memory, wait: wait)
    if request.headers["expect"]?.lowercased() == "100-continue" {
      context.writeAndFlush(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let incoming else { return }
    self.incoming = nil
    // The decoder reads nothing after a request that could have changed the protocol.
    let keepsAlive = incoming.head.isKeepAlive && incoming.request.headers["upgrade"] == nil
    state = .answering(keepsAlive: keepsAlive)
    deadline.awaited = nil
    guard incoming.wait > .zero else { return answer(incoming, keepsAlive, context) }
    context.eventLoop.assumeIsolated().scheduleTask(in: incoming.wait) {
      if context.channel.isActive { self.answer(incoming, keepsAlive, context) }
    }
  }

  private func answer(_ incoming: IncomingRequest, _ keepsAlive: Bool, _ context: ChannelHandlerContext) {
    let request = incoming.request
    if incoming.isOutOfMemory {
      return respond(RestError.outOfMemory.response, request, keepsAlive, context)
    } else if request.hasTooManyItems {
      return respond(
        RestError.tooComplex("query items", limit: Request.itemLimit).response, request, keepsAlive, context)
    } else if !incoming.isTooLarge {
      switch service.liveConnection(request) {
      case .success(let live): return goLive(live, incoming, context)
      case .failure(let rejected): return respond(rejected.response, request, keepsAlive, context)
      case nil: break
      }
    } else if incoming.isSignedIn {
      return respond(.tooLarge, request, keepsAlive, context)
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    task = Task(executorPreference: executor) { [service] in
      var response = await service.answer(request)
      // An expired token is reported first: with a valid one, the body may not be too large.
      if incoming.isTooLarge, response.status != 401 { response = .tooLarge }
      withExtendedLifetime(incoming.memory) {}
      let (handler, context) = bound.value
      handler.respond(response, request, keepsAlive, context)
    }
  }

  func releaseForwardedClient() {
    if let forwardedClient {
      clients.leave(forwardedClient)
      pace.client = nil
    }
    forwardedClient = nil
  }
}
