/// An event's place in the total order of the log: by instant, then cause, then `client_id`, then canonical text.
public struct OrderKey: Hashable, Comparable, Sendable {
  public let instant: Instant
  /// The cause rank: `EventKind.rawValue`.
  public let rank: UInt8
  /// Empty for an event without one.
  public let clientID: String
  /// Only where there is no `client_id`: two events that share one are the same event.
  public let canonicalText: String

  public init(instant: Instant, rank: UInt8, clientID: String, canonicalText: String) {
    self.instant = instant
    self.rank = rank
    self.clientID = clientID
    self.canonicalText = canonicalText
  }

  public static func < (left: OrderKey, right: OrderKey) -> Bool {
    if left.instant != right.instant { return left.instant < right.instant }
    if left.rank != right.rank { return left.rank < right.rank }
    if left.clientID != right.clientID { return left.clientID.precedesInBytes(right.clientID) }
    return left.canonicalText.precedesInBytes(right.canonicalText)
  }
}

extension String {
  /// Order by UTF-8 bytes, which is also SQLite's and independent of any locale.
  public func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension Event {
  /// `nil` for events that derivation ignores.
  public var orderKey: OrderKey? {
    guard let kind = content.kind, let instant else { return nil }
    return OrderKey(
      instant: instant, rank: kind.rawValue, clientID: clientID ?? "",
      canonicalText: clientID == nil ? canonicalText : "")
  }

  /// What makes two events the same where at least one of them has no `client_id`: type, entity and instant.
  ///
  /// An event that names no entity or no instant can only be recognised by its whole text.
  public var likeness: Likeness {
    if let instant, let entityID { return Likeness(type: type, entity: entityID, instant: instant) }
    return Likeness(type: type, entity: canonicalText, instant: nil)
  }

  public struct Likeness: Hashable, Sendable {
    public let type: String
    public let entity: String
    public let instant: Instant?
  }
}

extension Sequence where Element == Event {
  /// Every event once, in the order of arrival of the first of its kind.
  ///
  /// Equal `client_id` is the same event. Events without one are the same as any event with equal likeness. Of
  /// duplicates the one with a `client_id` stays, else the one whose canonical text sorts first, so that the result
  /// does not depend on the order of arrival. Two different events that merely share a type and an instant both
  /// stay, unlike in other clients, one of which writes whole seconds and so lost journal entries.
  public func withoutDuplicates() -> [Event] {
    var kept: [Event] = []
    kept.reserveCapacity(underestimatedCount)
    var byClientID: [String: Int] = [:]
    byClientID.reserveCapacity(underestimatedCount)
    var anonymous: [Event] = []
    for event in self {
      guard let clientID = event.clientID else {
        anonymous.append(event)
        continue
      }
      if let index = byClientID[clientID] {
        if kept[index].raw != event.raw, event.canonicalText.precedesInBytes(kept[index].canonicalText) {
          kept[index] = event
        }
      } else {
        byClientID[clientID] = kept.count
        kept.append(event)
      }
    }
    guard !anonymous.isEmpty else { return kept }
    let named = Set(kept.lazy.map(\.likeness))
    var byLikeness: [Event.Likeness: Int] = [:]
    for event in anonymous {
      let likeness = event.likeness
      if named.contains(likeness) { continue }
      if let index = byLikeness[likeness] {
        if event.canonicalText.precedesInBytes(kept[index].canonicalText) { kept[index] = event }
      } else {
        byLikeness[likeness] = kept.count
        kept.append(event)
      }
    }
    return kept
  }
}
