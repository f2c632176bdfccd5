import NIOCore

/// Ends a connection that keeps the server waiting. The first handler, because what counts is that bytes arrive.
final class Deadline: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// What the client has to do next.
  enum Awaited {
    /// Begin a request.
    case request
    /// Bring the request to its end.
    case restOfRequest
    /// Say anything on a live connection.
    case message
    /// Take what was written.
    case reading
    /// Hear that the connection is over.
    case goodbye

    fileprivate var time: TimeAmount {
      switch self {
      case .request, .message, .reading: .seconds(ServerConfiguration.patience)
      case .restOfRequest: .seconds(ServerConfiguration.requestTime)
      case .goodbye: .seconds(5)
      }
    }
  }

  /// Setting it, also to what it was, gives the client its time; `nil` while it is the server's turn.
  var awaited: Awaited? {
    didSet { start() }
  }

  private var context: ChannelHandlerContext?
  private var due = NIODeadline.distantFuture
  private var timer: (at: NIODeadline, task: Scheduled<Void>)?

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    awaited = .request
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    timer?.task.cancel()
    timer = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch awaited {
    case .request: awaited = .restOfRequest
    case .message: awaited = .message
    default: break
    }
    context.fireChannelRead(data)
  }

  private func start() {
    guard let awaited, context != nil else { return }
    due = .now() + awaited.time
    if timer.map({ due < $0.at }) ?? true { look(at: due) }
  }

  /// One timer serves many requests: it looks often enough for the shortest time that is given again and again, and is
  /// moved for the rest.
  private func look(at time: NIODeadline) {
    guard let context else { return }
    timer?.task.cancel()
    let at = min(time, .now() + Awaited.restOfRequest.time)
    timer = (at, context.eventLoop.assumeIsolated().scheduleTask(deadline: at) { self.check() })
  }

  private func check() {
    timer = nil
    guard awaited != nil else { return }
    if due <= .now() { context?.close(promise: nil) } else { look(at: due) }
  }
}
