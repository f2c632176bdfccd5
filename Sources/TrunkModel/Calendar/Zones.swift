/// The time zones of a garden: that of the computer, in which it is "today", and those in which events were written.
public struct Zones: Sendable {
  /// The computer's zone.
  public let current: Zone
  /// The zone of events that name none, or one that the system doesn't know: the account's, else the computer's.
  public let fallback: Zone
  private let find: @Sendable (String) -> Zone?
  /// The names that events have used so far. `nil` stands for a name that the system doesn't know.
  private var named: [ExactID: Zone?] = [:]
  /// The zone of the last event that named one. Nearly all events have the same zone as the one before.
  private var last: (name: String, zone: Zone)?

  /// - Parameters:
  ///   - find: finds a zone of the tz database by its name.
  public init(_ current: Zone, fallback: Zone? = nil, find: @escaping @Sendable (String) -> Zone? = { _ in nil }) {
    self.current = current
    self.fallback = fallback ?? current
    self.find = find
  }

  /// Whether today and all events have the same days with these zones.
  public func areSame(as other: Zones) -> Bool { current == other.current && fallback == other.fallback }

  /// The time of an event.
  mutating func time(of event: Event, at instant: Instant) -> EventTime {
    guard let name = event.timeZone else { return EventTime(instant, in: fallback) }
    if let last, last.name.hasSameBytes(as: name) { return EventTime(instant, in: last.zone) }
    let zone = zone(named: name) ?? fallback
    last = (name, zone)
    return EventTime(instant, in: zone)
  }

  private mutating func zone(named name: String) -> Zone? {
    if let known = named[ExactID(name)] { return known }
    let zone = [current, fallback].first { $0.identifier.hasSameBytes(as: name) } ?? find(name)
    named[ExactID(name)] = .some(zone)
    return zone
  }
}

// MARK: - Checkpoints

extension Zones {
  /// Every zone on which times depend, with a hash of its table; 0 for a name that the system doesn't know.
  var fingerprints: [(name: String, hash: UInt64)] {
    [(fallback.identifier, fallback.fingerprint)]
      + named.map { ($0.key.text, $0.value?.fingerprint ?? 0) }.sorted { $0.0.precedesInBytes($1.0) }
  }

  /// Looks up the zones of a checkpoint.
  /// - Returns: whether the system still has the same tables, so that all times are still right.
  mutating func has(_ fingerprints: [(name: String, hash: UInt64)]) -> Bool {
    for (name, _) in fingerprints.dropFirst() { _ = zone(named: name) }
    return self.fingerprints.elementsEqual(fingerprints) { $0 == $1 }
  }
}
