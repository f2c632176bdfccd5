import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Serves one client: its requests one after the other, or a live connection.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case waiting
    case receiving
    /// Until the system has taken the whole answer: only then may a client that sends no more be left, or the server end.
    /// Says whether another request may follow.
    case answering(keepsAlive: Bool)
    /// Nothing more is answered.
    case ending
    /// Others serve the connection.
    case live
  }

  /// A request as far as it has come.
  private struct Arrival {
    let head: HTTPRequestHead
    var request: Request
    let isSignedIn: Bool
    /// The memory of the body; `nil` for strangers, whose bodies are small.
    let memory: BodyMemory.Reservation?
    var isTooLarge = false
    /// Whether there are too many large bodies at the moment.
    var isOutOfMemory = false

    /// Bytes of the body, at most.
    var limit: Int { isSignedIn ? ServerConfiguration.bodyLimit : ServerConfiguration.strangerBodyLimit }

    mutating func append(_ part: ByteBuffer) {
      let count = request.body.count + part.readableBytes
      isTooLarge = isTooLarge || count > limit
      isOutOfMemory = isOutOfMemory || !isTooLarge && memory?.grow(to: count) == false
      if isTooLarge || isOutOfMemory { request.body = [] } else { request.body += part.readableBytesView }
    }
  }

  /// Bytes of an answer that are written at once: so many have to be taken for the next ones to be.
  private static let portion = 65_536

  private let service: Service
  private let clients: Clients
  private let deadline: Deadline
  private let executor: any TaskExecutor
  /// Those between this handler and the bytes.
  private var http: [any RemovableChannelHandler]
  private var state = State.waiting
  private var arrival: Arrival?
  /// The client for which a connection from a proxy counts now.
  private var guest: String?
  /// The version that the client speaks.
  private var version = HTTPVersion.http1_1
  /// What of the answer has not been written yet; `nil` without an answer, and when that is all.
  private var unsent: ByteBuffer?
  /// What follows, and which of its parts is next.
  private var rest: (parts: Answer.Rest, next: Int)?
  /// Answers the request, or makes the next part of the answer.
  private var task: Task<Void, Never>?
  /// Whether the client has said that it sends no more.
  private var isInputClosed = false

  init(
    service: Service, clients: Clients, deadline: Deadline, http: [any RemovableChannelHandler],
    executor: any TaskExecutor
  ) {
    self.service = service
    self.clients = clients
    self.http = http
    self.deadline = deadline
    self.executor = executor
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What has come behind the handshake is for those who serve the connection now.
    if case .live = state { return context.fireChannelRead(data) }
    switch (unwrapInboundIn(data), state) {
    case (.head(let head), .waiting): begin(head, context)
    case (.body(let part), .receiving): arrival?.append(part)
    case (.end, .receiving): answer(context)
    // What follows the last answer.
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    // Ends the query that the client no longer waits for.
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
    // More comes after what was refused.
    case (is ByteToMessageDecoderError, _), (_, .ending): break
    case (let problem as HTTPParserError, _):
      respond(problem == .headerOverflow ? RequestHandler.headTooLarge : RequestHandler.malformed, context)
    default: context.close(promise: nil)
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let request = Request(head, client: context.remoteAddress?.ipAddress ?? "unknown")
    if let coding = request.headers["transfer-encoding"], coding.lowercased() != "chunked" {
      return respond(RequestHandler.notImplemented, context)
    }
    if request.isForwarded {
      guard clients.enter(request.peer) else { return respond(RequestHandler.tooManyConnections, context) }
      guest = request.peer
    }
    state = .receiving
    version = head.version
    let memory = service.bodyMemory(request)
    arrival = Arrival(head: head, request: request, isSignedIn: memory != nil, memory: memory)
    if request.headers["expect"]?.lowercased() == "100-continue" {
      context.writeAndFlush(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let arrival else { return }
    self.arrival = nil
    // The decoder reads nothing behind a request that could have changed the protocol.
    let keepsAlive = arrival.head.isKeepAlive && arrival.request.headers["upgrade"] == nil
    state = .answering(keepsAlive: keepsAlive)
    deadline.awaited = nil
    let request = arrival.request
    if arrival.isOutOfMemory {
      return respond(RestError.outOfMemory.answer, request, keepsAlive, context)
    } else if !arrival.isTooLarge {
      switch service.liveConnection(request) {
      case .success(let live): return goLive(live, arrival, context)
      case .failure(let refused): return respond(refused.answer, request, keepsAlive, context)
      case nil: break
      }
    } else if arrival.isSignedIn {
      return respond(RequestHandler.tooLarge, request, keepsAlive, context)
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    task = Task(executorPreference: executor) { [service] in
      var answer = await service.answer(request)
      // A token that is over is what has to be said: with another one it will not be too large.
      if arrival.isTooLarge, answer.status != 401 { answer = RequestHandler.tooLarge }
      withExtendedLifetime(arrival.memory) {}
      let (handler, context) = bound.value
      handler.respond(answer, request, keepsAlive, context)
    }
  }

  /// Answers the last request of a connection, which may not have come to its end.
  private func respond(_ answer: Answer, _ context: ChannelHandlerContext) {
    respond(answer, nil, false, context)
  }

  private func respond(_ answer: Answer, _ request: Request?, _ keepsAlive: Bool, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    arrival = nil
    let hasEnd = answer.rest == nil || version != .http1_0
    let keepsAlive = keepsAlive && hasEnd && !isInputClosed
    state = .answering(keepsAlive: keepsAlive)
    context.write(wrapOutboundOut(.head(answer.head(keepsAlive: keepsAlive, version: version))), promise: nil)
    let isHead = request?.method == "HEAD"
    rest = isHead ? nil : answer.rest.map { ($0, 0) }
    send(isHead ? ByteBuffer() : ByteBuffer(string: answer.body), context)
  }

  /// Makes the next part of an answer, now that the client has taken those before.
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
        // The status is sent already; only an end in the middle tells the client that something is missing.
        let (_, context) = bound.value
        if context.channel.isActive {
          Log.note("an answer was cut short: \(type(of: error))")
          context.close(promise: nil)
        }
      }
    }
    return true
  }

  /// Writes as much of an answer as the client takes.
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
    // Before it is written, because that lets the next request in.
    state = isLast ? .ending : .waiting
    deadline.awaited = isLast ? .goodbye : .request
    context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
      // The mark that ends an answer in chunks may have had to wait. Closing a socket that holds unread data would make
      // what was said last get lost; so the client closes it.
      if isLast { context.close(mode: .output, promise: nil) }
    }
  }

  private func releaseGuest() {
    if let guest { clients.leave(guest) }
    guest = nil
  }

  /// Leaves the connection to those who speak WebSocket.
  private func goLive(_ live: RealtimeSocket, _ arrival: Arrival, _ context: ChannelHandlerContext) {
    guard arrival.request.isWebSocketHandshake else {
      return respond(RequestHandler.noHandshake, arrival.request, false, context)
    }
    // Has all that it needs at hand, so that this comes before any other event.
    RequestHandler.upgrader.buildUpgradeResponse(
      channel: context.channel, upgradeRequest: arrival.head, initialResponseHeaders: HTTPHeaders()
    ).assumeIsolated().whenComplete { result in
      guard case .success(let headers) = result else {
        return self.respond(RequestHandler.noHandshake, arrival.request, false, context)
      }
      self.state = .live
      if let guest = self.guest {
        // This handler goes now, and the client stays.
        context.channel.closeFuture.whenComplete { [clients = self.clients] _ in clients.leave(guest) }
        self.guest = nil
      }
      self.deadline.awaited = .message
      let welcome = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
      context.writeAndFlush(self.wrapOutboundOut(.head(welcome)), promise: nil)
      let pipeline = context.pipeline.syncOperations
      do {
        try pipeline.addHandlers(live.handlers(context.channel, self.deadline))
      } catch {
        Log.note("a live connection can't be served: \(error)")
        return context.close(promise: nil)
      }
      // The decoder goes last, and passes on what it has not read.
      let gone = self.http.map { pipeline.removeHandler($0) }
      self.http = []
      EventLoopFuture.andAllComplete(gone, on: context.eventLoop).assumeIsolated().whenComplete { _ in
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
      }
    }
  }

  /// Knows the answer to a handshake. The rest of what it does it would do for the first request of a connection only,
  /// and proxies keep theirs.
  private static let upgrader = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
    upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })

  private static let tooLarge = Answer.json(
    text: #"{"code":"request_entity_too_large","message":"Request body is too large"}"#, status: 413)
  private static let headTooLarge = Answer.json(
    text: #"{"code":"bad_request","message":"The headers are too large"}"#, status: 431)
  private static let tooManyConnections = Answer.json(
    text: #"{"code":"over_request_rate_limit","message":"Too many connections"}"#, status: 429)
  private static let malformed = Answer.json(
    text: #"{"code":"bad_request","message":"This is no proper HTTP"}"#, status: 400)
  private static let notImplemented = Answer.json(
    text: #"{"code":"not_implemented","message":"Bodies come as a whole or in chunks"}"#, status: 501)
  private static let noHandshake = Answer.json(text: #"{"error":"not a WebSocket handshake"}"#, status: 400)
}
