/// Reads the frames of a WebSocket (RFC 6455) and puts messages together. What is too large is refused before it has
/// arrived.
struct WebSocketReader: ~Copyable {
  enum Message {
    case text(String)
    /// Something that is not text.
    case binary
    case ping([UInt8])
    case pong
    case close
  }

  private struct Frame {
    var isLast: Bool
    var opcode: UInt8
    var payload: [UInt8]
  }

  /// Bytes of one message, at most: the largest that are of use carry a token.
  static let messageLimit = 64 << 10

  var inbox: Inbox
  /// The parts of a message whose last one has not come yet.
  private var parts: [UInt8] = []
  /// What the message is that the parts belong to.
  private var started: UInt8?

  init(_ inbox: consuming Inbox) {
    self.inbox = inbox
  }

  /// - Returns: `nil` when the client has gone.
  /// - Throws: why the connection has to end.
  mutating func next() async throws(WebSocketFrame.CloseCode) -> Message? {
    while let frame = try await frame() {
      switch frame.opcode {
      case 8: return .close
      case 9: return .ping(frame.payload)
      case 10: return .pong
      case 1, 2:
        guard started == nil else { throw .protocolError }
        started = frame.opcode
      case 0 where started != nil: break
      default: throw .protocolError
      }
      parts += frame.payload
      guard frame.isLast else { continue }
      let isText = started == 1
      defer { (parts, started) = ([], nil) }
      if !isText { return .binary }
      guard let text = String(validating: parts, as: UTF8.self) else { throw .invalidText }
      return .text(text)
    }
    return nil
  }

  private mutating func frame() async throws(WebSocketFrame.CloseCode) -> Frame? {
    guard await inbox.fill(to: 2) else { return nil }
    let start = Array(inbox.take(2))
    let (first, second) = (start[0], start[1])
    let opcode = first & 15
    let isControl = opcode >= 8
    // Extensions have not been agreed upon; clients mask what they send.
    guard first & 0x70 == 0, second & 0x80 != 0 else { throw .protocolError }
    var length = Int(second & 127)
    if isControl, length > 125 || first & 0x80 == 0 { throw .protocolError }
    if length > 125 {
      let size = length == 126 ? 2 : 8
      guard await inbox.fill(to: size) else { return nil }
      guard let long = Int(exactly: inbox.take(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) else {
        throw .protocolError
      }
      length = long
    }
    guard length <= WebSocketReader.messageLimit - (isControl ? 0 : parts.count) else { throw .messageTooBig }
    guard await inbox.fill(to: 4) else { return nil }
    let mask = Array(inbox.take(4))
    guard await inbox.fill(to: length) else { return nil }
    var payload = Array(inbox.take(length))
    for index in payload.indices { payload[index] ^= mask[index & 3] }
    return Frame(isLast: first & 0x80 != 0, opcode: opcode, payload: payload)
  }
}
