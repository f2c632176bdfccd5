import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

struct StoredCheckpointTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  private func save(upTo event: Event, seq: Int64, count: Int, zone: String = "UTC", format: Int = 1) async throws {
    try await store.save(
      Checkpoint(
        format: format, zone: zone, lastSeq: seq, lastKey: try #require(event.orderKey), eventCount: count,
        state: Array("state \(count)".utf8)))
  }

  private func newest(zone: String = "UTC", format: Int = 1) async throws -> String? {
    try await store.newestCheckpoint(format: format, zone: zone) { checkpoint -> String? in
      let text = String(decoding: checkpoint.state, as: UTF8.self)
      return text.hasPrefix("state") ? text : nil
    }?.state
  }

  @Test func findsTheNewestCheckpointOfItsFormatAndZone() async throws {
    let events = [Event.water(10), .water(20)]
    _ = try await store.append(events)
    try await save(upTo: events[0], seq: 1, count: 1)
    try await save(upTo: events[1], seq: 2, count: 2)
    #expect(try await newest() == "state 2")
    #expect(try await newest(zone: "Asia/Tokyo") == nil)
    #expect(try await newest(format: 2) == nil)
    let checkpoint = try #require(try await store.newestCheckpoint(format: 1, zone: "UTC") { $0 }).state
    #expect(checkpoint.lastKey == events[1].orderKey && checkpoint.lastSeq == 2 && checkpoint.eventCount == 2)
    _ = try await store.append([.water(30), .json(#"{"type":"odd"}"#)])
    #expect(try await store.events(after: checkpoint).map(\.seq) == [4, 3])
    try await save(upTo: events[1], seq: 2, count: 2, zone: "Asia/Tokyo")
    #expect(try await newest() == nil)
  }

  @Test func aLateEventInvalidatesLaterCheckpoints() async throws {
    let events = [Event.water(10), .water(20), .water(30)]
    _ = try await store.append(events)
    for (index, event) in events.enumerated() {
      try await save(upTo: event, seq: Int64(index + 1), count: [1000, 2000, 2100][index])
    }
    _ = try await store.append([.water(25)])
    #expect(try await newest() == "state 2000")
    let checkpoint = try #require(try await store.newestCheckpoint(format: 1, zone: "UTC") { $0 }).state
    #expect(try await store.events(after: checkpoint).map(\.seq) == [4, 3])
    _ = try await store.append([.water(5)])
    #expect(try await newest() == nil)
  }

  @Test func removingAnEventRemovesItsCheckpoints() async throws {
    let events = [Event.water(10), .water(20), .water(30)]
    _ = try await store.append(events, undoableUntil: .start.plus(100))
    for (index, event) in events.enumerated() {
      try await save(upTo: event, seq: Int64(index + 1), count: (index + 1) * 1000)
    }
    try await store.undo(clientIDs: [try #require(events[1].clientID)], now: .start)
    #expect(try await newest() == "state 1000")
    // This checkpoint doesn't contain an event that comes after its key.
    try await store.undo(clientIDs: [try #require(events[2].clientID)], now: .start)
    #expect(try await newest() == "state 1000")
  }

  @Test func replacingAnIgnoredEventRemovesCheckpoints() async throws {
    _ = try await store.append([.water(10), .json(#"{"client_id":"1","x":2}"#)])
    try await save(upTo: .water(10), seq: 2, count: 2)
    _ = try await store.merge([row(1, .json(#"{"client_id":"1","x":1}"#))])
    #expect(try await newest() == nil)
  }

  @Test func aDamagedCheckpointIsRemoved() async throws {
    let events = [Event.water(10), .water(20)]
    _ = try await store.append(events)
    try await save(upTo: events[0], seq: 1, count: 1)
    try await save(upTo: events[1], seq: 2, count: 2)
    try folder.run("UPDATE checkpoints SET state = CAST('damage' AS BLOB) WHERE event_count = 2")
    #expect(try await newest() == "state 1")
    #expect(try await store.read { try $0.integer("SELECT count(*) FROM checkpoints") } == 1)
  }

  @Test func fewCheckpointsAreKeptAtGrowingDistances() async throws {
    _ = try await store.append([.water(1)])
    for count in stride(from: 10, through: 100_000, by: 10) where count < 20_000 || count % 1000 == 0 {
      try await save(upTo: .water(1), seq: 1, count: count)
    }
    let counts = try await store.read { database in
      try database.all("SELECT event_count FROM checkpoints ORDER BY event_count DESC") { $0.integer(0) }
    }
    #expect(counts.first == 100_000)
    #expect((4...6).contains(counts.count), "\(counts)")
    #expect(counts.contains { $0 < 70_000 } && counts.contains { $0 > 90_000 && $0 < 100_000 }, "\(counts)")
  }
}
