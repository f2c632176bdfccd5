import TrunkModel

/// Parses the body of an insertion like PostgREST.
enum RestBody {
  /// - Parameter columns: the columns to read; `nil` reads all, and then all objects must have the same keys.
  static func rows(_ body: [UInt8], columns: Set<String>?, userID: String) throws(RestError) -> [EventTable.NewRow] {
    let json: JSON
    do { json = try StrictJSON.value(body) } catch is JSONError { throw .notJSON } catch let error as RestError {
      throw error
    } catch { throw .notJSON }
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
      rows.append(try row(object, names: columns ?? found, userID: userID))
    }
    return rows
  }

  private static func row(_ object: JSON, names: Set<String>, userID: String) throws(RestError) -> EventTable.NewRow {
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
        if column == .id { throw .missing(name) }
        continue
      }
      let text = value.text ?? value.compactText
      switch column {
      case .payload: row.payload = value.compactText
      case .type: row.type = text
      case .clientID: row.clientID = text
      case .clientTimestamp: row.clientTimestamp = text
      case .createdAt:
        // The server sets this column, because all accounts share its order. The client's value is only validated.
        guard Microseconds(text) != nil else { throw .invalid("timestamp with time zone", text) }
      case .id, .userID:
        guard let id = EventColumn.uuid(text) else { throw .invalid("uuid", text) }
        if column == .id { row.id = id } else { owner = id }
      }
    }
    guard owner == userID else { throw .foreignRow }
    return row
  }
}
