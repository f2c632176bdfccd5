import SQLiteKit
import TrunkModel

/// A column of the events table, with the type that it would have in PostgreSQL.
enum EventColumn: String, CaseIterable, Sendable {
  case id
  case userID = "user_id"
  case type
  case payload
  case clientID = "client_id"
  case clientTimestamp = "client_timestamp"
  case createdAt = "created_at"

  init(named name: String) throws(RestError) {
    guard let column = EventColumn(rawValue: name) else { throw .unknownColumn(name) }
    self = column
  }

  /// PostgreSQL's name for the type.
  var typeName: String {
    switch self {
    case .id, .userID: "uuid"
    case .payload: "jsonb"
    case .createdAt: "timestamptz"
    case .type, .clientID, .clientTimestamp: "text"
    }
  }

  var isNullable: Bool { self == .clientID || self == .clientTimestamp }

  /// Converts text from a query or a body to a value of this column.
  func value(_ text: String) throws(RestError) -> SQLValue {
    switch self {
    case .id, .userID:
      guard let id = EventColumn.uuid(text) else { throw .invalid("uuid", text) }
      return .text(id)
    case .createdAt:
      guard let instant = Microseconds(text) else { throw .invalid("timestamp with time zone", text) }
      return .integer(instant.value)
    case .payload: throw .parse("payload can't be compared with a value")
    case .type, .clientID, .clientTimestamp: return .text(text)
    }
  }

  /// A UUID in PostgreSQL's spelling; `nil` if the text isn't one.
  static func uuid(_ text: String) -> String? {
    var out: [UInt8] = []
    out.reserveCapacity(36)
    for character in text.utf8 where character != UInt8(ascii: "-") {
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): out.append(character)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): out.append(character + 32)
      default: return nil
      }
      if [8, 13, 18, 23].contains(out.count) { out.append(UInt8(ascii: "-")) }
    }
    return out.count == 36 ? String(decoding: out, as: UTF8.self) : nil
  }
}

/// One stored event.
struct EventRow: Sendable, Equatable {
  var id: String
  var userID: String
  var type: String
  /// JSON, as it was sent.
  var payload: String
  var clientID: String?
  var clientTimestamp: String?
  var createdAt: Microseconds

  static let columns = "id, user_id, type, payload, client_id, client_timestamp, created_at"
  /// The same columns with an empty payload. A large payload takes many pages, which are then not read.
  static let columnsWithoutPayload = "id, user_id, type, '', client_id, client_timestamp, created_at"

  /// - Parameter row: a row of `columns` or `columnsWithoutPayload`.
  init(_ row: Row) {
    id = row.text(0)
    userID = row.text(1)
    type = row.text(2)
    payload = row.text(3)
    clientID = row.optionalText(4)
    clientTimestamp = row.optionalText(5)
    createdAt = Microseconds(row.integer(6))
  }

  init(
    id: String, userID: String, type: String, payload: String, clientID: String?, clientTimestamp: String?,
    createdAt: Microseconds
  ) {
    self.id = id
    self.userID = userID
    self.type = type
    self.payload = payload
    self.clientID = clientID
    self.clientTimestamp = clientTimestamp
    self.createdAt = createdAt
  }

  func json(_ column: EventColumn) -> String {
    func text(_ value: String?) -> String { value.map { JSON.string($0).compactText } ?? "null" }
    return switch column {
    case .id: "\"\(id)\""
    case .userID: "\"\(userID)\""
    case .type: text(type)
    case .payload: payload
    case .clientID: text(clientID)
    case .clientTimestamp: text(clientTimestamp)
    case .createdAt: "\"\(createdAt.postgres)\""
    }
  }

  /// A JSON object with these columns.
  func json(_ columns: [EventColumn]) -> String {
    "{" + columns.map { "\"\($0.rawValue)\":\(json($0))" }.joined(separator: ",") + "}"
  }
}
