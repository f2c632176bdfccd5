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
    if !left.clientID.hasSameBytes(as: right.clientID) { return left.clientID.precedesInBytes(right.clientID) }
    return left.canonicalText.precedesInBytes(right.canonicalText)
  }
}

extension String {
  /// Order by UTF-8 bytes, which is also SQLite's and independent of any locale.
  public func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  package func hasSameBytes(as other: String) -> Bool {
    // The lengths first: they are at hand, and nearly all names of one object differ in them.
    guard utf8.count == other.utf8.count else { return false }
    let (left, right) = (utf8.span, other.utf8.span)
    for index in left.indices where left[index] != right[index] { return false }
    return true
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
    let events = Array(self)
    return Event.distinct(events).map { events[$0] }
  }
}

extension Event {
  /// The positions of the events that stay of each set of duplicates, see `withoutDuplicates()`.
  static func distinct(_ events: [Event]) -> [Int] {
    var kept: [Int] = []
    kept.reserveCapacity(events.count)
    var table = ClientIDTable(count: events.count)
    var anonymous: [Int] = []
    for (index, event) in events.enumerated() {
      guard event.clientID != nil else {
        anonymous.append(index)
        continue
      }
      if let position = table.find(event, orAdd: kept.count, { events[kept[$0]] }) {
        if event.precedesDuplicate(events[kept[position]]) { kept[position] = index }
      } else {
        kept.append(index)
      }
    }
    guard !anonymous.isEmpty else { return kept }
    let named = Set(kept.lazy.map { events[$0].likeness })
    var byLikeness: [Likeness: Int] = [:]
    for index in anonymous {
      let likeness = events[index].likeness
      if named.contains(likeness) { continue }
      if let place = byLikeness[likeness] {
        if events[index].precedesDuplicate(events[kept[place]]) { kept[place] = index }
      } else {
        byLikeness[likeness] = kept.count
        kept.append(index)
      }
    }
    return kept
  }

  /// Compares bytes, as databases do; two Swift strings may be equal in different bytes.
  fileprivate func hasClientID(of other: Event) -> Bool {
    (clientID ?? "").hasSameBytes(as: other.clientID ?? "")
  }

  private func precedesDuplicate(_ other: Event) -> Bool {
    self !== other && canonicalText.precedesInBytes(other.canonicalText)
  }

  /// The total order of events; those that derivation ignores come first.
  /// - Parameter event: the event at each position of `0 ..< count`.
  /// - Returns: the positions in that order.
  static func order(count: Int, event: (Int) -> Event) -> [Int] {
    struct Place {
      let milliseconds: Int64
      let rank: UInt8
      let index: Int
    }
    func precedes(_ left: Place, _ right: Place) -> Bool {
      if left.milliseconds != right.milliseconds { return left.milliseconds < right.milliseconds }
      if left.rank != right.rank { return left.rank < right.rank }
      // Only here, rarely, are texts compared.
      guard let first = event(left.index).orderKey, let second = event(right.index).orderKey
      else { return left.index < right.index }
      return first < second
    }
    func place(_ index: Int) -> Place {
      let event = event(index)
      let kind = event.content.kind
      return Place(
        milliseconds: kind == nil ? .min : event.instant?.milliseconds ?? .min, rank: kind?.rawValue ?? 0,
        index: index)
    }
    // Logs and files come in order as a rule: then there is nothing to sort.
    var last: Place?
    for index in 0..<count {
      let next = place(index)
      if let last, precedes(next, last) { return (0..<count).map(place).sorted(by: precedes).map(\.index) }
      last = next
    }
    return Array(0..<count)
  }
}

/// Tells whether an event was met before: a hash table of positions, at most half full. A dictionary of texts would read
/// every `client_id` again, wherever in memory it is, and take five times as long.
struct ClientIDTable {
  private struct Slot {
    var hash: Int32 = 0
    var position: Int32 = -1
  }

  private var slots: [Slot]

  /// - Parameter count: how many events there are at most.
  init(count: Int) {
    slots = [Slot](repeating: Slot(), count: 2 << (Int.bitWidth - max(count, 1).leadingZeroBitCount))
  }

  /// - Parameters:
  ///   - event: has a `client_id`.
  ///   - position: is put down for the event if it is new.
  ///   - at: the event at a position that was put down.
  /// - Returns: the position of the event with this `client_id`; `nil` if there was none.
  @inline(__always)
  mutating func find(_ event: Event, orAdd position: Int, _ at: (Int) -> Event) -> Int? {
    let hash = Int32(truncatingIfNeeded: event.clientHash >> 32)
    var slot = event.clientHash & (slots.count - 1)
    while slots[slot].position >= 0 {
      let known = Int(slots[slot].position)
      if slots[slot].hash == hash, at(known).hasClientID(of: event) { return known }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Slot(hash: hash, position: Int32(position))
    return nil
  }
}

extension LoggedEvent {
  /// In the total order; events that derivation ignores come first.
  public static func sorted(_ events: [LoggedEvent]) -> [LoggedEvent] {
    Event.order(count: events.count) { events[$0].event }.map { events[$0] }
  }
}
