import NIOCore

/// Gives each client a share of the thread that serves all of them. A client that sends more than its share is read
/// later, so that other clients are served as fast as without it.
///
/// It is the first handler, because all bytes cost time, including those of rejected requests.
final class Pace: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The cost of a request in bytes: reading this many takes about as long as answering a small request.
  private static let requestCost = 32 << 10

  /// The client whose bytes arrive, as named by `ClientAddress`. Between two requests, a connection from a proxy
  /// belongs to no client and isn't delayed: the next request may be another client's.
  var client: String? {
    didSet { if client == nil { resume() } }
  }

  private let budget: Budget
  /// The cost of the frames and chunks in the current bytes, in addition to their number.
  private var additionalCost = 0
  private var context: ChannelHandlerContext?
  private var pause: Scheduled<Void>?
  /// Whether the channel wanted to read during the pause.
  private var wantsToRead = false

  init(_ budget: Budget, client: String?) {
    self.budget = budget
    self.client = client
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    pause?.cancel()
  }

  /// Counts a request.
  /// - Returns: how long to delay its response; `nil` if the client is so far above its share that it gets none.
  func turn() -> TimeAmount? {
    guard let client else { return .zero }
    let seconds = budget.add(Double(Pace.requestCost), of: .bytes, by: [.client(client)])
    return seconds < Budget.longestDelay ? Pace.time(seconds) : nil
  }

  /// Counts what takes longer to read than its bytes do, such as one of many small frames.
  /// - Parameter cost: the number of bytes that take as long.
  func add(_ cost: Int) { additionalCost += cost }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let count = unwrapInboundIn(data).readableBytes
    additionalCost = 0
    // Forward the bytes first, because the headers of a request name the client.
    context.fireChannelRead(data)
    guard let client else { return }
    let seconds = budget.add(Double(count + additionalCost), of: .bytes, by: [.client(client)])
    guard seconds > 0, self.context != nil else { return }
    pause?.cancel()
    pause = context.eventLoop.assumeIsolated().scheduleTask(in: Pace.time(seconds)) { self.resume() }
  }

  func read(context: ChannelHandlerContext) {
    if pause == nil { context.read() } else { wantsToRead = true }
  }

  private func resume() {
    pause?.cancel()
    pause = nil
    guard wantsToRead else { return }
    wantsToRead = false
    context?.read()
  }

  private static func time(_ seconds: Double) -> TimeAmount { .microseconds(Int64(seconds * 1_000_000)) }
}
