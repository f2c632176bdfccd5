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

  /// Reads an array of objects.
  /// - Parameter wrapper: the name of the array, where it is a member of an object.
  /// - Parameter name: that of the member with the event.
  /// - Throws: `JSONError` unless the bytes are valid UTF-8 and such an array, and nothing else.
  package static func list(
    _ bytes: [UInt8], in wrapper: String? = nil, carrying name: String
  ) throws(JSONError) -> [EventCarrier] {
    guard (try? UTF8Span(validating: bytes.span)) != nil else { throw JSONError(problem: "not UTF-8", offset: 0) }
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONError) in
        var scanner = JSONScanner(buffer)
        let list =
          if let wrapper { try scanner.carriers(of: name, in: wrapper) } else { try scanner.carriers(of: name) }
        try scanner.end()
        return list
      }
    }
    return try result.get()
  }

  fileprivate init(_ scanner: inout JSONScanner, carrying name: String) throws(JSONError) {
    guard scanner.take(UInt8(ascii: "{")) else { throw scanner.problem("expected an object") }
    if scanner.take(UInt8(ascii: "}")) { return }
    columns.reserveCapacity(6)
    repeat {
      let member = try scanner.memberName()
      if member.hasSameBytes(as: name) {
        carried = try scanner.carried()
      } else {
        columns.append(JSON.Member(member, try scanner.value(depth: 2)))
      }
    } while scanner.take(UInt8(ascii: ","))
    guard scanner.take(UInt8(ascii: "}")) else { throw scanner.problem("expected , or } in an object") }
  }
}

extension JSONScanner {
  fileprivate mutating func carriers(of name: String) throws(JSONError) -> [EventCarrier] {
    guard take(UInt8(ascii: "[")) else { throw problem("expected an array") }
    var list: [EventCarrier] = []
    if take(UInt8(ascii: "]")) { return list }
    repeat { list.append(try EventCarrier(&self, carrying: name)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw problem("expected , or ] in an array") }
    return list
  }

  fileprivate mutating func carriers(
    of name: String, in wrapper: String
  ) throws(JSONError) -> [EventCarrier] {
    var list: [EventCarrier]?
    guard take(UInt8(ascii: "{")), peek() != UInt8(ascii: "}") else { throw problem("expected an object with members") }
    repeat {
      if try memberName().hasSameBytes(as: wrapper) {
        list = try carriers(of: name)
      } else {
        _ = try value(depth: 1)
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw problem("expected , or } in an object") }
    guard let list else { throw problem("expected a member with the list") }
    return list
  }

  fileprivate mutating func carried() throws(JSONError) -> EventCarrier.Carried {
    guard peek() == UInt8(ascii: "{") else { return .other(try value(depth: 2)) }
    let start = offset
    let members = try members(depth: 2)
    return .object(text: text(from: start), members: members)
  }
}
