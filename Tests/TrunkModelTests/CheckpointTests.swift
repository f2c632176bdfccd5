import TestSupport
import Testing
import TrunkKit

@testable import TrunkModel

@Suite struct CheckpointTests {
  private func small() throws -> Garden {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 3.3, leaf: "l")
    try log.plant("b", "2026-01-01T12:00Z")
    try log.plant("c", "2026-01-01T12:00Z")
    try log.add(.leafCreated(.init(leafID: "l", twigID: "t", name: "é👩‍👩‍👧‍👦")), "2026-01-01T12:00Z")
    try log.add(.nodeUpdated(.init(nodeID: "trunk", label: "L")), "2026-01-01T12:00Z")
    try log.add(.seedlingCreated(.init(seedlingID: "i", twigID: "t", title: "S")), "2026-01-01T12:00Z")
    try log.add(.seedlingCreated(.init(seedlingID: "j", twigID: "t", title: "S", notes: "")), "2026-01-01T12:00Z")
    try log.add(.seedlingDeleted(.init(seedlingID: "j")), "2026-01-01T12:00Z")
    try log.water("a", "2026-01-01T13:00Z")
    try log.water("missing", "2026-01-01T13:00Z")
    try log.harvest("b", "2026-01-02T12:00Z", gained: 0.123456789)
    try log.uproot("c", "2026-01-02T12:00Z")
    try log.shine("2026-01-02T12:00Z")
    return Garden(log.events + [try event("{'type':'strange'}")], zone: try zone("Europe/Berlin"))
  }

  @Test func aCheckpointRestoresTheGarden() throws {
    let garden = try small()
    let read = try #require(Garden(checkpoint: garden.checkpoint(), zones: Zones(garden.zone)))
    #expect(read.capacity == garden.capacity && read.available == garden.available)
    #expect(read.sprouts == garden.sprouts && read.leaves == garden.leaves)
    #expect(read.allSeedlings == garden.allSeedlings && read.nodes == garden.nodes)
    #expect(read.replacedLabels == garden.replacedLabels && read.replacedLeaves == garden.replacedLeaves)
    #expect(read.journal == garden.journal && read.snapshots == garden.snapshots)
    #expect(read.branchSums == garden.branchSums)
    #expect(read.waterDays == garden.waterDays && read.sunDays == garden.sunDays)
    #expect(read.eventCount == garden.eventCount && read.ignoredCount == 1)
    #expect(read.lastKey == garden.lastKey && read.lastKey != nil)
    #expect(read.sprout(id: "b") == garden.sprout(id: "b") && read.leaf(id: "l") == garden.leaf(id: "l"))
    #expect(read.seedling(id: "i") == garden.seedling(id: "i") && read.seedling(id: "j") == nil)
    #expect(
      read.waiting.mapValues { $0.map(\.logged.event.raw) } == garden.waiting.mapValues { $0.map(\.logged.event.raw) })
    #expect(read.waiting.count == 1)
    #expect(read.checkpoint() == garden.checkpoint())
    let empty = Garden(zone: .utc)
    #expect(Garden(checkpoint: empty.checkpoint(), zones: Zones(.utc))?.checkpoint() == empty.checkpoint())
  }

  @Test func theJournalKnowsWhichEntriesHaveWords() throws {
    let begin = try #require(Instant("2026-01-01T12:00:00.000Z"))
    let events = ["one", "", " \n\t", "🌱"].enumerated().map { number, text in
      Event(
        .sunShone(.init(twigID: "t", twigLabel: "", content: text, prompt: nil)),
        at: begin.adding(seconds: Int64(number)), clientID: "\(number)")
    }
    let garden = Garden(events, zone: try zone("America/New_York"))
    #expect(garden.journal.map(\.hasWords) == [true, false, false, true])
    // Its bit is stored with the offset, which is negative here.
    #expect(garden.journal.map(\.time.localStamp).first == "2026-01-01T07:00")
    let read = try #require(Garden(checkpoint: garden.checkpoint(), zones: Zones(garden.zone)))
    #expect(read.journal.map(\.hasWords) == [true, false, false, true])
  }

  @Test func manyEntriesFillManyChunks() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T00:00Z")
    for number in 0..<1100 {
      try log.water("a", Instant(milliseconds: 1_800_000_000_000 + Int64(number)).description)
    }
    let garden = log.garden()
    var read = try #require(Garden(checkpoint: garden.checkpoint(), zones: Zones(.utc)))
    #expect(read.journal == garden.journal && read.snapshots == garden.snapshots && read.journal.count == 1100)
    try log.water("a", "2036-01-01T00:00Z")
    read.apply(CollectionOfOne(LoggedEvent(seq: 1101, event: try #require(log.events.last))))
    #expect(read.checkpoint() == log.garden().checkpoint())
  }

  @Test func otherZonesAndVersionsAreRejected() throws {
    let garden = try small()
    let bytes = garden.checkpoint()
    #expect(Garden(checkpoint: bytes, zones: Zones(.utc)) == nil)
    let otherRules = Zone(identifier: "Europe/Berlin", offset: 3600, changes: [])
    #expect(Garden(checkpoint: bytes, zones: Zones(otherRules)) == nil)
  }

  @Test func damageIsAlwaysDetected() throws {
    let garden = try small()
    let zones = Zones(garden.zone)
    let bytes = garden.checkpoint()
    var random = SeededRandom(seed: 1)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= UInt8(1) << UInt8(random.next(below: 8))
      if Garden(checkpoint: damaged, zones: zones) != nil { Issue.record("a flipped bit in byte \(index)") }
      damaged = bytes
      damaged[index] = damaged[index] ^ UInt8(1 + random.next(below: 255))
      if Garden(checkpoint: damaged, zones: Zones(garden.zone)) != nil { Issue.record("another byte at \(index)") }
      if Garden(checkpoint: Array(bytes[..<index]), zones: zones) != nil { Issue.record("cut off at \(index)") }
      if Garden(checkpoint: Array(bytes[index...]), zones: Zones(garden.zone)) != nil, index > 0 {
        Issue.record("without the first \(index)")
      }
    }
    #expect(Garden(checkpoint: bytes + [0], zones: Zones(garden.zone)) == nil)
  }

  /// Bytes with a correct checksum need not come from this program. Reading them must end, too.
  @Test func invalidContentIsRejectedWithoutTraps() throws {
    let garden = try small()
    let bytes = Array(garden.checkpoint()[8...])
    for index in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var damaged = bytes
        damaged[index] = value
        var writer = ByteWriter()
        for byte in damaged { writer.write(byte) }
        _ = Garden(checkpoint: writer.bytesAfterChecksum, zones: Zones(garden.zone))
      }
    }
  }
}
