import Foundation
import Synchronization

/// A fault for one request that passes through a `FaultProxy`.
public enum Fault: Sendable {
  /// The request and the response pass unchanged.
  case none
  /// The connection is reset, and the server never sees the request.
  case lostRequest
  /// The server processes the request, and the connection is reset before the response.
  case lostAnswer
  /// This many bytes of the response are sent, then the connection is reset.
  case truncated(after: Int)
  /// This many bytes of the response are sent, then nothing until the client disconnects.
  case stalled(after: Int)
  /// The server receives other values of these headers, keyed by lower-case name.
  case changed(headers: [String: String])
  /// The client receives this response, and the server never sees the request.
  case answer(status: Int, headers: [String: String] = [:], body: String = "")
}

/// A proxy between a client and a server on this computer, which injects faults. It forwards WebSockets.
public final class FaultProxy: Sendable {
  private let server: FaultServer
  private let tunnels: Tunnels

  /// Starts a proxy on a free port.
  /// - Parameters:
  ///   - port: the port of the server.
  ///   - fault: returns the fault for each request; called on the connection's thread, and may block it.
  public init(to port: UInt16, fault: @escaping @Sendable (FaultRequest) -> Fault) {
    let tunnels = Tunnels()
    self.tunnels = tunnels
    server = FaultServer { request, connection in
      switch fault(request) {
      case .lostRequest: connection.reset()
      case .answer(let status, let headers, let body): connection.answer(status, headers, body: body)
      case let fault:
        var request = request
        if case .changed(let headers) = fault { request.headers.merge(headers) { $1 } }
        guard let upstream = Socket.connected(port: port) else { return connection.reset() }
        upstream.send(request.forwarded)
        if request.headers["upgrade"] != nil {
          tunnels.join(connection, upstream)
        } else {
          Self.forward(AnswerReader(upstream, to: request).bytes(), to: connection, fault)
        }
      }
    }
  }

  /// `http://127.0.0.1:PORT`.
  public var address: String { server.address }
  public var port: UInt16 { server.port }
  /// All requests so far.
  public var requests: [FaultRequest] { server.requests }
  /// The number of connections so far.
  public var connectionCount: Int { server.connectionCount }

  /// Closes all open WebSockets without a close frame.
  public func cutTunnels() { tunnels.cut() }

  /// Closes all connections and accepts no more.
  public func stop() {
    tunnels.cut()
    server.stop()
  }

  private static func forward(_ answer: [UInt8], to connection: FaultConnection, _ fault: Fault) {
    switch fault {
    case .lostAnswer: connection.reset()
    case .truncated(let count):
      connection.send(Array(answer.prefix(count)))
      connection.reset()
    case .stalled(let count):
      connection.send(Array(answer.prefix(count)))
      connection.stall()
    default: if answer.isEmpty { connection.reset() } else { connection.send(answer) }
    }
  }
}

/// Two connections whose bytes are forwarded in both directions.
private final class Tunnels: Sendable {
  private let open = Mutex<[Socket]>([])

  func join(_ connection: FaultConnection, _ upstream: Socket) {
    upstream.send(connection.takeRest())
    open.withLock { $0 += [connection.socket, upstream] }
    Thread.detachNewThread {
      while let bytes = upstream.receive(), connection.send(bytes) {}
      connection.close()
    }
    while let bytes = connection.socket.receive(), upstream.send(bytes) {}
    upstream.shutDown()
    connection.close()
    open.withLock { sockets in sockets.removeAll { $0 === upstream || $0 === connection.socket } }
  }

  func cut() {
    for socket in open.withLock({ $0 }) { socket.shutDown() }
  }
}

extension FaultRequest {
  fileprivate var forwarded: [UInt8] {
    var text = "\(method) \(target) HTTP/1.1\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8) + body
  }
}

/// Reads one response to its end.
private struct AnswerReader {
  private let socket: Socket
  private let hasNoBody: Bool

  init(_ socket: Socket, to request: FaultRequest) {
    self.socket = socket
    hasNoBody = request.method == "HEAD"
  }

  func bytes() -> [UInt8] {
    var answer: [UInt8] = []
    while !isComplete(answer), let more = socket.receive() { answer += more }
    return answer
  }

  private func isComplete(_ answer: [UInt8]) -> Bool {
    guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return false }
    let head = String(decoding: answer[..<end], as: UTF8.self).lowercased()
    if hasNoBody || head.hasPrefix("http/1.1 204") || head.hasPrefix("http/1.1 304") { return true }
    if let length = head.firstMatch(of: /\r\ncontent-length: *(\d+)/).flatMap({ Int($0.1) }) {
      return answer.count >= end + length
    }
    return head.contains("chunked") && answer.suffix(5).elementsEqual("0\r\n\r\n".utf8)
  }
}
