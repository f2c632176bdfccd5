/// Names an entry that is hidden on a computer: one element of `hidden` in an export file.
///
/// It holds none of the user's words.
public struct HiddenMark: Hashable, Sendable {
  /// Stays the same if the event gets another `client_id`.
  public let key: Event.NaturalKey
  /// Tells apart the events with this key. `nil` means all of them: the event has none, or an older version made the
  /// mark.
  public let clientID: ExactID?

  package init(key: Event.NaturalKey, clientID: String?) {
    self.key = key
    self.clientID = clientID.flatMap { $0.isEmpty ? nil : ExactID($0) }
  }
}

extension HiddenMark {
  /// Reads what `json` makes; `nil` for anything else.
  init?(_ json: JSON) {
    guard let type = json["type"]?.text, let entity = json["entity"]?.text,
      let instant = json["timestamp"]?.text.flatMap({ Instant($0) })
    else { return nil }
    let key = Event.NaturalKey(type: ExactID(type), entity: ExactID(entity), instant: instant)
    self.init(key: key, clientID: json["client_id"]?.text)
  }

  /// The members have the names that they have in an event.
  var json: JSON {
    let members: [JSON.Member?] = [
      clientID.map { .init("client_id", .string($0.text)) }, .init("entity", .string(key.entity.text)),
      key.instant.map { .init("timestamp", .string("\($0)")) }, .init("type", .string(key.type.text)),
    ]
    return .object(members.compactMap(\.self))
  }
}
