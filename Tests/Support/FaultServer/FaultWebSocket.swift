import CGLib
import Foundation

/// The server's end of a WebSocket, which can violate RFC 6455. Used on the connection's thread.
public final class FaultWebSocket {
  public struct Frame: Equatable {
    public let opcode: UInt8
    public let payload: [UInt8]

    public var text: String { String(decoding: payload, as: UTF8.self) }
  }

  public enum Opcode {
    public static let continuation: UInt8 = 0
    public static let text: UInt8 = 1
    public static let binary: UInt8 = 2
    public static let close: UInt8 = 8
    public static let ping: UInt8 = 9
    public static let pong: UInt8 = 10
  }

  private let connection: FaultConnection
  private var buffer: [UInt8]

  /// Sends the response to the handshake.
  public init(_ request: FaultRequest, _ connection: FaultConnection) {
    self.connection = connection
    buffer = connection.takeRest()
    let key = request.headers["sec-websocket-key"] ?? ""
    let digest = FaultWebSocket.sha1(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
    connection.send(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(Data(digest).base64EncodedString())\r\n\r\n")
  }

  /// Sends a text in one frame.
  /// - Returns: `false` if the client has disconnected.
  @discardableResult
  public func send(_ text: String) -> Bool { send(Opcode.text, Array(text.utf8)) }

  /// Sends a frame.
  /// - Parameters:
  ///   - isLast: whether this is the last frame of its message.
  ///   - declaredLength: the length in the frame's header; `nil` for that of the payload.
  /// - Returns: `false` if the client has disconnected.
  @discardableResult
  public func send(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, declaredLength: Int? = nil) -> Bool {
    let count = declaredLength ?? payload.count
    var frame = [(isLast ? 0x80 : 0) | opcode]
    switch count {
    case ..<126: frame.append(UInt8(count))
    case ..<65_536: frame += [126, UInt8(count >> 8), UInt8(count & 255)]
    default: frame += [127] + (0..<8).map { UInt8(count >> (56 - 8 * $0) & 255) }
    }
    return connection.send(frame + payload)
  }

  /// Sends a close frame with this status code.
  public func close(_ code: Int) { send(Opcode.close, [UInt8(code >> 8), UInt8(code & 255)]) }

  /// Closes the connection without a close frame.
  public func disconnect() { connection.close() }

  /// Waits for the next frame of the client; `nil` at the end.
  public func receive() -> Frame? {
    guard let head = take(2) else { return nil }
    var count = Int(head[1] & 127)
    if count >= 126 {
      guard let length = take(count == 126 ? 2 : 8) else { return nil }
      count = length.reduce(0) { $0 << 8 | Int($1) }
    }
    // Clients mask their frames.
    guard head[1] & 128 != 0, let mask = take(4), let payload = take(count) else { return nil }
    return Frame(opcode: head[0] & 15, payload: payload.enumerated().map { $1 ^ mask[$0 % 4] })
  }

  /// Waits for the next text of the client; `nil` at the end or after a close frame.
  public func receiveText() -> String? {
    while let frame = receive() {
      if frame.opcode == Opcode.text { return frame.text }
      if frame.opcode == Opcode.close { return nil }
    }
    return nil
  }

  private func take(_ count: Int) -> [UInt8]? {
    while buffer.count < count {
      guard let more = connection.socket.receive() else { return nil }
      buffer += more
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer.prefix(count))
  }

  private static func sha1(_ text: String) -> [UInt8] {
    let checksum = g_checksum_new(G_CHECKSUM_SHA1)
    defer { g_checksum_free(checksum) }
    g_checksum_update(checksum, text, text.utf8.count)
    var count: gsize = 20
    return [UInt8](unsafeUninitializedCapacity: 20) { buffer, initialized in
      g_checksum_get_digest(checksum, buffer.baseAddress, &count)
      initialized = Int(count)
    }
  }
}
