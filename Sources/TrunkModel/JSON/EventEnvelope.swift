/// A JSON object with an event in one of its members, such as a row of the server's table, parsed in one pass.
package struct EventEnvelope {
  package enum Payload {
    /// An object: its exact text and its parsed members.
    case object(text: String, members: [JSON.Member])
    case other(JSON)
  }

  /// All members except the payload, in order.
  package private(set) var columns: [JSON.Member] = []
  /// `nil` if there is no such member.
  package private(set) var payload: Payload?

  /// Reads an array of objects and passes them to `body` one by one, while each is still in the cache. A long page
  /// never takes more memory than its text.
  /// - Parameter wrapper: the name of the array, if it is a member of an object.
  /// - Parameter name: the name of the member that contains the event.
  /// - Throws: `JSONError` unless the bytes are valid UTF-8 and exactly such an array. `body` may already have been
  ///   called by then.
  package static func forEach(
    _ bytes: [UInt8], in wrapper: String? = nil, payload name: String, _ body: (EventEnvelope) -> Void
  ) throws(JSONError) {
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONError) in
        var scanner = JSONScanner(buffer, isValidated: false)
        if let wrapper {
          try scanner.envelopes(of: name, in: wrapper, body)
        } else {
          try scanner.envelopes(of: name, body)
        }
        try scanner.end()
      }
    }
    try result.get()
  }

  fileprivate init(_ scanner: inout JSONScanner, payload name: String) throws(JSONError) {
    guard scanner.take(UInt8(ascii: "{")) else { throw scanner.problem("expected an object") }
    if scanner.take(UInt8(ascii: "}")) { return }
    columns.reserveCapacity(6)
    repeat {
      let member = try scanner.name()
      if member.isEqual(to: name) {
        payload = try scanner.payload()
      } else {
        columns.append(JSON.Member(name: member, value: try scanner.value(depth: 2)))
      }
    } while scanner.take(UInt8(ascii: ","))
    guard scanner.take(UInt8(ascii: "}")) else { throw scanner.problem("expected , or } in an object") }
  }
}

extension JSONScanner {
  fileprivate mutating func envelopes(of name: String, _ body: (EventEnvelope) -> Void) throws(JSONError) {
    guard take(UInt8(ascii: "[")) else { throw problem("expected an array") }
    if take(UInt8(ascii: "]")) { return }
    repeat { body(try EventEnvelope(&self, payload: name)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw problem("expected , or ] in an array") }
  }

  fileprivate mutating func envelopes(
    of name: String, in wrapper: String, _ body: (EventEnvelope) -> Void
  ) throws(JSONError) {
    var isFound = false
    guard take(UInt8(ascii: "{")), peek() != UInt8(ascii: "}") else { throw problem("expected an object with members") }
    repeat {
      if try self.name().isEqual(to: wrapper) {
        // Rejected, because other parsers would read only the last of two members with the same name.
        if isFound { throw problem("two members with the list") }
        isFound = true
        try envelopes(of: name, body)
      } else {
        _ = try value(depth: 1)
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw problem("expected , or } in an object") }
    if !isFound { throw problem("expected a member with the list") }
  }

  fileprivate mutating func payload() throws(JSONError) -> EventEnvelope.Payload {
    guard peek() == UInt8(ascii: "{") else { return .other(try value(depth: 2)) }
    let start = offset
    let members = try members(depth: 2)
    return .object(text: text(from: start), members: members)
  }
}
