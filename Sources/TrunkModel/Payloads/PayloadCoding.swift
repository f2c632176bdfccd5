/// Reads and writes the payload of one kind of event. Each type names its fields for both in one place.
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

  /// The user's words, for the search index. Prompts are left out because they are Trunk's words.
  var journalText: [String?] { get }

  /// The fields in the order in which they are written, between `type` and `timestamp`. A field without a value is left
  /// out.
  var fields: [(name: String, value: JSON?)] { get }
}

extension PayloadCoding {
  /// Reads the fields, and hashes `entityID`.
  /// - Returns: `nil` if a required field is missing or invalid.
  static func payload(_ fields: PayloadFields) -> (payload: Payload, entityHash: Int32)? {
    Self(fields).map { ($0.asPayload, PositionTable.hash($0.entityID)) }
  }

  var journalText: [String?] { [] }

  var members: [JSON.Member] { fields.compactMap { field in field.value.map { JSON.Member(field.name, $0) } } }
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
    return string.hasEscapes ? string.decoded.withoutNull : string.literal
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

extension JSON {
  /// A text in the form that events store.
  static func text(_ text: String) -> JSON { .string(text.withoutNull) }
}

extension Optional where Wrapped == JSON {
  /// A text in the form that events store; `nil` leaves the field out.
  static func text(_ text: String?) -> JSON? { text.map { .text($0) } }
}

extension String {
  /// The text without U+0000, which can't be intended and which C strings and PostgreSQL's text can't hold.
  fileprivate var withoutNull: String {
    utf8.contains(0) ? String(unicodeScalars.filter { $0.value != 0 }.map(Character.init)) : self
  }
}
