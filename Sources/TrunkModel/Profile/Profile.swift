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
    /// An object about reminders. Its members are changed one by one; see `change(notifications:)`.
    case notifications
  }

  /// Values are JSON, because a server may store anything there. In changes, `null` removes a key.
  public typealias Values = [Key: JSON]

  /// The server's values at the last request.
  public private(set) var confirmed: Values = [:]
  /// The local changes that the server doesn't have yet; of `notifications` only the changed members.
  public private(set) var unsent: Values = [:]

  public init() {}

  /// The current value on this computer; `nil` if there is none.
  public subscript(key: Key) -> JSON? {
    let value = Profile.outgoing(unsent, over: confirmed)[key] ?? confirmed[key]
    return value == .null ? nil : value
  }

  /// Changes a value immediately. A later sync sends it.
  /// - Parameter text: `nil` removes it.
  public mutating func set(_ text: String?, for key: Key) {
    let value = text.map(JSON.string)
    // Kept even if it equals the server's value: the change in between may already have been sent.
    if self[key] != value { unsent[key] = value ?? .null }
  }

  /// Changes members of `notifications` immediately. A later sync sends them together with the server's other members.
  public mutating func change(notifications members: [JSON.Member]) {
    let current = self[.notifications]
    let changed = members.filter { current?[$0.name.decoded] != $0.value }
    if !changed.isEmpty { unsent[.notifications] = JSON.object(changed).merged(into: unsent[.notifications]) }
  }

  /// The values that the server must store for these changes. It replaces whole values, so an object is sent with the
  /// members that other clients have stored.
  /// - Parameter values: the server's current values.
  package static func outgoing(_ changes: Values, over values: Values) -> Values {
    var outgoing = changes
    outgoing[.notifications] = changes[.notifications]?.merged(into: values[.notifications])
    return outgoing
  }

  /// Takes over the server's current values.
  /// - Parameter sent: the changes of the request. Values that were changed again since then remain unsent.
  public mutating func confirm(_ values: Values, sent: Values = [:]) {
    confirmed = values
    unsent[.notifications] = unsent[.notifications]?.without(membersOf: sent[.notifications])
    unsent = unsent.filter { sent[$0.key] != $0.value }
  }
}

extension Profile {
  /// - Parameter text: a profile in its stored form (see the property `text`). Anything else gives an empty profile,
  ///   which the next sync fills.
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

extension JSON {
  /// An object with the members of both; of two with the same name, this object's.
  fileprivate func merged(into other: JSON?) -> JSON {
    guard case .object(let members) = self, case .object(let others)? = other else { return self }
    return .object(others.filter { self[$0.name.decoded] == nil } + members)
  }

  /// The members that `other` doesn't have with the same value; `nil` if there are none.
  fileprivate func without(membersOf other: JSON?) -> JSON? {
    guard case .object(let members) = self else { return self }
    let rest = members.filter { other?[$0.name.decoded] != $0.value }
    return rest.isEmpty ? nil : .object(rest)
  }
}
