import TrunkModel

/// Identifies a draft: one form about one entity.
public struct DraftKey: Hashable, Sendable {
  /// The form, such as `water`.
  public var kind: String
  /// The ID of the entity that the draft is about.
  public var entity: String
  /// Empty; earlier versions stored the reset day here.
  public var day: String

  /// The kind of drafts that are forms: their text is JSON, and each form has its own key.
  public static let plantForm = "plant"

  public init(kind: String, entity: String, day: String) {
    self.kind = kind
    self.entity = entity
    self.day = day
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
