/// An id that is compared by its UTF-8 bytes, as SQLite, PostgreSQL and other clients compare it.
///
/// Two strings that look the same, such as é in its composed and decomposed forms, are equal in Swift but different
/// ids. Use this type for the keys of dictionaries and the members of sets, and `hasSameBytes` for two strings.
public struct ExactID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  public init(stringLiteral text: String) {
    self.init(text)
  }

  public static func == (left: ExactID, right: ExactID) -> Bool { left.text.hasSameBytes(as: right.text) }

  public static func < (left: ExactID, right: ExactID) -> Bool { left.text.precedesInBytes(right.text) }

  public func hash(into hasher: inout Hasher) { hasher.combine(PositionTable.hash(text)) }
}
