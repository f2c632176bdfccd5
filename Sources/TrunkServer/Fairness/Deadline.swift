import NIOCore

/// Closes a connection that keeps the server waiting. It sits before the HTTP handlers, because arriving bytes count.
final class Deadline: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// What the client has to do next.
  enum Awaited {
    /// Start a request.
    case request
    /// Finish the request.
    case restOfRequest
    /// Send anything on a live connection.
    case message
    /// Read what was written.
    case reading
    /// Learn that the connection is ending.
    case closing

    fileprivate var time: TimeAmount {
      switch self {
      case .request, .message, .reading: .seconds(ServerConfiguration.inactivityTimeout)
      case .restOfRequest: .seconds(ServerConfiguration.requestTime)
      case .closing: .seconds(5)
      }
    }
  }

  /// What the client must do next; `nil` while the server works. Each assignment restarts the time limit, even if the
  /// value stays the same.
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

  /// Sets one timer for many requests. It fires often enough for the shortest time limit in regular use, and is set
  /// again if a longer one isn't over.
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
