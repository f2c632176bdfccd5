import SQLiteKit

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
    guard let column = EventColumn(rawValue: name) else {
      // None of these characters is in the name of a column.
      let isSyntax = name.contains("->") || name.unicodeScalars.contains { ":().!".unicodeScalars.contains($0) }
      throw isSyntax ? .unsupported(name) : .unknownColumn(name)
    }
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
