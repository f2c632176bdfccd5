import FlyingFox
import Foundation

/// Between FlyingFox and the service: reads bodies up to a limit, names clients, writes answers.
struct HTTPFront: HTTPHandler {
  let service: Service

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let body = try await read(request.bodySequence) else {
      return HTTPFront.response(
        .json(text: #"{"code":"request_entity_too_large","message":"Request body is too large"}"#, status: 413),
        isHead: false)
    }
    let question = Request(
      method: request.method.rawValue, path: request.target.path(), query: request.target.query(),
      headers: HTTPFront.headers(request), body: body, peer: HTTPFront.peer(request))
    switch service.liveConnection(question) {
    case .success(let socket): return try await WebSocketHTTPHandler(handler: socket).handleRequest(request)
    case .failure(let refused): return HTTPFront.response(refused.answer, isHead: false)
    case nil: break
    }
    return HTTPFront.response(await service.answer(question), isHead: request.method == .HEAD)
  }

  /// - Returns: `nil` if there is more than is allowed. Then the rest is read too and thrown away: what was left over
  ///   would be taken for the next request.
  private func read(_ sequence: HTTPBodySequence) async throws -> [UInt8]? {
    var body: [UInt8] = []
    var isTooLarge = false
    for try await part in sequence {
      isTooLarge = isTooLarge || body.count + part.count > ServerConfiguration.bodyLimit
      if !isTooLarge { body += part }
    }
    return isTooLarge ? nil : body
  }

  private static func headers(_ request: HTTPRequest) -> [String: String] {
    Dictionary(
      request.headers.keys.map { ($0.rawValue.lowercased(), request.headers[$0] ?? "") }, uniquingKeysWith: { $1 })
  }

  /// The client's address; behind a proxy on this computer, the one that the proxy has added last.
  static func peer(_ request: HTTPRequest) -> String {
    let address =
      switch request.remoteAddress {
      case .ip4(let address, _), .ip6(let address, _): address
      case .unix, nil: "local"
      }
    let isProxy = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "local"].contains(address)
    guard isProxy, let forwarded = request.headers[.xForwardedFor]?.split(separator: ",").last else { return address }
    return String(forwarded).trimmed
  }

  static func response(_ answer: Answer, isHead: Bool) -> HTTPResponse {
    var headers = HTTPHeaders()
    for (name, value) in answer.headers { headers[HTTPHeader(name)] = value }
    // Clients compare their clocks with it.
    headers[.date] = HTTPDate.text(zone: "GMT")
    let body = Data(answer.body.utf8)
    if isHead { headers[.contentLength] = String(body.count) }
    return HTTPResponse(
      statusCode: HTTPStatusCode(answer.status, phrase: phrases[answer.status] ?? "Status"), headers: headers,
      body: isHead ? Data() : body)
  }

  private static let phrases = [
    200: "OK", 201: "Created", 204: "No Content", 206: "Partial Content", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 409: "Conflict",
    413: "Content Too Large", 416: "Range Not Satisfiable", 422: "Unprocessable Content", 429: "Too Many Requests",
    500: "Internal Server Error", 503: "Service Unavailable",
  ]
}
