/// The payload of one kind of event. Each type describes it completely: the name of the kind, the fields, which of them
/// are required, which the user wrote and how long these may be. The rest follows from this description: the text in
/// the log, what the search finds, the texts of the journal and the check of the limits.
protocol PayloadCoding: Sendable {
  /// The value of `type` in the log.
  static var type: String { get }

  /// Reads the fields.
  /// - Returns: `nil` if a required field is missing or invalid.
  init?(_ fields: PayloadFields)

  /// As the payload of an event.
  var asPayload: Payload { get }

  /// The id of what the event is about: a sprout, twig, leaf, seedling or node.
  var entityID: String { get }

  /// The fields in the order in which they are written, between `type` and `timestamp`.
  var fields: [(name: String, value: FieldValue)] { get }
}

/// The value of a field, and who wrote it. A text that is `nil` is left out.
enum FieldValue {
  case number(Double)
  /// An id, or another text that the user didn't write.
  case text(String?)
  /// The user's words. Only new events must keep their limit.
  case words(String?, LimitedText)
  /// The question that the user's words answer.
  case question(String?)

  var json: JSON? {
    switch self {
    case .number(let number): .number(number)
    case .text(let text), .words(let text, _), .question(let text): text.map { .string($0.withVisibleNull) }
    }
  }
}

extension PayloadCoding {
  /// Reads the fields, and hashes `entityID`.
  /// - Returns: `nil` if a required field is missing or invalid.
  static func payload(_ fields: PayloadFields) -> (payload: Payload, entityHash: Int32)? {
    Self(fields).map { ($0.asPayload, PositionTable.hash($0.entityID)) }
  }

  var members: [JSON.Member] { fields.compactMap { field in field.value.json.map { JSON.Member(field.name, $0) } } }
}

/// The members of an event's object by name. Of members with the same name, the last counts.
struct PayloadFields {
  private let members: [JSON.Member]

  init(_ members: [JSON.Member]) {
    self.members = members
  }

  /// A string; null and other values count as missing.
  func text(_ name: String) -> String? {
    guard case .string(let string) = members.value(name) else { return nil }
    return string.hasEscapes ? string.decoded.withVisibleNull : string.literal
  }

  /// Whether an id contains U+0000. Replaced by a visible character, it could be the id of something else.
  var hasNullInID: Bool {
    members.contains { member in
      guard case .string(let string) = member.value, string.hasEscapes else { return false }
      let name = member.name.decoded
      return (name == "client_id" || name.hasSuffix("Id")) && string.decoded.utf8.contains(0)
    }
  }

  /// An id: a string that is not empty.
  func id(_ name: String) -> String? {
    text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A finite number, at least 0.
  func amount(_ name: String) -> Double? {
    members.value(name)?.double.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension String {
  /// The text with U+FFFD for U+0000, which C strings and PostgreSQL's text can't hold. Leaving it out would join two
  /// words without a trace.
  fileprivate var withVisibleNull: String {
    utf8.contains(0) ? String(String.UnicodeScalarView(unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 })) : self
  }
}
