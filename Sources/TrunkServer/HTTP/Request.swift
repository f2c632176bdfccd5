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

  /// The maximum number of query items. The longest useful query names 1,000 events.
  static let itemLimit = 1100

  /// Whether the query has more items than `itemLimit`.
  var hasTooManyItems: Bool { query.utf8.count { $0 == UInt8(ascii: "&") } >= Request.itemLimit }

  /// - Parameter plusIsSpace: whether `+` stands for a space, as in forms and in PostgREST.
  func items(plusIsSpace: Bool) -> [(name: String, value: String)] {
    parts.map { (decoded($0.name, plusIsSpace: plusIsSpace), decoded($0.value, plusIsSpace: plusIsSpace)) }
  }

  /// The first value of a query item.
  func item(_ name: String) -> String? {
    parts.first { decoded($0.name, plusIsSpace: false) == name }.map { decoded($0.value, plusIsSpace: false) }
  }

  /// The method if it is a usual one, because others are the client's text.
  var knownMethod: String {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(method) ? method : "other"
  }

  /// The token after `Bearer`.
  var bearer: String? {
    guard let value = headers["authorization"], value.prefix(7).lowercased() == "bearer " else { return nil }
    return String(value.dropFirst(7).trimmed)
  }

  /// The query items, still percent-encoded. Bytes are enough: looking for characters takes many times longer.
  private var parts: some Sequence<(name: Substring.UTF8View, value: Substring.UTF8View)> {
    query.utf8.split(separator: UInt8(ascii: "&")).lazy.map { part in
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      return (name, part[name.endIndex...].dropFirst())
    }
  }

  private func decoded(_ text: Substring.UTF8View, plusIsSpace: Bool) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first?.hexDigit, let low = rest.dropFirst().first?.hexDigit {
        out.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        out.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
