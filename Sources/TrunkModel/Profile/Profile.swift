/// The account's profile and the local changes that were not sent yet.
///
/// It is a part of Supabase's `user_metadata`, where other clients keep their own keys. The last writer of a key wins.
/// Keys that are not listed here are never changed.
public struct Profile: Sendable, Equatable {
  /// The keys that the other clients use, too.
  public enum Key: String, CaseIterable, Sendable {
    case name = "full_name"
    /// A name of the tz database.
    case timeZone = "timezone"
  }

  /// Values are JSON, because a server may store anything there. In changes, `null` removes a key.
  public typealias Values = [Key: JSON]

  /// The server's values at the last request.
  public private(set) var confirmed: Values = [:]
  /// The local changes that the server doesn't have yet.
  public private(set) var unsent: Values = [:]

  public init() {}

  /// The current value on this computer; `nil` if there is none.
  public subscript(key: Key) -> JSON? {
    let value = unsent[key] ?? confirmed[key]
    return value == .null ? nil : value
  }

  /// Changes a value immediately. A later sync sends it.
  /// - Parameter text: `nil` removes it.
  public mutating func set(_ text: String?, for key: Key) {
    let value = text.map(JSON.string)
    // Kept even if it equals the server's value: the change in between may already have been sent.
    if self[key] != value { unsent[key] = value ?? .null }
  }

  /// Takes over the server's current values.
  /// - Parameter sent: the changes of the request. Values that were changed again since then remain unsent.
  public mutating func confirm(_ values: Values, sent: Values = [:]) {
    confirmed = values
    unsent = unsent.filter { sent[$0.key] != $0.value }
  }
}

extension Profile {
  /// - Parameter text: the format of `text`; anything else gives an empty profile, which the next sync fills.
  public init(text: String?) {
    guard let json = text.flatMap({ try? JSON($0) }) else { return }
    confirmed = Profile.values(in: json["confirmed"])
    unsent = Profile.values(in: json["unsent"])
  }

  /// The stored form, JSON.
  public var text: String {
    JSON.object([
      .init("confirmed", Profile.object(confirmed)), .init("unsent", Profile.object(unsent)),
    ]).compactText
  }

  /// Reads the known keys of an object and ignores the others.
  package static func values(in json: JSON?) -> Values {
    Key.allCases.reduce(into: [:]) { values, key in values[key] = json?[key.rawValue] }
  }

  package static func object(_ values: Values) -> JSON {
    .object(Key.allCases.compactMap { key in values[key].map { .init(key.rawValue, $0) } })
  }
}
