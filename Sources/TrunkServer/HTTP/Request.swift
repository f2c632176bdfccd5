import TrunkModel

/// One complete request.
struct Request: Sendable {
  var method: String
  var path: String
  /// Still percent-encoded, as received.
  var query: String
  /// Keyed by lower-case name.
  var headers: [String: String]
  var body: [UInt8]
  /// The client's name, see `ClientAddress`.
  var peer: String
  /// Whether a proxy has named the client.
  var isForwarded = false

  /// - Parameter plusIsSpace: whether `+` stands for a space, as in forms and in PostgREST.
  func items(plusIsSpace: Bool) -> [(name: String, value: String)] {
    query.split(separator: "&").map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        decoded(pair[0], plusIsSpace: plusIsSpace), pair.count > 1 ? decoded(pair[1], plusIsSpace: plusIsSpace) : ""
      )
    }
  }

  /// The first value of a query item.
  func item(_ name: String) -> String? {
    items(plusIsSpace: false).first { $0.name == name }?.value
  }

  /// The body parsed as JSON.
  func json() throws(JSONError) -> JSON { try JSON(String(decoding: body, as: UTF8.self)) }

  /// The token after `Bearer`.
  var bearer: String? {
    guard let value = headers["authorization"], value.prefix(7).lowercased() == "bearer " else { return nil }
    return String(value.dropFirst(7).trimmed)
  }

  private func decoded(_ text: Substring, plusIsSpace: Bool) -> String {
    var out: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        // A radix alone would accept a sign.
        bytes[(index + 1)...(index + 2)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        out.append(value)
        index += 3
      } else {
        out.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}

/// One response.
struct Answer: Sendable {
  var status: Int
  var headers: [String: String] = [:]
  var body: String = ""
  /// The parts after `body`; `nil` if there are none.
  var rest: Rest?

  /// Parts that are created after the client has read the previous ones.
  struct Rest: Sendable {
    let count: Int
    let part: @Sendable (Int) async throws -> String
  }

  static func json(_ value: JSON, status: Int = 200) -> Answer { json(text: value.compactText, status: status) }

  static func json(text: String, status: Int = 200) -> Answer {
    Answer(status: status, headers: ["Content-Type": "application/json; charset=utf-8"], body: text)
  }
}
