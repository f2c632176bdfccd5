import NIOCore
import NIOWebSocket

/// What a live connection is to be.
struct RealtimeSocket: Sendable {
  /// Bytes of one message from a client, at most: the largest that are of use carry a token.
  private static let messageLimit = 64 << 10
  /// Pieces of one message, at most; each is kept with what has arrived around it.
  private static let pieceLimit = 16

  let hub: RealtimeHub
  let authority: Authority
  let limiter: RateLimiter
  let framing: RealtimeFraming
  /// As `ClientAddress` names it.
  let client: String

  /// From frames as bytes to messages. What is too large is refused before it has arrived.
  func handlers(_ channel: any Channel, _ deadline: Deadline) -> [any ChannelHandler] {
    let output = RealtimeOutput(channel, deadline)
    let connection = RealtimeConnection(self, output: output)
    return [
      WebSocketFrameEncoder(),
      ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: RealtimeSocket.messageLimit)),
      WebSocketRules(),
      NIOWebSocketFrameAggregator(
        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: RealtimeSocket.pieceLimit,
        maxAccumulatedFrameSize: RealtimeSocket.messageLimit),
      RealtimeHandler(hub, connection, output),
    ]
  }
}

/// Refuses frames that NIO leaves to its user to refuse: it could have agreed upon extensions, or be a client.
private final class WebSocketRules: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  struct Offence: Error {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    let isKnown = [.continuation, .text, .binary, .connectionClose, .ping, .pong].contains(frame.opcode)
    let isExtended = frame.rsv1 || frame.rsv2 || frame.rsv3
    if isKnown, !isExtended, frame.maskKey != nil {
      context.fireChannelRead(data)
    } else {
      context.fireErrorCaught(Offence())
    }
  }
}

/// Between the messages of a WebSocket and those of a live connection.
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
    // Binary messages are broadcasts, which are not served.
    default: break
    }
  }

  /// Reads no more than the client does: replies to its own messages must not pile up.
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    // Fails only after the connection was closed.
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
    // More comes after what was refused.
    case is ByteToMessageDecoderError: break
    default: context.close(promise: nil)
    }
  }
}
