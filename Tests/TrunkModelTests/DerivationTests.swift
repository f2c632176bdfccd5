import TestSupport
import Testing

@testable import TrunkModel

@Suite struct DerivationTests {
  @Test func aNewGardenHasNoEntries() {
    let garden = Garden([], zone: .utc)
    #expect(garden.capacity == 10 && garden.available == 10)
    #expect(garden.sprouts.isEmpty && garden.leaves.isEmpty && garden.seedlings.isEmpty && garden.nodes.isEmpty)
    #expect(garden.lastKey == nil)
    #expect(garden.radar == Array(repeating: 0, count: 8))
  }

  @Test func plantingTakesItsCost() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 3.337, leaf: "l")
    var garden = log.garden()
    #expect(garden.available == 6.66)
    #expect(garden.capacity == 10)
    let sprout = try #require(garden.sprout(id: "a"))
    #expect(sprout.isActive && sprout.leafID == "l" && sprout.waterings.isEmpty)
    // The soil never drops below zero, and a second sprout with the same id has no effect.
    try log.plant("b", "2026-01-01T13:00Z", cost: 100)
    try log.plant("a", "2026-01-01T14:00Z", cost: 1, twig: "branch-5")
    garden = log.garden()
    #expect(garden.available == 0)
    #expect(garden.sprouts.map(\.id) == ["a", "b"])
    #expect(garden.sprout(id: "a")?.twigID == "branch-0-twig-0")
    #expect(garden.snapshots.count == 2)
  }

  /// As in the web client, which compares the code units of ids. Swift's `==` would take these two for the same.
  @Test func idsAreTheSameOnlyIfTheirBytesAre() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    var log = HandwrittenLog()
    try log.plant(composed, "2026-01-01T12:00Z", cost: 1)
    try log.water(decomposed, "2026-01-01T13:00Z")
    try log.plant(decomposed, "2026-01-01T14:00Z", cost: 1)
    let garden = log.garden()
    #expect(garden.sprouts.map { Array($0.id.utf8) } == [composed, decomposed].map { Array($0.utf8) })
    #expect(garden.sprout(id: composed)?.waterings.count == 0)
    #expect(garden.sprout(id: decomposed)?.waterings.count == 1)
    let copy = try #require(Garden(checkpoint: garden.checkpoint(), zones: Zones(.utc)))
    #expect(copy.sprout(id: composed)?.waterings.count == 0)
    #expect(copy.sprout(id: decomposed)?.waterings.count == 1)
  }

  @Test func wateringGainsThreeTimesADay() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z")
    try log.plant("b", "2026-01-01T12:00Z")
    for (time, available) in [
      ("2026-01-02T06:00Z", 6.05), ("2026-01-02T07:00Z", 6.1), ("2026-01-03T05:59Z", 6.15),
      ("2026-01-03T05:59:59.999Z", 6.15), ("2026-01-03T06:00Z", 6.2),
    ] {
      // The limit of three applies to all sprouts together.
      try log.water(log.events.count.isMultiple(of: 2) ? "a" : "b", time)
      #expect(log.garden().available == available, "\(time)")
    }
    #expect(log.garden().journal.count == 5)
  }

  @Test func wateringsOfUnknownSproutsUseUpTheDay() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 5)
    for minute in 1...3 { try log.water("missing", "2026-01-01T12:0\(minute)Z") }
    try log.water("a", "2026-01-01T12:09Z")
    let garden = log.garden()
    #expect(garden.available == 5)
    #expect(garden.journal.count == 1)
    #expect(garden.waterLeft(at: try instant("2026-01-01T13:00Z")) == 0)
    #expect(garden.streak(at: try instant("2026-01-01T13:00Z")).current == 1)
  }

  @Test func availableNeverExceedsCapacity() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 0.02)
    try log.water("a", "2026-01-01T13:00Z")
    #expect(log.garden().available == 10)
    try log.shine("2026-01-01T14:00Z")
    #expect(log.garden().available == 10)
    try log.uproot("a", "2026-01-01T15:00Z", returned: 50)
    #expect(log.garden().available == 10)
  }

  @Test func harvestGrowsTheCapacity() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 8)
    try log.harvest("a", "2026-02-01T12:00Z", result: 4, gained: 1.23456)
    let garden = log.garden()
    // The capacity keeps its precision; the available soil is rounded.
    #expect(garden.capacity == 11.23456)
    #expect(garden.available == 10)
    let harvest = try #require(garden.sprout(id: "a")?.harvest)
    #expect(try harvest.at.instant == instant("2026-02-01T12:00Z") && harvest.result == 4 && harvest.seq == 1)
    #expect(garden.sprout(id: "a")?.isActive == false)
  }

  @Test func availableIsLimitedBeforeItIsRounded() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 0)
    try log.harvest("a", "2026-01-01T13:00Z", gained: 0.006)
    for _ in 0..<2 { try log.shine("2026-01-01T14:00Z") }
    #expect(log.garden().available == 10.01)
    #expect(log.garden().capacity == 10.006)
  }

  @Test func capacityStopsAt120() throws {
    var log = HandwrittenLog()
    for (id, gained) in [("a", 100.0), ("b", 9.5), ("c", 60)] {
      try log.plant(id, "2026-01-01T12:00Z", cost: 0)
      try log.harvest(id, "2026-01-01T13:00Z", gained: gained)
    }
    #expect(log.garden().capacity == 120)
  }

  @Test func aSproutCanEndOnlyOnce() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 5)
    try log.plant("b", "2026-01-01T12:00Z", cost: 5)
    try log.harvest("a", "2026-01-02T12:00Z", result: 2, gained: 1)
    try log.uproot("b", "2026-01-02T12:00Z", returned: 1.25)
    let once = log.garden()
    #expect(once.capacity == 11 && once.available == 6.25)
    try log.harvest("a", "2026-01-03T12:00Z", result: 5, gained: 7)
    try log.uproot("a", "2026-01-03T12:00Z")
    try log.harvest("b", "2026-01-03T12:00Z")
    try log.uproot("b", "2026-01-04T12:00Z")
    let twice = log.garden()
    #expect(twice.capacity == once.capacity && twice.available == once.available)
    #expect(twice.sprouts == once.sprouts)
    #expect(twice.snapshots.count == once.snapshots.count)
    #expect(twice.radar == once.radar)
    let end = EventTime(try instant("2026-01-02T12:00Z"), in: .utc)
    #expect(twice.sprout(id: "b")?.state == .uprooted(at: end, seq: 3))
  }

  @Test func wateringAfterTheEndHasNoGain() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 5)
    try log.plant("b", "2026-01-01T12:00Z", cost: 5)
    try log.uproot("a", "2026-01-02T12:00Z", returned: 0)
    try log.water("a", "2026-01-02T13:00Z")
    var garden = log.garden()
    #expect(garden.available == 0)
    #expect(garden.sprout(id: "a").map { garden.waterings(of: $0).count } == 1)
    // It counts towards the limit, so two more are left.
    for minute in 1...3 { try log.water("b", "2026-01-02T13:0\(minute)Z") }
    garden = log.garden()
    #expect(garden.available == 0.1)
  }

  @Test func editsMergeInAnyState() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 5, leaf: "l1")
    try log.add(.sproutEdited(.init(sproutID: "a", title: "New", bloomWither: "w")), "2026-01-02T12:00Z")
    try log.harvest("a", "2026-01-03T12:00Z")
    try log.add(.sproutEdited(.init(sproutID: "a", bloomWither: "", leafID: "l2")), "2026-01-04T12:00Z")
    let garden = log.garden()
    let sprout = try #require(garden.sprout(id: "a"))
    #expect(sprout.title == "New" && sprout.bloomWither == "" && sprout.bloomBudding == nil && sprout.leafID == "l2")
    #expect(sprout.soilCost == 5 && sprout.harvest != nil)
    #expect(garden.snapshots.count == 2)
  }

  @Test func sunsGainSoilAndAppearInTheJournal() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 5)
    try log.shine("2026-01-02T12:00Z", twig: "branch-6-twig-7")
    // Every sun gains soil, although the app offers one a week.
    try log.shine("2026-01-02T13:00Z", twig: "no such twig")
    let garden = log.garden()
    #expect(garden.available == 5.7)
    #expect(garden.journal.map(\.twig) == [.twig(branch: 6, twig: 7), nil])
    #expect(garden.journal.allSatisfy { $0.sprout == nil })
  }

  @Test func leavesCountTheirSprouts() throws {
    var log = HandwrittenLog()
    try log.add(.leafCreated(.init(leafID: "l", twigID: "branch-0-twig-0", name: "First")), "2026-01-01T11:00Z")
    try log.add(.leafCreated(.init(leafID: "l", twigID: "branch-0-twig-1", name: "Second")), "2026-01-01T11:30Z")
    for (id, leaf) in [("a", "l"), ("b", "l"), ("c", "l"), ("d", "l"), ("e", "m")] {
      try log.plant(id, "2026-01-01T12:00Z", leaf: leaf)
    }
    try log.harvest("a", "2026-01-02T12:00Z")
    try log.uproot("b", "2026-01-02T12:00Z")
    let garden = log.garden()
    #expect(garden.leaves.map(\.name) == ["First"])
    let progress = try #require(garden.leafProgress["l"])
    #expect(progress.cultivated == 1 && progress.growing == 2 && progress.total == 4)
    #expect(garden.leafProgress["m"]?.total == 1)
  }

  @Test func leavesNodesAndWaitingEventsAreComparedByBytes() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", leaf: composed)
    try log.plant("b", "2026-01-01T12:00Z", leaf: decomposed)
    try log.add(.nodeUpdated(.init(nodeID: composed, label: "1")), "2026-01-01T12:00Z")
    try log.add(.nodeUpdated(.init(nodeID: decomposed, label: "2")), "2026-01-01T12:00Z")
    try log.water(composed, "2026-01-01T13:00Z")
    try log.water(decomposed, "2026-01-01T13:00Z")
    try log.plant(decomposed, "2026-01-01T14:00Z")
    let garden = log.garden()
    #expect(garden.leafProgress.count == 3, "two leaves, and a sprout without one")
    #expect(garden.leafProgress[ExactID(composed)]?.total == 1)
    #expect(garden.nodes.count == 2)
    #expect(garden.nodes[ExactID(composed)]?.label == "1")
    #expect(garden.sprout(id: decomposed)?.waterings.count == 1)
    let copy = try #require(Garden(checkpoint: garden.checkpoint(), zones: Zones(.utc)))
    #expect(copy.nodes == garden.nodes)
  }

  @Test func nodesAreRenamed() throws {
    var log = HandwrittenLog()
    try log.add(.nodeUpdated(.init(nodeID: "trunk", label: "Me", note: "n")), "2026-01-01T12:00Z")
    try log.add(.nodeUpdated(.init(nodeID: "trunk", label: "")), "2026-01-02T12:00Z")
    try log.add(.nodeUpdated(.init(nodeID: "branch-1")), "2026-01-02T12:00Z")
    let garden = log.garden()
    #expect(garden.nodes == ["trunk": NodeText(label: "", note: "n")])
    #expect(garden.snapshots.isEmpty)
  }

  @Test func seedlingsAreCreatedEditedAndDeleted() throws {
    var log = HandwrittenLog()
    try log.add(.seedlingCreated(.init(seedlingID: "i", twigID: "t", title: "One", notes: "n")), "2026-01-01T12:00Z")
    try log.add(.seedlingCreated(.init(seedlingID: "j", twigID: "t", title: "Two")), "2026-01-01T12:00Z")
    try log.add(.seedlingEdited(.init(seedlingID: "i", notes: "")), "2026-01-02T12:00Z")
    try log.add(.seedlingDeleted(.init(seedlingID: "j")), "2026-01-03T12:00Z")
    try log.add(.seedlingCreated(.init(seedlingID: "j", twigID: "t", title: "Again")), "2026-01-04T12:00Z")
    let garden = log.garden()
    #expect(garden.seedlings.map(\.title) == ["One"])
    #expect(garden.seedling(id: "i")?.notes == "")
    #expect(garden.seedling(id: "j") == nil)
  }

  // MARK: Clocks that are behind

  @Test func eventsBeforeTheirSproutTakeEffectAfterItsPlanting() throws {
    var log = HandwrittenLog()
    try log.uproot("b", "2026-01-01T07:00Z", returned: 0.25)
    try log.water("a", "2026-01-01T08:00Z")
    try log.add(.sproutEdited(.init(sproutID: "a", title: "First")), "2026-01-01T08:30Z")
    try log.add(.sproutEdited(.init(sproutID: "a", title: "Second")), "2026-01-01T09:00Z")
    try log.harvest("a", "2026-01-01T10:00Z", result: 5, gained: 2)
    try log.harvest("a", "2026-01-01T11:00Z", result: 1, gained: 3)
    try log.plant("b", "2026-01-03T12:00Z", cost: 1)
    try log.plant("a", "2026-01-03T12:00Z", cost: 5)
    let garden = log.garden()
    let sprout = try #require(garden.sprout(id: "a"))
    #expect(sprout.title == "Second")
    #expect(sprout.harvest?.result == 5)
    // The harvest keeps its own time; the soil changed when the sprout was planted.
    #expect(try sprout.harvest?.at.instant == instant("2026-01-01T10:00Z"))
    #expect(garden.waterings(of: sprout).map(\.time.instant) == [try instant("2026-01-01T08:00Z")])
    #expect(garden.capacity == 12 && garden.available == 9.3)
    #expect(try garden.snapshots.allSatisfy { try $0.instant == instant("2026-01-03T12:00Z") })
    #expect(garden.snapshots.map(\.available) == [9, 9.25, 4.25, 4.3, 9.3])
    #expect(garden.waiting.isEmpty)
  }

  @Test func waitingWateringsKeepTheirPlaceInTheirDay() throws {
    var log = HandwrittenLog()
    try log.plant("b", "2026-01-01T06:00Z", cost: 5)
    for minute in 0...3 { try log.water("a", "2026-01-01T07:0\(minute)Z") }
    try log.water("b", "2026-01-01T08:00Z")
    try log.plant("a", "2026-01-01T09:00Z", cost: 1)
    // Three of the four gain soil, and use up the day's limit.
    #expect(log.garden().available == 4.15)
  }

  @Test func eventsWaitForTheirSeedling() throws {
    var log = HandwrittenLog()
    try log.add(.seedlingEdited(.init(seedlingID: "i", title: "Edited")), "2026-01-01T12:00Z")
    try log.add(.seedlingDeleted(.init(seedlingID: "j")), "2026-01-01T12:00Z")
    for id in ["i", "j"] {
      try log.add(.seedlingCreated(.init(seedlingID: id, twigID: "t", title: "Made")), "2026-01-02T12:00Z")
    }
    #expect(log.garden().seedlings.map(\.title) == ["Edited"])
  }

  @Test func aSproutAndASeedlingMayShareAnID() throws {
    var log = HandwrittenLog()
    try log.water("x", "2026-01-01T12:00Z")
    try log.add(.seedlingEdited(.init(seedlingID: "x", title: "Edited")), "2026-01-01T12:00Z")
    try log.add(.seedlingCreated(.init(seedlingID: "x", twigID: "t", title: "Made")), "2026-01-02T12:00Z")
    #expect(log.garden().waiting.count == 1)
    try log.plant("x", "2026-01-02T13:00Z")
    #expect(log.garden().waiting.isEmpty)
    #expect(log.garden().journal.count == 1)
  }

  @Test func eventsOfAMissingSproutHaveNoEffect() throws {
    var log = HandwrittenLog()
    try log.harvest("a", "2026-01-01T12:00Z", gained: 5)
    try log.uproot("a", "2026-01-01T12:00Z", returned: 5)
    try log.add(.sproutEdited(.init(sproutID: "a", title: "T")), "2026-01-01T12:00Z")
    let garden = log.garden()
    #expect(garden.capacity == 10 && garden.available == 10 && garden.snapshots.isEmpty && garden.sprouts.isEmpty)
    #expect(garden.eventCount == 3)
  }

  // MARK: Reading

  @Test func wateringsAndReflectionsBecomeAvailableAgain() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-07-01T12:00Z")
    for time in ["2026-07-05T03:59Z", "2026-07-05T04:00Z", "2026-07-05T22:00Z"] { try log.water("a", time) }
    try log.shine("2026-07-06T03:59:59Z")
    let berlin = try zone("Europe/Berlin")
    let garden = log.garden(berlin)
    let sprout = try #require(garden.sprout(id: "a"))
    // Sunday evening, Monday before six, Monday at six, in Berlin.
    for (time, water, sun, watered) in [
      ("2026-07-05T03:59:30Z", 2, 0, true), ("2026-07-05T20:00Z", 1, 0, true), ("2026-07-06T03:59:59.999Z", 1, 0, true),
      ("2026-07-06T04:00Z", 3, 1, false),
    ] {
      let now = try instant(time)
      #expect(garden.waterLeft(at: now) == water, "\(time)")
      #expect(garden.sunLeft(at: now) == sun, "\(time)")
      #expect(garden.wasWatered(sprout, onDayOf: now) == watered, "\(time)")
    }
  }

  @Test func moreThanThreeWateringsLeaveNone() throws {
    var log = HandwrittenLog()
    for minute in 0..<5 { try log.water("a", "2026-01-01T12:0\(minute)Z") }
    for minute in 0..<2 { try log.shine("2026-01-01T12:0\(minute)Z") }
    #expect(log.garden().waterLeft(at: try instant("2026-01-01T13:00Z")) == 0)
    #expect(log.garden().sunLeft(at: try instant("2026-01-01T13:00Z")) == 0)
  }

  @Test func streaksAreRunsOfResetDays() throws {
    var log = HandwrittenLog()
    // Days 1, 2, 3, 4 and 10, 11, 12. Times before six belong to the day before.
    for time in [
      "2026-01-01T12:00Z", "2026-01-03T05:59Z", "2026-01-03T06:00Z", "2026-01-04T23:00Z", "2026-01-05T01:00Z",
      "2026-01-10T12:00Z", "2026-01-11T12:00Z", "2026-01-13T05:00Z",
    ] {
      try log.water("a", time)
    }
    let garden = log.garden()
    for (now, current) in [
      ("2026-01-13T05:59Z", 3), ("2026-01-13T06:00Z", 3), ("2026-01-14T05:59Z", 3), ("2026-01-14T06:00Z", 0),
      ("2026-01-11T12:00Z", 2), ("2026-01-05T12:00Z", 4), ("2026-01-06T12:00Z", 0), ("2025-12-31T12:00Z", 0),
    ] {
      let streak = garden.streak(at: try instant(now))
      #expect(streak.current == current, "\(now)")
      #expect(streak.longest == 4)
    }
    #expect(Garden([], zone: .utc).streak(at: Instant(milliseconds: 0)) == (0, 0))
  }

  @Test func streaksContinueWhenClocksChange() throws {
    let berlin = try zone("Europe/Berlin")
    for (first, count) in [("2026-03-27", 4), ("2026-10-23", 4)] {
      var log = HandwrittenLog()
      var now = Instant(milliseconds: 0)
      for offset: Int32 in 0..<4 {
        let day = try day(first).adding(days: offset)
        // 06:10 local time each day.
        now = berlin.instant(day: day, second: 6 * 3600 + 600)
        try log.water("a", "\(now)")
      }
      #expect(log.garden(berlin).streak(at: now).current == count)
    }
  }

  @Test func harvestIsDueAfterItsSeason() throws {
    for (season, due) in [
      (Season.twoWeeks, "2026-04-03T12:00:00.000Z"), (.oneMonth, "2026-04-19T12:00:00.000Z"),
      (.threeMonths, "2026-06-18T12:00:00.000Z"), (.sixMonths, "2026-09-16T12:00:00.000Z"),
      (.oneYear, "2027-03-20T12:00:00.000Z"),
    ] {
      var log = HandwrittenLog()
      try log.plant("a", "2026-03-20T12:00Z", season: season)
      let sprout = try #require(log.garden(zone("Europe/Berlin")).sprout(id: "a"))
      #expect(sprout.harvestDue.description == due)
      #expect(!sprout.isReady(at: Instant(milliseconds: sprout.harvestDue.milliseconds - 1)))
      #expect(sprout.isReady(at: sprout.harvestDue))
      #expect(sprout.progress(at: sprout.plantedAt.instant.adding(seconds: -5)) == 0)
      #expect(sprout.progress(at: sprout.plantedAt.instant.adding(seconds: season.seconds / 4)) == 0.25)
      #expect(sprout.progress(at: sprout.harvestDue.adding(seconds: 9)) == 1)
      try log.harvest("a", "2026-03-21T12:00Z")
      #expect(log.garden().sprout(id: "a")?.isReady(at: sprout.harvestDue) == false)
    }
  }

  @Test func radarSumsTheInvestedSoil() throws {
    var log = HandwrittenLog()
    try log.plant("a", "2026-01-01T12:00Z", cost: 8, twig: "branch-3-twig-1")
    try log.plant("b", "2026-01-01T12:00Z", cost: 60, twig: "branch-4-twig-1")
    try log.plant("c", "2026-01-01T12:00Z", cost: 60, twig: "branch-4-twig-2")
    try log.plant("d", "2026-01-01T12:00Z", cost: 5, twig: "somewhere")
    for minute in 0..<4 { try log.water("a", "2026-01-01T13:0\(minute)Z") }
    try log.shine("2026-01-01T14:00Z", twig: "branch-3-twig-7")
    try log.harvest("a", "2026-01-02T12:00Z", result: 4)
    let radar = log.garden().radar
    #expect(abs(radar[3] - (8 + 4 * 0.05 + 0.35 + 8 * 0.85) / 100) < 1e-12)
    #expect(radar[4] == 1)
    #expect(radar.filter { $0 == 0 }.count == 6)
  }
}
