import TrunkModel

/// One response.
struct Response: Sendable {
  var status: Int
  var headers: [String: String] = [:]
  var body: String = ""
  /// The parts after `body`; `nil` if there are none.
  var rest: Rest?
  /// Why the request was rejected, if the metrics count it.
  var rejection: RejectionReason?

  /// Parts that are created after the client has read the previous ones.
  struct Rest: Sendable {
    let count: Int
    let part: @Sendable (Int) async throws -> String
  }

  static func json(_ value: JSON, status: Int = 200) -> Response { json(text: value.compactText, status: status) }

  static func json(text: String, status: Int = 200, rejection: RejectionReason? = nil) -> Response {
    Response(
      status: status, headers: ["Content-Type": "application/json; charset=utf-8"], body: text, rejection: rejection)
  }
}
