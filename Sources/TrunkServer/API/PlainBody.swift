import TrunkModel

/// Parses `{"events": […]}`.
enum PlainBody {
  static func rows(_ body: [UInt8]) throws -> [EventTable.NewRow] {
    guard let elements = try StrictJSON.value(body)["events"]?.elements else {
      throw AuthError.validation("events is not a list")
    }
    return try elements.enumerated().map { index, element in
      func text(_ name: String) throws(AuthError) -> String {
        guard let text = element[name]?.text else {
          throw .validation("events[\(index)].\(name) is not a text")
        }
        return text
      }
      guard let payload = element["payload"], case .object = payload else {
        throw AuthError.validation("events[\(index)].payload is not an object")
      }
      var row = EventTable.NewRow()
      row.type = try text("type")
      row.payload = payload.compactText
      row.clientID = try text("client_id")
      if element["client_timestamp"] != nil { row.clientTimestamp = try text("client_timestamp") }
      return row
    }
  }
}
