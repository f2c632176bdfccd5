import SQLiteKit
import TrunkModel

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
