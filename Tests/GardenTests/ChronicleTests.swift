import Testing

@testable import Garden

@Suite struct ChronicleTests {
  private func suns(_ count: Int) -> [LoggedEvent] {
    (0..<count).map { number in
      let instant = Instant(milliseconds: 1_800_000_000_000 + Int64(number) * 1000)
      let sun = Content.SunShone(twigID: "branch-0-twig-0", twigLabel: "", content: "", prompt: nil)
      return LoggedEvent(seq: Int64(number), event: Event(.sunShone(sun), at: instant, clientID: "\(number)"))
    }
  }

  @Test func eventsAfterTheLastNeedNoRewind() throws {
    let events = suns(3)
    var chronicle = Chronicle(Garden(zone: .utc))
    #expect(chronicle.needsRewind(for: events) == nil)
    chronicle.advance(events[..<2])
    #expect(chronicle.needsRewind(for: [events[2]]) == nil)
    #expect(chronicle.needsRewind(for: [events[0]]) == events[0].event.orderKey)
    let strange = LoggedEvent(seq: 9, event: try event("{'type':'strange'}"))
    #expect(chronicle.needsRewind(for: [strange]) == nil)
    #expect(chronicle.needsRewind(for: [strange, events[0]]) == events[0].event.orderKey)
    #expect(chronicle.needsRewind(for: []) == nil)
  }

  @Test func rewindGoesBackNoFartherThanItMust() throws {
    let events = suns(30_000)
    var chronicle = Chronicle(Garden(zone: .utc))
    chronicle.advance(events)
    let key = try #require(events[29_500].event.orderKey)
    let start = chronicle.rewind(before: key)
    #expect(start.map { $0 < key } == true)
    #expect(chronicle.garden.eventCount > 29_500 - 2 * Chronicle.spacing)
    #expect(chronicle.garden.lastKey == start)
    chronicle.advance(events[chronicle.garden.eventCount...])
    #expect(chronicle.garden.checkpoint() == Garden(events.map(\.event), zone: .utc).checkpoint())
    // Far back there are fewer checkpoints, but there are some.
    let early = try #require(events[15_000].event.orderKey)
    _ = chronicle.rewind(before: early)
    #expect((1...15_000).contains(chronicle.garden.eventCount))
    let first = try #require(events[0].event.orderKey)
    let nowhere = chronicle.rewind(before: first)
    #expect(nowhere == nil)
    #expect(chronicle.garden.eventCount == 0)
  }

  /// An event that is taken back must not stay in a checkpoint that ends with it.
  @Test func rewindLeavesOutTheEventItself() throws {
    let events = suns(Chronicle.spacing + 1)
    var chronicle = Chronicle(Garden(zone: .utc))
    chronicle.advance(events)
    let lastOfCheckpoint = try #require(events[Chronicle.spacing - 1].event.orderKey)
    let nextKey = try #require(events[Chronicle.spacing].event.orderKey)
    var other = chronicle
    let start = other.rewind(before: nextKey)
    #expect(start == lastOfCheckpoint)
    let nowhere = chronicle.rewind(before: lastOfCheckpoint)
    #expect(nowhere == nil && chronicle.garden.eventCount == 0)
  }

  @Test func rewindKeepsTheCountOfWhatIsIgnored() throws {
    var chronicle = Chronicle(Garden(zone: .utc))
    let strange = LoggedEvent(seq: 9, event: try event("{'type':'strange'}"))
    chronicle.advance([strange] + suns(2))
    _ = chronicle.rewind(before: try #require(suns(1)[0].event.orderKey))
    #expect(chronicle.garden.ignoredCount == 1)
  }

  @Test func aGardenThatIsHeldStaysAsItIs() {
    let events = suns(2000)
    var chronicle = Chronicle(Garden(zone: .utc))
    chronicle.advance(events[..<1000])
    let held = chronicle.garden
    let bytes = held.checkpoint()
    chronicle.advance(events[1000...])
    #expect(held.checkpoint() == bytes)
    #expect(chronicle.garden.journal.count == 2000)
  }
}
