/// A mark of a hidden entry: one element of `hidden` in an export file.
extension Event.NaturalKey {
  /// Reads what `json` makes; `nil` for anything else.
  init?(_ json: JSON) {
    guard let type = json["type"]?.text, let entity = json["entity"]?.text,
      let instant = json["timestamp"]?.text.flatMap({ Instant($0) })
    else { return nil }
    self.init(type: ExactID(type), entity: ExactID(entity), instant: instant)
  }

  /// The members have the names that they have in an event.
  var json: JSON {
    let members: [JSON.Member?] = [
      .init("entity", .string(entity.text)), instant.map { .init("timestamp", .string("\($0)")) },
      .init("type", .string(type.text)),
    ]
    return .object(members.compactMap(\.self))
  }
}
