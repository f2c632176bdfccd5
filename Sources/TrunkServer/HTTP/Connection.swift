/// Serves one client: its requests one after the other, or a live connection.
struct Connection {
  /// Seconds for a client that is told why its connection ends to read that.
  private static let farewell: Int64 = 5

  let socket: PolledSocket
  /// The client's IP address.
  let address: String
  let service: Service

  /// Returns when the connection is over.
  func serve() async {
    var reader = RequestReader(socket)
    do throws(RequestReader.Refusal) {
      while let head = try await reader.head() {
        if head.headers["expect"]?.lowercased() == "100-continue" {
          guard await socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return }
        }
        var request = request(head)
        let isSignedIn = service.isSignedIn(request)
        let limit = isSignedIn ? ServerConfiguration.bodyLimit : ServerConfiguration.strangerBodyLimit
        guard let body = try await reader.body(of: head, limit: limit) else { return }
        let answer: Answer
        switch body {
        case .tooLarge where isSignedIn: answer = Connection.tooLarge
        case .tooLarge:
          // A token that is over is what has to be said: with another one it will not be too large.
          let refusal = await service.answer(request)
          answer = refusal.status == 401 ? refusal : Connection.tooLarge
        case .whole(let bytes):
          request.body = bytes
          switch service.liveConnection(request) {
          case .success(let live):
            guard let welcome = WebSocketHandshake.answer(to: request) else {
              answer = .json(text: #"{"error":"not a WebSocket handshake"}"#, status: 400)
              break
            }
            guard await socket.write(welcome.bytes(keepsAlive: true)) else { return }
            return await live.run(WebSocketReader(reader.inbox))
          case .failure(let refused): answer = refused.answer
          case nil: answer = await service.answer(request)
          }
        }
        let bytes = answer.bytes(isHead: head.method == "HEAD", keepsAlive: head.keepsAlive)
        guard await socket.write(bytes) else { return }
        if !head.keepsAlive { break }
      }
    } catch {
      guard await socket.write(Connection.answer(to: error).bytes(keepsAlive: false)) else { return }
    }
    // Closing a socket that holds unread data would make what was said last get lost.
    Connection.beginEnd(of: socket)
    await reader.inbox.discard()
  }

  /// Says that nothing more will be written, and gives the client a moment to say the same.
  static func beginEnd(of socket: PolledSocket) {
    socket.stopWriting()
    socket.expectData(within: farewell)
  }

  private func request(_ head: RequestHead) -> Request {
    Request(
      method: head.method, path: head.path, query: head.query, headers: head.headers, body: [],
      peer: Connection.peer(address, forwardedFor: head.headers["x-forwarded-for"]))
  }

  /// The client's address; behind a proxy on this computer, the one that the proxy has added last.
  static func peer(_ address: String, forwardedFor: String?) -> String {
    let isProxy = ["127.0.0.1", "::1", "::ffff:127.0.0.1"].contains(address)
    guard isProxy, let last = forwardedFor?.split(separator: ",").last else { return address }
    return String(last.trimmed)
  }

  private static let tooLarge = Answer.json(
    text: #"{"code":"request_entity_too_large","message":"Request body is too large"}"#, status: 413)

  private static func answer(to refusal: RequestReader.Refusal) -> Answer {
    switch refusal {
    case .malformed: .json(text: #"{"code":"bad_request","message":"This is no proper HTTP"}"#, status: 400)
    case .headTooLarge: .json(text: #"{"code":"bad_request","message":"The headers are too large"}"#, status: 431)
    case .notImplemented:
      .json(text: #"{"code":"not_implemented","message":"Bodies come as a whole or in chunks"}"#, status: 501)
    }
  }
}

extension Answer {
  /// As HTTP/1.1 has it, in one piece.
  func bytes(isHead: Bool = false, keepsAlive: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(Answer.phrases[status] ?? "Status")\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    // Clients compare their clocks with it.
    text += "Date: \(HTTPDate.text(zone: "GMT"))\r\n"
    if !keepsAlive { text += "Connection: close\r\n" }
    if status >= 200, status != 204 { text += "Content-Length: \(body.utf8.count)\r\n" }
    text += "\r\n"
    return Array(text.utf8) + (isHead ? [] : Array(body.utf8))
  }

  private static let phrases = [
    101: "Switching Protocols", 200: "OK", 201: "Created", 204: "No Content", 206: "Partial Content",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    406: "Not Acceptable", 409: "Conflict", 413: "Content Too Large", 416: "Range Not Satisfiable",
    422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
  ]
}
