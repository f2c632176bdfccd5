/// The responses of `RequestHandler` to requests that it rejects.
extension Response {
  static let tooLarge = Response.json(
    text: #"{"code":"request_entity_too_large","message":"Request body is too large"}"#, status: 413,
    rejection: .tooLarge)
  static let headTooLarge = Response.json(
    text: #"{"code":"bad_request","message":"The headers are too large"}"#, status: 431, rejection: .tooLarge)
  static let tooManyConnections = Response.json(
    text: #"{"code":"over_request_rate_limit","message":"Too many connections"}"#, status: 429, rejection: .connections)
  static let malformed = Response.json(
    text: #"{"code":"bad_request","message":"Malformed HTTP request"}"#, status: 400)
  static let noHost = Response.json(
    text: #"{"code":"bad_request","message":"The Host header is missing"}"#, status: 400)
  static let notImplemented = Response.json(
    text: #"{"code":"not_implemented","message":"Unsupported transfer encoding"}"#, status: 501)
  static let noHandshake = Response.json(text: #"{"error":"not a WebSocket handshake"}"#, status: 400)
}
