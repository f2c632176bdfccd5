import CGLib

/// What a server sends over a WebSocket.
enum WebSocketFrame: Sendable {
  case text(String)
  case pong([UInt8])
  case close(CloseCode)

  /// RFC 6455, 7.4.1.
  enum CloseCode: UInt16, Error {
    case normal = 1000
    case goingAway = 1001
    case protocolError = 1002
    case invalidText = 1007
    case messageTooBig = 1009
    case tryAgainLater = 1013
  }

  var bytes: [UInt8] {
    switch self {
    case .text(let text): WebSocketFrame.frame(1, text.utf8)
    case .pong(let payload): WebSocketFrame.frame(10, payload)
    case .close(let code): WebSocketFrame.frame(8, [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 255)])
    }
  }

  private static func frame(_ opcode: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
    let count = payload.count
    var bytes = [0x80 | opcode]
    bytes.reserveCapacity(count + 10)
    if count <= 125 {
      bytes.append(UInt8(count))
    } else {
      let size = count <= 0xFFFF ? 2 : 8
      bytes.append(size == 2 ? 126 : 127)
      for place in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: count >> (8 * place))) }
    }
    return bytes + payload
  }
}

/// The request that turns a connection into a WebSocket.
enum WebSocketHandshake {
  /// - Returns: `nil` if the request is something else.
  static func answer(to request: Request) -> Answer? {
    let wishes = request.headers["connection"]?.lowercased().split(separator: ",").map { String($0.trimmed) } ?? []
    guard request.method == "GET", wishes.contains("upgrade"),
      request.headers["upgrade"]?.lowercased() == "websocket", request.headers["sec-websocket-version"] == "13",
      let key = request.headers["sec-websocket-key"], isKey(key)
    else { return nil }
    return Answer(
      status: 101,
      headers: ["Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Accept": accept(key)])
  }

  /// 16 bytes in Base64.
  private static func isKey(_ text: String) -> Bool { text.utf8.count == 24 && text.hasSuffix("==") }

  /// RFC 6455, 4.2.2.
  static func accept(_ key: String) -> String {
    let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    var (digest, size) = ([UInt8](repeating: 0, count: 20), gsize(20))
    let checksum = g_checksum_new(G_CHECKSUM_SHA1)
    g_checksum_update(checksum, text, text.utf8.count)
    g_checksum_get_digest(checksum, &digest, &size)
    g_checksum_free(checksum)
    guard let encoded = g_base64_encode(digest, size) else { return "" }
    defer { g_free(encoded) }
    return String(cString: encoded)
  }
}
