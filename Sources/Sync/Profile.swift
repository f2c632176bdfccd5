import Garden

/// What an account says of its user, and what was changed here and not sent yet.
///
/// It is a part of what Supabase keeps as `user_metadata`, in which every client has keys of its own. Of each key the
/// last writer wins; keys that are not named here are nobody's business and stay as they are.
public struct Profile: Sendable, Equatable {
  /// The keys that the other clients use, too.
  public enum Key: String, CaseIterable, Sendable {
    case name = "full_name"
    /// A name of the tz database.
    case timeZone = "timezone"
  }

  /// As JSON, for a server may have anything there. In changes `null` removes a key.
  public typealias Values = [Key: JSON]

  /// What the server had when it was last asked.
  public private(set) var confirmed: Values = [:]
  /// What it has yet to be told.
  public private(set) var unsent: Values = [:]

  public init() {}

  /// What counts on this computer; `nil` where nothing is said.
  public subscript(key: Key) -> JSON? {
    let value = unsent[key] ?? confirmed[key]
    return value == .null ? nil : value
  }

  /// Changes a value at once; the server is told later.
  /// - Parameter text: `nil` removes it.
  public mutating func set(_ text: String?, for key: Key) {
    let value = text.map(JSON.string)
    // Also back to what the server had: the change in between may be on its way to it.
    if self[key] != value { unsent[key] = value ?? .null }
  }

  /// Takes over what the server has now.
  /// - Parameter sent: the changes with which it was asked; what was changed again meanwhile remains unsent.
  public mutating func confirm(_ values: Values, sent: Values = [:]) {
    confirmed = values
    unsent = unsent.filter { sent[$0.key] != $0.value }
  }
}

extension Profile {
  /// - Parameter text: what `text` gave; anything else is an empty profile.
  public init(text: String?) {
    guard let json = text.flatMap({ try? JSON($0) }) else { return }
    confirmed = Profile.values(in: json["confirmed"])
    unsent = Profile.values(in: json["unsent"])
  }

  /// As it is kept on the disk.
  public var text: String {
    JSON.object([
      .init("confirmed", Profile.object(confirmed)), .init("unsent", Profile.object(unsent)),
    ]).compactText
  }

  /// The values of an object that has other members too.
  package static func values(in json: JSON?) -> Values {
    Key.allCases.reduce(into: [:]) { values, key in values[key] = json?[key.rawValue] }
  }

  package static func object(_ values: Values) -> JSON {
    .object(Key.allCases.compactMap { key in values[key].map { .init(key.rawValue, $0) } })
  }
}
