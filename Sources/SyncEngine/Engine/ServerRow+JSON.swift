import EventStore
import TrunkModel

extension ServerRow {
  /// Decodes a row from REST or realtime: `id`, `created_at`, `type`, `payload`, `client_id`, `client_timestamp`.
  ///
  /// Some clients store the whole event in `payload`, others only the members without a column. Missing or null members
  /// are taken from the columns. The column's `client_id` takes precedence. A payload that is not an event is kept like
  /// an unknown event.
  /// - Returns: `nil` if a column that every row has is missing, of another type, or not a time where it must be one.
  public init?(_ json: JSON) {
    guard case .object(let columns) = json, let payload = json["payload"] else { return nil }
    if case .object(let members) = payload {
      self.init(columns: columns, payload: .object(text: payload.compactText, members: members))
    } else {
      self.init(columns: columns, payload: .other(payload))
    }
  }

  /// Decodes a page of such rows.
  /// - Parameter wrapper: the name of the list if it is a member of an object.
  /// - Throws: `unintelligible` unless the body is a complete list of rows: an unreadable page must not look empty.
  package static func page(
    _ body: [UInt8], in wrapper: String? = nil
  ) throws(ServiceFailure) -> [ServerRow] {
    var rows: [ServerRow] = []
    var isComplete = true
    do throws(JSONError) {
      try EventEnvelope.forEach(body, in: wrapper, payload: "payload") { envelope in
        if let row = ServerRow(columns: envelope.columns, payload: envelope.payload) {
          rows.append(row)
        } else {
          isComplete = false
        }
      }
    } catch {
      throw .unintelligible(detail: "not a list of rows")
    }
    guard isComplete else { throw .unintelligible(detail: "a row without its columns") }
    return rows
  }

  /// Whether the text may be a time in any format of PostgreSQL. With another text as cursor, the server would reject
  /// every later request for new rows.
  private static func isTime(_ text: String) -> Bool {
    text.utf8.count <= 40 && text.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
      && text.utf8.allSatisfy { "0123456789-:.+TtZz ".utf8.contains($0) }
  }

  private init?(columns: [JSON.Member], payload: EventEnvelope.Payload?) {
    func column(_ name: String) -> String? { columns.value(name)?.text }
    guard let id = column("id"), let createdAt = column("created_at"), ServerRow.isTime(createdAt), let payload
    else { return nil }
    var (text, members): (String?, [JSON.Member]) =
      switch payload {
      case .object(let text, let members): (text, members)
      case .other(.null): (nil, [])
      case .other(let value): (nil, [JSON.Member("payload", value)])
      }
    func set(_ name: String, _ value: JSON) {
      members.removeAll { $0.name == JSONString(name) }
      members.append(JSON.Member(name, value))
      text = nil
    }
    /// - Returns: whether something was missing.
    @discardableResult
    func complete(_ name: String, from column: String?) -> Bool {
      guard members.value(name) ?? .null == .null, let column, !column.isEmpty else { return false }
      set(name, .string(column))
      return true
    }
    complete("type", from: column("type"))
    let isSplit = complete("timestamp", from: column("client_timestamp"))
    // The column identifies the row, even if the payload differs. Other clients use it too.
    if let clientID = column("client_id"), !clientID.isEmpty {
      let own = members.value("client_id")?.text ?? ""
      // An event that was sent without a `client_id` comes back unchanged: its payload is complete without one.
      let isComplete =
        own.isEmpty && !isSplit
        && Event.isDerived(
          clientID, from: .object(members), at: members.value("timestamp")?.text.flatMap { Instant($0) })
      if !isComplete, !own.hasSameBytes(as: clientID) { set("client_id", .string(clientID)) }
    }
    let event = Event(raw: text ?? JSON.object(members).compactText, members: members)
    self.init(id: id, createdAt: createdAt, event: event)
  }
}
