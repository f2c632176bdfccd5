import NIOCore
import NIOHTTP1

extension RequestHandler {
  /// The maximum number of bytes of a response written at once. The client must read them before more are written.
  private static let portion = 65_536

  /// Sends the last response of a connection. Its request may be incomplete.
  func respond(_ response: Response, _ context: ChannelHandlerContext) {
    respond(response, nil, false, context)
  }

  func respond(_ response: Response, _ request: Request?, _ keepsAlive: Bool, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    record(response, request)
    incoming = nil
    let hasEnd = response.rest == nil || version != .http1_0
    let keepsAlive = keepsAlive && hasEnd && !isInputClosed
    state = .answering(keepsAlive: keepsAlive)
    context.write(wrapOutboundOut(.head(response.head(keepsAlive: keepsAlive, version: version))), promise: nil)
    let isHead = request?.method == "HEAD"
    rest = isHead ? nil : response.rest.map { ($0, 0) }
    send(isHead ? ByteBuffer() : ByteBuffer(string: response.body), context)
  }

  /// Logs and counts that a request is answered, without anything that the client wrote.
  /// - Parameter request: `nil` if it was rejected before it was complete.
  func record(_ response: Response, _ request: Request?) {
    let time = arrival.map { (NIODeadline.now() - $0).nanoseconds }
    arrival = nil
    let group = request.map { RouteGroup(path: $0.path) } ?? .other
    service.metrics.answered(group, status: response.status, nanoseconds: time)
    if let reason = response.rejection { service.metrics.rejected(reason) }
    ServerLog.log.debug(
      "a request was answered",
      metadata: [
        "group": "\(group.rawValue)", "method": "\(request?.knownMethod ?? "unknown")",
        "status": .stringConvertible(response.status), "microseconds": .stringConvertible(Int((time ?? 0) / 1000)),
      ])
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
          ServerLog.log.warning("a response was cut short", metadata: ["kind": "\(type(of: error))"])
          context.close(promise: nil)
        }
      }
    }
    return true
  }

  /// Writes as much of a response as the client accepts.
  func send(_ body: ByteBuffer, _ context: ChannelHandlerContext) {
    var rest = body
    unwritten = nil
    deadline.awaited = .reading
    while rest.readableBytes > RequestHandler.portion, context.channel.isWritable,
      let part = rest.readSlice(length: RequestHandler.portion)
    {
      context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil)
    }
    guard rest.readableBytes <= RequestHandler.portion else {
      unwritten = rest
      return context.flush()
    }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(rest)))).assumeIsolated().whenComplete { _ in
      self.end(context)
    }
  }

  private func end(_ context: ChannelHandlerContext) {
    guard case .answering(let keepsAlive) = state, context.channel.isActive, !sendNextPart(context) else { return }
    task = nil
    releaseForwardedClient()
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
}
