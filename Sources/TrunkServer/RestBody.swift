import Garden

/// Reads the body of an insertion the way PostgREST does.
enum RestBody {
  /// - Parameter columns: names that count; `nil` for all, and then all objects must have the same ones.
  static func rows(_ request: Request, columns: [String]?, userID: String) throws(RestError) -> [EventTable.NewRow] {
    let text = String(decoding: request.body, as: UTF8.self)
    guard let json = try? JSON(text) else { throw .notJSON }
    // jsonb and text can't hold this character. Looked for in what was decoded: `\\u0000` is another text.
    if mentionsNull(request.body), json.containsNull {
      throw RestError(
        status: 400, code: "22P05", message: "unsupported Unicode escape sequence",
        details: "\\u0000 cannot be converted to text.")
    }
    let objects: [JSON]
    switch json {
    case .object: objects = [json]
    case .array(let elements): objects = elements
    default: throw .notJSON
    }
    var names: Set<String>?
    var rows: [EventTable.NewRow] = []
    rows.reserveCapacity(objects.count)
    for object in objects {
      guard case .object(let members) = object else { throw .notJSON }
      let found = Set(members.map(\.name.decoded))
      if columns == nil, let names, names != found {
        throw RestError(status: 400, code: "PGRST102", message: "All object keys must match")
      }
      names = found
      rows.append(try row(object, names: columns ?? Array(found), userID: userID))
    }
    return rows
  }

  private static func mentionsNull(_ body: [UInt8]) -> Bool {
    let escape = Array("\\u0000".utf8)
    return body.indices.contains { body[$0] == escape[0] && body[$0...].starts(with: escape) }
  }

  private static func row(_ object: JSON, names: [String], userID: String) throws(RestError) -> EventTable.NewRow {
    var row = EventTable.NewRow()
    var owner: String?
    for name in names {
      guard let column = EventColumn(rawValue: name) else {
        throw RestError(
          status: 400, code: "PGRST204",
          message: "Could not find the '\(name)' column of 'events' in the schema cache")
      }
      let value = object[name] ?? .null
      if case .null = value {
        if column == .id || column == .createdAt { throw .missing(name) }
        continue
      }
      let text = value.text ?? value.compactText
      switch column {
      case .payload: row.payload = value.compactText
      case .type: row.type = text
      case .clientID: row.clientID = text
      case .clientTimestamp: row.clientTimestamp = text
      case .createdAt:
        guard let instant = Microseconds(text) else { throw .invalid("timestamp with time zone", text) }
        row.createdAt = instant
      case .id, .userID:
        guard let id = EventColumn.uuid(text) else { throw .invalid("uuid", text) }
        if column == .id { row.id = id } else { owner = id }
      }
    }
    guard owner == userID else { throw .foreignRow }
    return row
  }
}

extension JSON {
  /// Whether a string in it, or a name, holds the character U+0000.
  fileprivate var containsNull: Bool {
    switch self {
    case .string(let string): string.decoded.utf8.contains(0)
    case .array(let elements): elements.contains { $0.containsNull }
    case .object(let members): members.contains { $0.name.decoded.utf8.contains(0) || $0.value.containsNull }
    default: false
    }
  }
}
