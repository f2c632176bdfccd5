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

  /// The event that ends a connection whose request is still incomplete: it was not accepted, and must not keep the
  /// server from stopping.
  struct StopsReceiving: Sendable {}

  /// The cost of a part of a body in bytes, because chunks can be as small as one byte. See `Pace`.
  private static let bodyPartCost = 64
  /// The maximum size of one header's value in bytes. Proxies don't accept longer ones, and splitting a long list would
  /// keep other clients waiting.
  private static let headerLimit = 8 << 10

  private let service: Service
  private let clients: Clients
  private let pace: Pace
  private let deadline: Deadline
  private let executor: any TaskExecutor
  /// The handlers between this one and the bytes.
  private let http: [any RemovableChannelHandler]

  private var state = State.waiting
  private var incoming: IncomingRequest?
  private var unsent = UnsentResponse()
  private var record: RequestRecord
  /// The connection of the client whose request a proxy passes on; `nil` between requests, and for direct connections.
  private var forwarded: Claim?
  /// Creates the response, or its next part.
  private var task: Task<Void, Never>?
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
    record = RequestRecord(service.metrics)
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
    if unsent.isWaiting, context.channel.isWritable { send(context) }
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
}

// MARK: - Requests

extension RequestHandler {
  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    record.begin()
    let request = Request(head, client: context.remoteAddress?.ipAddress ?? "unknown")
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
      forwarded = service.budget.claim(of: .connections, by: [.client(request.peer)])
      if forwarded == nil { return respond(.tooManyConnections, context) }
    }
    clients.setSilent(context.channel, false)
    state = .receiving
    incoming = IncomingRequest(request, head: head, memory: service.bodyMemory(request), wait: wait)
    if request.headers["expect"]?.lowercased() == "100-continue" {
      context.writeAndFlush(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let incoming else { return }
    self.incoming = nil
    state = .answering(keepsAlive: incoming.keepsAlive)
    deadline.awaited = nil
    guard incoming.wait > .zero else { return answer(incoming, context) }
    context.eventLoop.assumeIsolated().scheduleTask(in: incoming.wait) {
      if context.channel.isActive { self.answer(incoming, context) }
    }
  }

  private func answer(_ incoming: IncomingRequest, _ context: ChannelHandlerContext) {
    let request = incoming.request
    if incoming.isOutOfMemory {
      return respond(RestError.outOfMemory.response, to: incoming, context)
    } else if request.hasTooManyItems {
      return respond(RestError.tooComplex("query items", limit: Request.itemLimit).response, to: incoming, context)
    } else if !incoming.isTooLarge {
      switch service.liveConnection(request) {
      case .success(let live): return goLive(live, incoming, context)
      case .failure(let rejected): return respond(rejected.response, to: incoming, context)
      case nil: break
      }
    } else if incoming.isSignedIn {
      return respond(.tooLarge, to: incoming, context)
    }
    let bound = NIOLoopBound((self, incoming, context), eventLoop: context.eventLoop)
    let isTooLarge = incoming.isTooLarge
    task = Task(executorPreference: executor) { [service] in
      var response = await service.answer(request)
      // An expired token is reported first: with a valid one, the body may not be too large.
      if isTooLarge, response.status != 401 { response = .tooLarge }
      let (handler, incoming, context) = bound.value
      handler.respond(response, to: incoming, context)
    }
  }

  private func goLive(_ live: RealtimeSocket, _ incoming: IncomingRequest, _ context: ChannelHandlerContext) {
    guard incoming.request.isWebSocketHandshake else {
      return respond(.noHandshake, to: incoming, isLast: true, context)
    }
    // Needs no I/O, so it completes before any other event.
    WebSocketHandshake.headers(incoming.head, context.channel).assumeIsolated().whenComplete { result in
      guard case .success(let headers) = result else {
        return self.respond(.noHandshake, to: incoming, isLast: true, context)
      }
      self.state = .live
      self.record.end(Response(status: 101), incoming.request)
      // This handler is removed, but the client stays connected.
      context.channel.closeFuture.whenComplete { [forwarded = self.forwarded] _ in forwarded?.end() }
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
      EventLoopFuture.andAllComplete(gone, on: context.eventLoop).assumeIsolated().whenComplete { _ in
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
      }
    }
  }
}

// MARK: - Responses

extension RequestHandler {
  /// Sends the last response of a connection. Its request may be incomplete.
  private func respond(_ response: Response, _ context: ChannelHandlerContext) {
    respond(response, to: nil, isLast: true, context)
  }

  private func respond(
    _ response: Response, to incoming: IncomingRequest?, isLast: Bool = false, _ context: ChannelHandlerContext
  ) {
    guard context.channel.isActive else { return }
    record.end(response, incoming?.request)
    self.incoming = nil
    let version = incoming?.head.version ?? .http1_1
    let hasEnd = response.rest == nil || version != .http1_0
    let keepsAlive = !isLast && incoming?.keepsAlive == true && hasEnd && !isInputClosed
    state = .answering(keepsAlive: keepsAlive)
    context.write(wrapOutboundOut(.head(response.head(keepsAlive: keepsAlive, version: version))), promise: nil)
    let isHead = incoming?.head.method == .HEAD
    unsent = isHead ? UnsentResponse() : UnsentResponse(response.body, response.rest)
    send(context)
  }

  /// Writes as much of a response as the client accepts.
  private func send(_ context: ChannelHandlerContext) {
    deadline.awaited = .reading
    while !unsent.isLastPortion, context.channel.isWritable {
      context.write(wrapOutboundOut(.body(.byteBuffer(unsent.nextPortion()))), promise: nil)
    }
    guard unsent.isLastPortion else { return context.flush() }
    let last = wrapOutboundOut(.body(.byteBuffer(unsent.nextPortion())))
    context.writeAndFlush(last).assumeIsolated().whenComplete { _ in self.end(context) }
  }

  /// Creates the next part of a response after the client has read the previous ones, or ends the response.
  private func end(_ context: ChannelHandlerContext) {
    guard case .answering(let keepsAlive) = state, context.channel.isActive else { return }
    if let part = unsent.beginPart() { return create(part, context) }
    task = nil
    if let forwarded {
      forwarded.end()
      (self.forwarded, pace.client) = (nil, nil)
    }
    let isLast = !keepsAlive || isInputClosed
    // Set before writing, because the write lets the next request in.
    state = isLast ? .ending : .waiting
    clients.setSilent(context.channel, true)
    deadline.awaited = isLast ? .closing : .request
    context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
      // The end marker of a chunked response may have had to wait. Closing a socket with unread data would lose the
      // last response, so the client closes it.
      if isLast { context.close(mode: .output, promise: nil) }
    }
  }

  private func create(_ part: @escaping @Sendable () async throws -> String, _ context: ChannelHandlerContext) {
    deadline.awaited = nil
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    task = Task(executorPreference: executor) {
      let result: Result<String, any Error>
      do { result = .success(try await part()) } catch { result = .failure(error) }
      let (handler, context) = bound.value
      guard context.channel.isActive else { return }
      switch result {
      case .success(let text):
        handler.unsent.set(text)
        handler.send(context)
      case .failure(let error):
        // The status is already sent. Only closing the connection tells the client that something is missing.
        ServerLog.log.warning("a response was cut short", metadata: ["kind": "\(type(of: error))"])
        context.close(promise: nil)
      }
    }
  }
}

/// Creates the response to a handshake. The rest of NIO's upgrader isn't used, because it works only for the first
/// request of a connection, and proxies reuse connections.
private enum WebSocketHandshake {
  private static let upgrader = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
    upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })

  /// - Returns: the headers of the response, without waiting for anything.
  static func headers(_ head: HTTPRequestHead, _ channel: any Channel) -> EventLoopFuture<HTTPHeaders> {
    upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: head, initialResponseHeaders: HTTPHeaders())
  }
}
