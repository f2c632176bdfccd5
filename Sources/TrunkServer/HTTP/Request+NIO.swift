import NIOHTTP1
import TrunkModel

extension Request {
  /// Creates a request without its body.
  /// - Parameter client: the peer's IP address.
  init(_ head: HTTPRequestHead, client: String) {
    let target = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var headers: [String: String] = [:]
    for (name, value) in head.headers {
      // Joins repeated headers into a list. Where one value is required, a list counts as none.
      headers[name.lowercased(), default: ""] += (headers[name.lowercased()] == nil ? "" : ", ") + value.trimmed
    }
    let forwarded = Request.forwarded(client, headers["x-forwarded-for"])
    self.init(
      method: head.method.rawValue, path: target.first.map(String.init) ?? "",
      query: target.count > 1 ? String(target[1]) : "", headers: headers, body: [],
      peer: forwarded ?? ClientAddress.name(client), isForwarded: forwarded != nil)
  }

  /// The address that a proxy on this computer added last; `nil` for a direct connection.
  private static func forwarded(_ address: String, _ header: String?) -> String? {
    guard ClientAddress.isLocal(address), let last = header?.split(separator: ",").last else { return nil }
    return ClientAddress.name(last.trimmed)
  }

  /// Whether the request is a WebSocket handshake (RFC 6455, 4.2.1).
  var isWebSocketHandshake: Bool {
    let wishes = headers["connection"]?.lowercased().split(separator: ",").map { String($0.trimmed) } ?? []
    return method == "GET" && wishes.contains("upgrade") && headers["upgrade"]?.lowercased() == "websocket"
      && headers["sec-websocket-version"] == "13" && headers["sec-websocket-key"].map(Request.isKey) == true
  }

  /// Whether the text has the form of 16 bytes in Base64.
  private static func isKey(_ text: String) -> Bool { text.utf8.count == 24 && text.hasSuffix("==") }
}

extension Response {
  /// - Parameter version: the client's HTTP version. A response in parts is chunked; HTTP/1.0 has no chunks, so there
  ///   the response ends with the connection.
  func head(keepsAlive: Bool, version: HTTPVersion) -> HTTPResponseHead {
    var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
    // Clients compare their clocks with this date.
    fields.add(name: "Date", value: HTTPDate.text(zone: "GMT"))
    if !keepsAlive { fields.add(name: "Connection", value: "close") }
    if status != 204, rest == nil { fields.add(name: "Content-Length", value: String(body.utf8.count)) }
    let version = rest == nil || version != .http1_0 ? HTTPVersion.http1_1 : .http1_0
    return HTTPResponseHead(version: version, status: HTTPResponseStatus(statusCode: status), headers: fields)
  }
}
