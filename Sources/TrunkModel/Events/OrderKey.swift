/// An event's position in the total order of the log: by instant, then cause, then `client_id`, then canonical text.
public struct OrderKey: Hashable, Comparable, Sendable {
  public let instant: Instant
  /// The cause rank: `EventKind.rawValue`.
  public let rank: UInt8
  /// Empty for an event without one.
  public let clientID: String
  /// Used only without a `client_id`, because two events that share one are the same event.
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
  /// Compares UTF-8 bytes, as SQLite does, independent of any locale.
  public func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  package func hasSameBytes(as other: String) -> Bool {
    // Compare lengths first: that is fast, and almost all names of one object differ in length.
    guard utf8.count == other.utf8.count else { return false }
    let (left, right) = (utf8.span, other.utf8.span)
    // Eight bytes at a time, because ids are compared for every event of a log.
    let wordsEnd = left.count & ~7
    for offset in stride(from: 0, to: wordsEnd, by: 8)
    where left.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      != right.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
    { return false }
    for index in wordsEnd..<left.count where left[index] != right[index] { return false }
    return true
  }
}

extension Event {
  /// `nil` for events that the projection ignores.
  public var orderKey: OrderKey? {
    guard let kind, let instant else { return nil }
    return OrderKey(
      instant: instant, rank: kind.rawValue, clientID: clientID ?? "",
      canonicalText: clientID == nil ? canonicalText : "")
  }

  /// Type, entity and instant. They identify an event that has no `client_id`: it is the same event as any other one
  /// with this key.
  ///
  /// The key of an event without an entity or an instant is its whole text. So is the key of a malformed event, which
  /// therefore never takes the place of a well-formed one.
  public var naturalKey: NaturalKey {
    if let instant, let entityID, !isMalformed {
      return NaturalKey(type: ExactID(type), entity: ExactID(entityID), instant: instant)
    }
    return NaturalKey(type: ExactID(type), entity: ExactID(canonicalText), instant: nil)
  }

  public struct NaturalKey: Hashable, Sendable {
    public let type: ExactID
    public let entity: ExactID
    public let instant: Instant?

    package init(type: ExactID, entity: ExactID, instant: Instant?) {
      (self.type, self.entity, self.instant) = (type, entity, instant)
    }
  }
}

extension Sequence where Element == Event {
  /// Removes duplicates, in the order in which the first of each set arrived.
  ///
  /// Events with an equal `client_id` are the same. An event without one is the same as any event with an equal natural
  /// key. Of duplicates, one with a `client_id` is kept, then one that this version understands, then the one whose
  /// canonical text sorts first, so that the result does not depend on the order of arrival. Two different `client_id`s
  /// are always two events, even with an equal natural key. Other clients treat those as duplicates, and lose entries
  /// of a client that writes whole seconds.
  public func withoutDuplicates() -> [Event] {
    let events = Array(self)
    return Event.distinct(events).map { events[$0] }
  }
}

extension Event {
  /// The positions of the events that `withoutDuplicates()` keeps.
  static func distinct(_ events: [Event]) -> [Int] {
    var kept: [Int] = []
    kept.reserveCapacity(events.count)
    var table = PositionTable(capacity: events.count)
    var anonymous: [Int] = []
    for (index, event) in events.enumerated() {
      guard event.clientID != nil else {
        anonymous.append(index)
        continue
      }
      if let position = table.find(event.clientHash, where: { events[kept[$0]].hasClientID(of: event) }) {
        if event.precedesDuplicate(events[kept[position]]) { kept[position] = index }
      } else {
        table.add(event.clientHash, position: kept.count)
        kept.append(index)
      }
    }
    guard !anonymous.isEmpty else { return kept }
    let named = Set(kept.lazy.map { events[$0].naturalKey })
    var byKey: [NaturalKey: Int] = [:]
    for index in anonymous {
      let key = events[index].naturalKey
      if named.contains(key) { continue }
      if let place = byKey[key] {
        if events[index].precedesDuplicate(events[kept[place]]) { kept[place] = index }
      } else {
        byKey[key] = kept.count
        kept.append(index)
      }
    }
    return kept
  }

  /// Compares bytes, as databases do; Swift strings with different bytes may be equal.
  func hasClientID(of other: Event) -> Bool {
    (clientID ?? "").hasSameBytes(as: other.clientID ?? "")
  }

  /// Whether this version of an event takes precedence over another one that has the same origin.
  package func precedesDuplicate(_ other: Event) -> Bool {
    if self === other { return false }
    if isUnderstood != other.isUnderstood { return isUnderstood }
    return canonicalText.precedesInBytes(other.canonicalText)
  }

  /// Sorts events into the total order; those that the projection ignores come first.
  /// - Parameter event: returns the event at each position of `0 ..< count`.
  /// - Returns: the positions in total order.
  static func order(count: Int, event: (Int) -> Event) -> [Int] {
    struct Place {
      let milliseconds: Int64
      let rank: UInt8
      let index: Int
    }
    func precedes(_ left: Place, _ right: Place) -> Bool {
      if left.milliseconds != right.milliseconds { return left.milliseconds < right.milliseconds }
      if left.rank != right.rank { return left.rank < right.rank }
      // Texts are compared only here, which is rare.
      guard let first = event(left.index).orderKey, let second = event(right.index).orderKey
      else { return left.index < right.index }
      return first < second
    }
    func place(_ index: Int) -> Place {
      let event = event(index)
      let kind = event.kind
      return Place(
        milliseconds: kind == nil ? .min : event.instant?.milliseconds ?? .min, rank: kind?.rawValue ?? 0,
        index: index)
    }
    // Logs and files are usually in order, so there is nothing to sort.
    var last: Place?
    for index in 0..<count {
      let next = place(index)
      if let last, precedes(next, last) { return (0..<count).map(place).sorted(by: precedes).map(\.index) }
      last = next
    }
    return Array(0..<count)
  }
}

extension LoggedEvent {
  /// Sorts events into the total order; those that the projection ignores come first.
  public static func sorted(_ events: [LoggedEvent]) -> [LoggedEvent] {
    Event.order(count: events.count) { events[$0].event }.map { events[$0] }
  }
}
