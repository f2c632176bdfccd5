import Foundation
import Garden
import GardenStore
import Testing

@testable import Gardening

@MainActor @Suite struct FollowingTests {
  @Test func knowsHowFarTheInitialSyncIs() async throws {
    let bed = try await Bed()
    let store = try await GardenStore.open(folder: bed.folder + "/garden")
    let steps: [(firstSync: String?, cacheVersion: String?, InitialSync)] = [
      (nil, nil, .pending), ("begun", nil, .running), ("begun", "1", .running), (nil, "1", .done),
    ]
    for (firstSync, cacheVersion, expected) in steps {
      try await store.set(firstSync, for: .firstSync)
      try await store.set(cacheVersion, for: .cacheVersion)
      try await bed.gardener.catchUp()
      #expect(bed.gardener.initialSync == expected)
      #expect(try await bed.another().initialSync == expected)
    }
    // Signing out clears the garden: that it is empty then means nothing.
    try await store.clear()
    try await bed.gardener.catchUp()
    #expect(bed.gardener.initialSync == .pending)
  }

  @Test func seesWhatOthersWrite() async throws {
    let bed = try await Bed()
    let other = try await bed.another()
    let id = try await bed.plant("a")
    #expect(other.garden.sprouts.isEmpty)
    try await other.catchUp()
    #expect(other.garden.sprout(id: id)?.title == "a")
    try await other.water(id, text: "x", prompt: nil)
    await #expect(throws: Never.self) { try await bed.gardener.catchUp() }
    #expect(bed.gardener.garden.waterLeft(at: bed.time.now) == 2)
    // What the other takes back is gone here too.
    try await other.undo()
    try await bed.gardener.catchUp()
    #expect(bed.gardener.garden.waterLeft(at: bed.time.now) == 3)
    try await bed.expectTrueGarden()
    try await bed.expectTrueGarden(other)
  }

  @Test func whatOthersWriteIsNotInTheFuture() async throws {
    let bed = try await Bed()
    let other = try await bed.another()
    bed.time.pass(days: 1)
    try await bed.plant("a")
    try await other.catchUp()
    #expect(other.now == bed.time.now)
  }

  @Test func anIntentSeesWhatAnotherWroteBefore() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    let other = try await bed.another()
    try await other.water(id, text: "x", prompt: nil)
    let twigs = [1, 2, 3].map { Node.twig(branch: 0, twig: $0) }
    for twig in twigs { try await bed.gardener.seed(twig, title: "s") }
    #expect(bed.gardener.garden.journal.count == 1)
    try await bed.expectTrueGarden()
  }

  @Test func anIntentIsJudgedByWhatOthersWrote() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    let other = try await bed.another()
    try await other.water(id, text: "x", prompt: nil)
    try await bed.refused(.alreadyWatered(title: "a")) {
      try await bed.gardener.water(id, text: "y", prompt: nil)
    }
  }

  @Test func whatAnotherWritesLeavesTheDraftOfThisOne() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    try await bed.gardener.keepDraft("Begun here", .water, about: id)
    try await bed.another().water(id, text: "written there", prompt: nil)
    #expect(try await bed.gardener.draft(.water, about: id) == "Begun here")
  }

  @Test func manyAtOnceApplyEverythingOnce() async throws {
    let bed = try await Bed()
    let other = try await bed.another()
    let (one, two) = (bed.gardener, other)
    for round in 0..<10 {
      try await two.seed(.twig(branch: 1, twig: 1), title: "other \(round)")
      let odd = try Event(json: "{\"type\":\"odd\",\"n\":\(round)}")
      let tasks = (0..<16).map { number in
        Task { @MainActor in
          switch number {
          case 2: try await one.seed(.twig(branch: 2, twig: 2), title: "own \(round)")
          case 7: _ = try await two.importEvents([odd])
          default: try await one.catchUp()
          }
        }
      }
      for task in tasks { try await task.value }
      try await two.catchUp()
      try await one.catchUp()
    }
    #expect(one.garden.ignoredCount == 10)
    #expect(one.garden.seedlings.count == 20)
    #expect(one.garden.eventCount == 20)
    try await bed.expectTrueGarden()
  }

  @Test func lateEventsTakeTheirPlace() async throws {
    let bed = try await Bed()
    let id = try await bed.plant("a")
    for day in 0..<40 {
      bed.time.pass(days: 1)
      try await bed.gardener.water(id, text: "\(day)", prompt: nil)
    }
    let behind = try StandingClock("2026-11-20T08:00:00Z", bed.time.zone)
    let other = try await bed.another(behind)
    let late = try await other.seed(.twig(branch: 0, twig: 0), title: "late")
    let water = Event(
      .sproutWatered(.init(sproutID: id, content: "late", prompt: nil)), at: behind.now.adding(seconds: 60),
      clientID: "x-1")
    _ = try await bed.gardener.store.append([water, try Event(json: #"{"type":"odd"}"#)])
    try await bed.gardener.catchUp()
    #expect(bed.gardener.garden.seedling(id: late) != nil)
    #expect(bed.gardener.garden.ignoredCount == 1)
    let texts = try await bed.gardener.pages(bed.gardener.garden.waterings(of: bed.sprout(id))).map(\.content)
    #expect(texts.count == 41)
    #expect(texts.firstIndex(of: "late") == 2)
    try await bed.expectTrueGarden()
  }

  @Test func aStartUsesTheKeptState() async throws {
    let bed = try await Bed()
    for number in 0..<210 {
      bed.time.pass(seconds: 1)
      try await bed.gardener.seed(.twig(branch: 0, twig: 0), title: "\(number)")
    }
    let store = bed.gardener.store
    func kept() async throws -> Int? {
      try await store.newestCheckpoint(format: Garden.formatVersion, zone: "Europe/Berlin") { $0 }?.state.eventCount
    }
    #expect(try await kept() == 200, "kept after every 200 events")
    #expect(try await bed.another().garden.checkpoint() == bed.gardener.garden.checkpoint())
    try await bed.gardener.close()
    #expect(try await kept() == 210)
    try await bed.gardener.close()
    let again = try await bed.another()
    #expect(again.garden.eventCount == 210)
    try await again.seed(.twig(branch: 0, twig: 0), title: "after")
    #expect(again.garden.seedlings.count == 211)
    try await bed.gardener.catchUp()
    try await bed.expectTrueGarden()
  }

  @Test func openingKeepsAStateWhenAskedTo() async throws {
    let bed = try await Bed()
    let events = (0..<300).map { number -> Event in
      let instant = bed.time.now.adding(seconds: Int64(number))
      return Event(
        .seedlingCreated(.init(seedlingID: "seedling-\(number)", twigID: "branch-0-twig-0", title: "x")), at: instant,
        clientID: Event.clientID(at: instant, random: 1))
    }
    _ = try await bed.gardener.store.append(events)
    let opened = try await bed.another()
    let store = opened.store
    #expect(try await store.newestCheckpoint(format: Garden.formatVersion, zone: "Europe/Berlin") { $0 } == nil)
    await opened.keepCheckpointIfDue()
    #expect(
      try await store.newestCheckpoint(format: Garden.formatVersion, zone: "Europe/Berlin") { $0 }?.state.eventCount
        == 300)
  }
}

@MainActor @Suite struct DayTests {
  @Test func waterComesBackAtSix() async throws {
    let bed = try await Bed(now: "2026-11-18T04:59:00Z")
    let id = try await bed.plant("a")
    try await bed.gardener.water(id, text: "before six", prompt: nil)
    #expect(bed.gardener.garden.waterLeft(at: bed.gardener.now) == 2)
    bed.time.pass(seconds: 60)
    try await bed.gardener.refreshClock()
    #expect(bed.gardener.garden.waterLeft(at: bed.gardener.now) == 3)
    try await bed.gardener.water(id, text: "after six", prompt: nil)
    #expect(bed.gardener.garden.streak(at: bed.gardener.now).current == 2)
  }

  @Test func sunComesBackOnMondayAtSix() async throws {
    let bed = try await Bed(now: "2026-11-23T04:59:59Z")
    try await bed.gardener.shine(.twig(branch: 0, twig: 0), text: "x", prompt: "?")
    try await bed.refused(.noSunLeft(returns: "today at 06:00")) {
      try await bed.gardener.shine(.twig(branch: 0, twig: 0), text: "y", prompt: "?")
    }
    bed.time.pass(seconds: 1)
    try await bed.gardener.shine(.twig(branch: 0, twig: 0), text: "y", prompt: "?")
    #expect(bed.gardener.garden.sunLeft(at: bed.gardener.now) == 0)
  }

  @Test func anotherZoneIsAnotherDay() async throws {
    let bed = try await Bed(now: "2026-11-18T04:30:00Z")
    let id = try await bed.plant("a")
    try await bed.gardener.water(id, text: "x", prompt: nil)
    bed.time.pass(seconds: 3600)
    try await bed.gardener.refreshClock()
    #expect(bed.gardener.garden.waterLeft(at: bed.gardener.now) == 3, "05:30, then 06:30 in Berlin")
    bed.time.zone = try zone("Asia/Kathmandu")
    try await bed.gardener.refreshClock()
    #expect(bed.gardener.garden.zone.identifier == "Asia/Kathmandu")
    #expect(bed.gardener.garden.waterLeft(at: bed.gardener.now) == 2, "10:15, then 11:15 in Kathmandu")
    try await bed.expectTrueGarden()
  }

  @Test(arguments: [
    ("2026-11-18T08:00:00Z", "2026-11-18T11:00:00.000Z"),  // the greeting at noon
    ("2026-11-18T11:00:00Z", "2026-11-18T16:00:00.000Z"), ("2026-11-18T16:30:00Z", "2026-11-18T20:00:00.000Z"),
    ("2026-11-18T20:00:00Z", "2026-11-18T23:00:00.000Z"), ("2026-11-18T23:00:00Z", "2026-11-19T04:00:00.000Z"),
    ("2026-11-19T04:00:00Z", "2026-11-19T05:00:00.000Z"),  // the reset
    ("2026-03-28T23:00:00Z", "2026-03-29T03:00:00.000Z"), ("2026-03-29T03:30:00Z", "2026-03-29T04:00:00.000Z"),
  ])
  func theNextChangeIsKnown(now: String, change: String) async throws {
    let bed = try await Bed(now: now)
    #expect(bed.gardener.nextChange.description == change)
    #expect(bed.gardener.nextChange > bed.gardener.now)
  }

  @Test func aHarvestIsAChange() async throws {
    let bed = try await Bed(now: "2026-11-18T08:20:00Z")
    try await bed.plant("a")
    bed.time.pass(seconds: -601, days: 14)
    try await bed.gardener.refreshClock()
    #expect(bed.gardener.nextChange == bed.time.now.adding(seconds: 600))
    bed.time.pass(seconds: 600)
    try await bed.gardener.refreshClock()
    #expect(bed.gardener.garden.ready(at: bed.gardener.now).count == 1)
    #expect(bed.gardener.nextChange > bed.gardener.now)
  }
}
