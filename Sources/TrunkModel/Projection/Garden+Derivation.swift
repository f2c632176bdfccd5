/// Derives a garden from events: order, duplicates and counts. `Garden+Effects.swift` has the effect of each event.
extension Garden {
  /// Derives a garden from a set of events, in any order, with or without duplicates. Each event's `seq` is its
  /// position among `events.withoutDuplicates()`.
  public init(_ events: some Sequence<Event>, zone: Zone) { self.init(events, zones: Zones(zone)) }

  /// Derives a garden whose events may name their zones.
  public init(_ events: some Sequence<Event>, zones: Zones) {
    self.init(zones: zones)
    let events = Array(events)
    if applyIfInOrder(events) { return }
    self = Garden(zones: zones)
    let kept = Event.distinct(events)
    let order = Event.order(count: kept.count, event: { events[kept[$0]] })
    for seq in order { countAndApply(LoggedEvent(seq: Int64(seq), event: events[kept[seq]])) }
    // Ignored events come first in the order.
    if eventCount > 0, let last = order.last { lastEvent = .event(events[kept[last]]) }
  }

  /// Applies events in one pass if they are in order, without duplicates, and all have a `client_id`, as in most logs
  /// and files.
  /// - Returns: `false` if an event breaks one of these conditions; the garden is then invalid.
  private mutating func applyIfInOrder(_ events: [Event]) -> Bool {
    var table = PositionTable(capacity: events.count)
    var last: (milliseconds: Int64, rank: UInt8, index: Int)?
    // Most of the time goes into waiting for memory. In a loop that does little else, the processor waits for several
    // events at the same time; so first the hashes of a whole block are read, then looked up, then its events applied.
    for start in stride(from: 0, to: events.count, by: 64) {
      let block = start..<min(start + 64, events.count)
      let hashes = block.map { events[$0].clientHash }
      for index in block {
        let event = events[index]
        let hash = hashes[index - start]
        guard event.clientID != nil,
          table.find(hash, where: { events[$0].hasClientID(of: event) }) == nil
        else { return false }
        table.add(hash, position: index)
      }
      for index in block {
        let event = events[index]
        countAndApply(LoggedEvent(seq: Int64(index), event: event))
        guard let instant = event.instant, let rank = event.kind?.rawValue else { continue }
        let milliseconds = instant.milliseconds
        if let last, (milliseconds, rank) <= (last.milliseconds, last.rank) {
          guard milliseconds == last.milliseconds, rank == last.rank, let key = event.orderKey,
            let before = events[last.index].orderKey, before < key
          else { return false }
        }
        last = (milliseconds, rank, index)
      }
    }
    if let last { lastEvent = .event(events[last.index]) }
    return true
  }

  /// Applies events in total order (as by `LoggedEvent.sorted`). They must come after `lastKey` and must not contain
  /// duplicates of each other or of events applied before.
  public mutating func apply(_ events: some Sequence<LoggedEvent>) {
    for logged in events { apply(logged) }
  }

  mutating func apply(_ logged: LoggedEvent) {
    countAndApply(logged)
    if logged.event.isUnderstood { lastEvent = .event(logged.event) }
  }

  /// Counts an event and applies its effect.
  private mutating func countAndApply(_ logged: LoggedEvent) {
    let event = logged.event
    guard let instant = event.instant, let kind = event.kind else {
      ignoredCount += 1
      return
    }
    eventCount += 1
    let time = zones.time(of: event, at: instant)
    var wateringsBefore: Int32 = 0
    if kind == .sproutWatered { wateringsBefore = Garden.countOne(in: &waterDays, at: time) }
    if kind == .sunShone { _ = Garden.countOne(in: &sunDays, at: time) }
    applyEffect(of: AppliedEvent(logged: logged, time: time, now: instant, wateringsBefore: wateringsBefore))
  }
}

extension Garden {
  /// - Returns: the number counted on that day before.
  private static func countOne(in days: inout [DayCount], at time: EventTime) -> Int32 {
    // Days ascend with the events, except where a traveller's clock goes back and a day repeats.
    let day = time.day
    var index = days.count
    while index > 0, days[index - 1].day > day { index -= 1 }
    guard index > 0, days[index - 1].day == day else {
      days.insert(DayCount(time), at: index)
      return 0
    }
    days[index - 1].count += 1
    days[index - 1].lastOffset = time.offset
    return days[index - 1].count - 1
  }
}
