/// A JSON object that carries an event in one of its members, as a row of the server's table does, taken apart in one
/// pass over the text.
package struct EventCarrier {
  package enum Carried {
    /// An object: its exact text, and what that says.
    case object(text: String, members: [JSON.Member])
    case other(JSON)
  }

  /// All members but the carried one, in their order.
  package private(set) var columns: [JSON.Member] = []
  /// `nil` if there is no such member.
  package private(set) var carried: Carried?

  /// Reads an array of objects and gives them to `body` one by one: what is done with right away is still near at hand,
  /// and a long page never takes more memory than its text.
  /// - Parameter wrapper: the name of the array, where it is a member of an object.
  /// - Parameter name: that of the member with the event.
  /// - Throws: `JSONError` unless the bytes are valid UTF-8 and such an array, and nothing else. `body` may have been
  ///   called before that was found out.
  package static func forEach(
    _ bytes: [UInt8], in wrapper: String? = nil, carrying name: String, _ body: (EventCarrier) -> Void
  ) throws(JSONError) {
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONError) in
        var scanner = JSONScanner(buffer, isValidated: false)
        if let wrapper {
          try scanner.carriers(of: name, in: wrapper, body)
        } else {
          try scanner.carriers(of: name, body)
        }
        try scanner.end()
      }
    }
    try result.get()
  }

  fileprivate init(_ scanner: inout JSONScanner, carrying name: String) throws(JSONError) {
    guard scanner.take(UInt8(ascii: "{")) else { throw scanner.problem("expected an object") }
    if scanner.take(UInt8(ascii: "}")) { return }
    columns.reserveCapacity(6)
    repeat {
      let member = try scanner.name()
      if member.isEqual(to: name) {
        carried = try scanner.carried()
      } else {
        columns.append(JSON.Member(name: member, value: try scanner.value(depth: 2)))
      }
    } while scanner.take(UInt8(ascii: ","))
    guard scanner.take(UInt8(ascii: "}")) else { throw scanner.problem("expected , or } in an object") }
  }
}

extension JSONScanner {
  fileprivate mutating func carriers(of name: String, _ body: (EventCarrier) -> Void) throws(JSONError) {
    guard take(UInt8(ascii: "[")) else { throw problem("expected an array") }
    if take(UInt8(ascii: "]")) { return }
    repeat { body(try EventCarrier(&self, carrying: name)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw problem("expected , or ] in an array") }
  }

  fileprivate mutating func carriers(
    of name: String, in wrapper: String, _ body: (EventCarrier) -> Void
  ) throws(JSONError) {
    var isFound = false
    guard take(UInt8(ascii: "{")), peek() != UInt8(ascii: "}") else { throw problem("expected an object with members") }
    repeat {
      if try self.name().isEqual(to: wrapper) {
        // Two lists of one name would be read as one here, and as the last by others.
        if isFound { throw problem("two members with the list") }
        isFound = true
        try carriers(of: name, body)
      } else {
        _ = try value(depth: 1)
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw problem("expected , or } in an object") }
    if !isFound { throw problem("expected a member with the list") }
  }

  fileprivate mutating func carried() throws(JSONError) -> EventCarrier.Carried {
    guard peek() == UInt8(ascii: "{") else { return .other(try value(depth: 2)) }
    let start = offset
    let members = try members(depth: 2)
    return .object(text: text(from: start), members: members)
  }
}
