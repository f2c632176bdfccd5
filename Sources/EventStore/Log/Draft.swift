import TrunkModel

/// Identifies a draft: one form about one entity.
public struct DraftKey: Hashable, Sendable {
  /// The form, such as `water`.
  public var kind: String
  /// What the draft is about: the ID of an entity. A form can have several drafts, so its key goes on with `#` and a
  /// slot.
  public var entity: String
  /// Empty; earlier versions stored the reset day here.
  public var day: String

  /// The kinds of drafts that are one text. All others are forms: two versions of one can't be joined.
  private static let texts: Set = ["water", "sun", "harvest"]

  public init(kind: String, entity: String, day: String) {
    self.kind = kind
    self.entity = entity
    self.day = day
  }

  /// Whether the draft has several fields, stored as JSON, instead of one text.
  public var isForm: Bool { !DraftKey.texts.contains(kind) }

  /// What a form was opened for: the ID of the entity without the slot.
  public var origin: String { entity.lastIndex(of: "#").map { String(entity[..<$0]) } ?? entity }

  /// A new place for another draft of the same form with the same origin.
  public func newSlot() -> DraftKey {
    DraftKey(kind: kind, entity: origin + "#form-" + RandomUUID.text(), day: "")
  }

  public static func == (left: DraftKey, right: DraftKey) -> Bool {
    (left.kind, ExactID(left.entity), left.day) == (right.kind, ExactID(right.entity), right.day)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ExactID(entity)) }
}

/// A text that the user has typed but not saved as an event.
public struct Draft: Sendable, Equatable {
  public let key: DraftKey
  public let text: String
  /// The question that the text answers, in the caller's format; `nil` if there is none.
  public let asked: String?
  public let updated: Instant

  public init(key: DraftKey, text: String, asked: String? = nil, updated: Instant) {
    self.key = key
    self.text = text
    self.asked = asked
    self.updated = updated
  }
}
