import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Serves one connection: its requests one after the other, or a live connection.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
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

  /// A request that may be incomplete.
  private struct Arrival {
    let head: HTTPRequestHead
    var request: Request
    let isSignedIn: Bool
    /// The memory of the body; `nil` for anonymous clients, whose bodies are small.
    let memory: BodyMemory.Reservation?
    /// How long to delay the response.
    let wait: TimeAmount
    var isTooLarge = false
    /// Whether the memory for large bodies is used up.
    var isOutOfMemory = false

    /// The maximum size of the body in bytes.
    var limit: Int { isSignedIn ? ServerConfiguration.bodyLimit : ServerConfiguration.strangerBodyLimit }

    mutating func append(_ part: ByteBuffer) {
      let count = request.body.count + part.readableBytes
      isTooLarge = isTooLarge || count > limit
      isOutOfMemory = isOutOfMemory || !isTooLarge && memory?.grow(to: count) == false
      if isTooLarge || isOutOfMemory { request.body = [] } else { request.body += part.readableBytesView }
    }
  }

  /// The cost of a part of a body in bytes, because chunks can be as small as one byte. See `Pace`.
  private static let bodyPartCost = 64
  /// The maximum size of one header's value in bytes. Proxies don't accept longer ones, and splitting a long list would
  /// keep other clients waiting.
  private static let headerLimit = 8 << 10
  /// The maximum number of bytes of a response written at once. The client must read them before more are written.
  private static let portion = 65_536

  private let service: Service
  private let clients: Clients
  private let pace: Pace
  private let deadline: Deadline
  private let executor: any TaskExecutor
  /// The handlers between this one and the bytes.
  private var http: [any RemovableChannelHandler]
  private var state = State.waiting
  private var arrival: Arrival?
  /// The client that a connection from a proxy counts for at the moment.
  private var guest: String?
  /// The client's HTTP version.
  private var version = HTTPVersion.http1_1
  /// The rest of the current part that has not been written; `nil` if there is none.
  private var unsent: ByteBuffer?
  /// The later parts of the response, and the index of the next one.
  private var rest: (parts: Response.Rest, next: Int)?
  /// Creates the response, or its next part.
  private var task: Task<Void, Never>?
  private let side = ClientSide()
  /// Whether the client has closed its side of the connection, and no request follows the current one.
  private var isInputClosed = false

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
      arrival?.append(part)
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
    if let rest = unsent { send(rest, context) }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      isInputClosed = true
      if case .waiting = state { context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func handlerRemoved(context: ChannelHandlerContext) { releaseGuest() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch (error, state) {
    case (_, .live): context.fireErrorCaught(error)
    // More data follows after a refused request.
    case (is ByteToMessageDecoderError, _), (_, .ending): break
    case (let problem as HTTPParserError, _):
      respond(problem == .headerOverflow ? RequestHandler.headTooLarge : RequestHandler.malformed, context)
    default: context.close(promise: nil)
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var request = Request(head, client: context.remoteAddress?.ipAddress ?? "unknown")
    if ["GET", "HEAD"].contains(request.method) { request.side = side }
    if let coding = request.headers["transfer-encoding"], coding.lowercased() != "chunked" {
      return respond(RequestHandler.notImplemented, context)
    }
    pace.client = request.peer
    guard let wait = pace.turn() else {
      state = .ending
      return context.close(promise: nil)
    }
    guard request.headers.values.allSatisfy({ $0.utf8.count <= RequestHandler.headerLimit }) else {
      return respond(RequestHandler.headTooLarge, context)
    }
    if request.isForwarded {
      guard clients.enter(request.peer) else { return respond(RequestHandler.tooManyConnections, context) }
      guest = request.peer
    }
    state = .receiving
    version = head.version
    let memory = service.bodyMemory(request)
    arrival = Arrival(head: head, request: request, isSignedIn: memory != nil, memory: memory, wait: wait)
    if request.headers["expect"]?.lowercased() == "100-continue" {
      context.writeAndFlush(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let arrival else { return }
    self.arrival = nil
    // The decoder reads nothing after a request that could have changed the protocol.
    let keepsAlive = arrival.head.isKeepAlive && arrival.request.headers["upgrade"] == nil
    state = .answering(keepsAlive: keepsAlive)
    deadline.awaited = nil
    guard arrival.wait > .zero else { return answer(arrival, keepsAlive, context) }
    context.eventLoop.assumeIsolated().scheduleTask(in: arrival.wait) {
      if context.channel.isActive { self.answer(arrival, keepsAlive, context) }
    }
  }

  private func answer(_ arrival: Arrival, _ keepsAlive: Bool, _ context: ChannelHandlerContext) {
    let request = arrival.request
    if arrival.isOutOfMemory {
      return respond(RestError.outOfMemory.response, request, keepsAlive, context)
    } else if request.hasTooManyItems {
      return respond(
        RestError.tooComplex("query items", limit: Request.itemLimit).response, request, keepsAlive, context)
    } else if !arrival.isTooLarge {
      switch service.liveConnection(request) {
      case .success(let live): return goLive(live, arrival, context)
      case .failure(let refused): return respond(refused.response, request, keepsAlive, context)
      case nil: break
      }
    } else if arrival.isSignedIn {
      return respond(RequestHandler.tooLarge, request, keepsAlive, context)
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    task = Task(executorPreference: executor) { [service] in
      var response = await service.answer(request)
      // An expired token is reported first: with a valid one, the body may not be too large.
      if arrival.isTooLarge, response.status != 401 { response = RequestHandler.tooLarge }
      withExtendedLifetime(arrival.memory) {}
      let (handler, context) = bound.value
      handler.respond(response, request, keepsAlive, context)
    }
  }

  /// Sends the last response of a connection. Its request may be incomplete.
  private func respond(_ response: Response, _ context: ChannelHandlerContext) {
    respond(response, nil, false, context)
  }

  private func respond(_ response: Response, _ request: Request?, _ keepsAlive: Bool, _ context: ChannelHandlerContext)
  {
    guard context.channel.isActive else { return }
    arrival = nil
    let hasEnd = response.rest == nil || version != .http1_0
    let keepsAlive = keepsAlive && hasEnd && !isInputClosed
    state = .answering(keepsAlive: keepsAlive)
    context.write(wrapOutboundOut(.head(response.head(keepsAlive: keepsAlive, version: version))), promise: nil)
    let isHead = request?.method == "HEAD"
    rest = isHead ? nil : response.rest.map { ($0, 0) }
    send(isHead ? ByteBuffer() : ByteBuffer(string: response.body), context)
  }

  /// Creates the next part of a response after the client has read the previous ones.
  private func sendNextPart(_ context: ChannelHandlerContext) -> Bool {
    guard let rest, rest.next < rest.parts.count else {
      self.rest = nil
      return false
    }
    self.rest?.next += 1
    deadline.awaited = nil
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    task = Task(executorPreference: executor) {
      do {
        let text = try await rest.parts.part(rest.next)
        let (handler, context) = bound.value
        guard context.channel.isActive else { return }
        handler.send(ByteBuffer(string: text), context)
      } catch {
        // The status is already sent. Only closing the connection tells the client that something is missing.
        let (_, context) = bound.value
        if context.channel.isActive {
          ServerLog.note("a response was cut short: \(type(of: error))")
          context.close(promise: nil)
        }
      }
    }
    return true
  }

  /// Writes as much of a response as the client accepts.
  private func send(_ body: ByteBuffer, _ context: ChannelHandlerContext) {
    var rest = body
    unsent = nil
    deadline.awaited = .reading
    while rest.readableBytes > RequestHandler.portion, context.channel.isWritable,
      let part = rest.readSlice(length: RequestHandler.portion)
    {
      context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil)
    }
    guard rest.readableBytes <= RequestHandler.portion else {
      unsent = rest
      return context.flush()
    }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(rest)))).assumeIsolated().whenComplete { _ in
      self.end(context)
    }
  }

  private func end(_ context: ChannelHandlerContext) {
    guard case .answering(let keepsAlive) = state, context.channel.isActive, !sendNextPart(context) else { return }
    task = nil
    releaseGuest()
    let isLast = !keepsAlive || isInputClosed
    // Set before writing, because the write lets the next request in.
    state = isLast ? .ending : .waiting
    deadline.awaited = isLast ? .goodbye : .request
    context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
      // The end marker of a chunked response may have had to wait. Closing a socket with unread data would lose the
      // last response, so the client closes it.
      if isLast { context.close(mode: .output, promise: nil) }
    }
  }

  private func releaseGuest() {
    if let guest {
      clients.leave(guest)
      pace.client = nil
    }
    guest = nil
  }

  /// Hands the connection over to the WebSocket handlers.
  private func goLive(_ live: RealtimeSocket, _ arrival: Arrival, _ context: ChannelHandlerContext) {
    guard arrival.request.isWebSocketHandshake else {
      return respond(RequestHandler.noHandshake, arrival.request, false, context)
    }
    // Needs no I/O, so it completes before any other event.
    RequestHandler.upgrader.buildUpgradeResponse(
      channel: context.channel, upgradeRequest: arrival.head, initialResponseHeaders: HTTPHeaders()
    ).assumeIsolated().whenComplete { result in
      guard case .success(let headers) = result else {
        return self.respond(RequestHandler.noHandshake, arrival.request, false, context)
      }
      self.state = .live
      if let guest = self.guest {
        // This handler is removed, but the client stays connected.
        context.channel.closeFuture.whenComplete { [clients = self.clients] _ in clients.leave(guest) }
        self.guest = nil
      }
      self.deadline.awaited = .message
      let welcome = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
      context.writeAndFlush(self.wrapOutboundOut(.head(welcome)), promise: nil)
      let pipeline = context.pipeline.syncOperations
      do {
        try pipeline.addHandlers(live.handlers(context.channel, self.deadline, self.pace))
      } catch {
        ServerLog.note("a live connection can't be served: \(error)")
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

  private static let tooLarge = Response.json(
    text: #"{"code":"request_entity_too_large","message":"Request body is too large"}"#, status: 413)
  private static let headTooLarge = Response.json(
    text: #"{"code":"bad_request","message":"The headers are too large"}"#, status: 431)
  private static let tooManyConnections = Response.json(
    text: #"{"code":"over_request_rate_limit","message":"Too many connections"}"#, status: 429)
  private static let malformed = Response.json(
    text: #"{"code":"bad_request","message":"Malformed HTTP request"}"#, status: 400)
  private static let notImplemented = Response.json(
    text: #"{"code":"not_implemented","message":"Unsupported transfer encoding"}"#, status: 501)
  private static let noHandshake = Response.json(text: #"{"error":"not a WebSocket handshake"}"#, status: 400)
}
