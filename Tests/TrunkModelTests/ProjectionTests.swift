import Testing

@testable import TrunkModel

@Suite struct ProjectionTests {
  private func suns(_ count: Int) -> [LoggedEvent] {
    (0..<count).map { number in
      let instant = Instant(milliseconds: 1_800_000_000_000 + Int64(number) * 1000)
      let sun = Payload.SunShone(twigID: "branch-0-twig-0", twigLabel: "", content: "", prompt: nil)
      return LoggedEvent(seq: Int64(number), event: Event(.sunShone(sun), at: instant, clientID: "\(number)"))
    }
  }

  @Test func eventsAfterTheLastNeedNoRewind() throws {
    let events = suns(3)
    var projection = Projection(Garden(zone: .utc))
    #expect(projection.needsRewind(for: events) == nil)
    projection.advance(events[..<2])
    #expect(projection.needsRewind(for: [events[2]]) == nil)
    #expect(projection.needsRewind(for: [events[0]]) == events[0].event.orderKey)
    let strange = LoggedEvent(seq: 9, event: try event("{'type':'strange'}"))
    #expect(projection.needsRewind(for: [strange]) == nil)
    #expect(projection.needsRewind(for: [strange, events[0]]) == events[0].event.orderKey)
    #expect(projection.needsRewind(for: []) == nil)
  }

  @Test func rewindGoesBackNoFurtherThanNecessary() throws {
    let events = suns(30_000)
    var projection = Projection(Garden(zone: .utc))
    projection.advance(events)
    let key = try #require(events[29_500].event.orderKey)
    let start = projection.rewind(before: key)
    #expect(start.map { $0 < key } == true)
    #expect(projection.garden.eventCount > 29_500 - 2 * Projection.spacing)
    #expect(projection.garden.lastKey == start)
    projection.advance(events[projection.garden.eventCount...])
    #expect(projection.garden.checkpoint() == Garden(events.map(\.event), zone: .utc).checkpoint())
    // There are fewer checkpoints further back, but there are some.
    let early = try #require(events[15_000].event.orderKey)
    _ = projection.rewind(before: early)
    #expect((1...15_000).contains(projection.garden.eventCount))
    let first = try #require(events[0].event.orderKey)
    let nowhere = projection.rewind(before: first)
    #expect(nowhere == nil)
    #expect(projection.garden.eventCount == 0)
  }

  /// An event that is undone must not stay in a checkpoint that ends with it.
  @Test func rewindExcludesTheEventItself() throws {
    let events = suns(Projection.spacing + 1)
    var projection = Projection(Garden(zone: .utc))
    projection.advance(events)
    let lastOfCheckpoint = try #require(events[Projection.spacing - 1].event.orderKey)
    let nextKey = try #require(events[Projection.spacing].event.orderKey)
    var other = projection
    let start = other.rewind(before: nextKey)
    #expect(start == lastOfCheckpoint)
    let nowhere = projection.rewind(before: lastOfCheckpoint)
    #expect(nowhere == nil && projection.garden.eventCount == 0)
  }

  @Test func rewindKeepsTheCountOfIgnoredEvents() throws {
    var projection = Projection(Garden(zone: .utc))
    let strange = LoggedEvent(seq: 9, event: try event("{'type':'strange'}"))
    projection.advance([strange] + suns(2))
    _ = projection.rewind(before: try #require(suns(1)[0].event.orderKey))
    #expect(projection.garden.ignoredCount == 1)
  }

  @Test func aRetainedGardenDoesNotChange() {
    let events = suns(2000)
    var projection = Projection(Garden(zone: .utc))
    projection.advance(events[..<1000])
    let held = projection.garden
    let bytes = held.checkpoint()
    projection.advance(events[1000...])
    #expect(held.checkpoint() == bytes)
    #expect(projection.garden.journal.count == 2000)
  }
}
