import NIOCore
import NIOWebSocket

/// Everything that a live connection is created from.
struct RealtimeSocket: Sendable {
  /// The maximum size of a client's message in bytes. The largest useful messages carry a token.
  private static let messageLimit = 64 << 10
  /// The maximum number of fragments of a message. Each keeps the buffer that it arrived in.
  private static let pieceLimit = 16
  /// The cost of a frame in bytes, because frames can be empty, and each message is parsed and answered. See `Pace`.
  fileprivate static let frameCost = 4 << 10

  let hub: RealtimeHub
  let authority: Authority
  let budget: Budget
  let framing: RealtimeFrames
  /// The client's name, see `ClientAddress`.
  let client: String

  /// The handlers between bytes and messages. Oversized data is rejected before it has arrived.
  func handlers(_ channel: any Channel, _ deadline: Deadline, _ pace: Pace) -> [any ChannelHandler] {
    let output = RealtimeOutput(channel, deadline, budget, client: client)
    let connection = RealtimeConnection(self, output: output)
    return [
      WebSocketFrameEncoder(),
      ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: RealtimeSocket.messageLimit)),
      WebSocketRules(pace),
      NIOWebSocketFrameAggregator(
        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: RealtimeSocket.pieceLimit,
        maxAccumulatedFrameSize: RealtimeSocket.messageLimit),
      RealtimeHandler(hub, connection, output),
    ]
  }
}

/// Rejects frames that NIO leaves to the application, because NIO doesn't know about extensions or which side is the
/// client, and counts all frames.
private final class WebSocketRules: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  struct Offence: Error {}

  private let pace: Pace

  init(_ pace: Pace) {
    self.pace = pace
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    pace.add(RealtimeSocket.frameCost)
    let isKnown = [.continuation, .text, .binary, .connectionClose, .ping, .pong].contains(frame.opcode)
    let isExtended = frame.rsv1 || frame.rsv2 || frame.rsv3
    if isKnown, !isExtended, frame.maskKey != nil {
      context.fireChannelRead(data)
    } else {
      context.fireErrorCaught(Offence())
    }
  }
}

/// Connects WebSocket messages with a live connection.
private final class RealtimeHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame

  private let hub: RealtimeHub
  private let connection: RealtimeConnection
  private let output: RealtimeOutput

  init(_ hub: RealtimeHub, _ connection: RealtimeConnection, _ output: RealtimeOutput) {
    self.hub = hub
    self.connection = connection
    self.output = output
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if !hub.add(connection) { output.close(.tryAgainLater) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    hub.remove(connection)
    ServerLog.log.debug("a live connection was closed")
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard !output.isClosed else { return }
    switch frame.opcode {
    case .text:
      guard let text = String(validating: frame.unmaskedData.readableBytesView, as: UTF8.self) else {
        return output.close(.dataInconsistentWithMessage)
      }
      connection.receive(text)
    case .ping: output.send(.pong, frame.unmaskedData)
    case .connectionClose: output.close(.normalClosure)
    // Binary messages are broadcasts, which are not supported.
    default: break
    }
  }

  /// Stops reading while the client doesn't read, so that replies to its messages don't pile up.
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    // Fails only if the connection is already closed.
    context.channel.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { output.close(.normalClosure) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
      NIOWebSocketFrameAggregator.Error.tooManyFragments:
      output.close(.messageTooLarge)
    case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error, is WebSocketRules.Offence:
      output.close(.protocolError)
    // More data follows after a rejected message.
    case is ByteToMessageDecoderError: break
    default: context.close(promise: nil)
    }
  }
}
