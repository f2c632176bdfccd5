import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct TodayTests {
  @Test func ordersDueAndReadySprouts() async throws {
    let fixture = try await GardenFixture()
    let (a, b, c) = (
      try await fixture.plant("a"), try await fixture.plant("b"), try await fixture.plant("c", season: .oneMonth)
    )
    fixture.time.advance(days: 1)
    try await fixture.model.water(a, text: "", question: nil)
    fixture.time.advance(days: 1)
    try await fixture.model.water(b, text: "", question: nil)
    func ids(_ sprouts: [Sprout]) -> [String] { sprouts.map(\.id) }
    var (garden, now) = (fixture.model.garden, fixture.model.now)
    #expect(ids(garden.waterable(at: now)) == [c, a])
    #expect(ids(garden.wateredToday(at: now)) == [b])
    #expect(ids(garden.growing) == [a, b, c])
    #expect(garden.ready(at: now).isEmpty)
    #expect(Set(ids(garden.upcoming(at: now)).prefix(2)) == [a, b])
    fixture.time.advance(days: 12)
    try await fixture.model.refreshClock()
    (garden, now) = (fixture.model.garden, fixture.model.now)
    #expect(Set(ids(garden.ready(at: now))) == [a, b])
    #expect(ids(garden.upcoming(at: now)) == [c])
    #expect(ids(garden.waterable(at: now)) == [c, a, b])
    #expect(ids(garden.needingWater(at: now)) == [c])
    // A ready sprout that waits longer than a growing one still comes after it.
    try await fixture.model.water(c, text: "", question: nil)
    fixture.time.advance(days: 1)
    try await fixture.model.refreshClock()
    (garden, now) = (fixture.model.garden, fixture.model.now)
    #expect(ids(garden.waterable(at: now)) == [c, a, b])
  }

  @Test func todayAsksForNoWaterForReadySproutsAndDuringRest() async throws {
    let fixture = try await GardenFixture()
    let (ready, watered, thirsty) = (
      try await fixture.plant("ready"), try await fixture.plant("watered", season: .oneMonth),
      try await fixture.plant("thirsty", season: .oneMonth)
    )
    fixture.time.advance(days: 14)
    try await fixture.model.water(watered, text: "", question: nil)
    var today = fixture.model.today(resting: RestDays())
    #expect(today.ready.map(\.id) == [ready] && today.due.map(\.id) == [thirsty])
    #expect(today.watered.map(\.id) == [watered] && today.resting.isEmpty)

    let day = fixture.model.garden.zone.dayKey(fixture.model.now)
    today = fixture.model.today(resting: RestDays("\(day)/\(day)"))
    #expect(today.due.isEmpty && today.resting.map(\.id) == [thirsty])
    #expect(today.ready.map(\.id) == [ready] && today.watered.map(\.id) == [watered])
    let yesterday = day.adding(days: -1)
    #expect(fixture.model.today(resting: RestDays("\(yesterday)/\(yesterday)")).due.map(\.id) == [thirsty])
  }

  @Test func showsEntriesOfThisDayInEarlierYears() async throws {
    let fixture = try await GardenFixture(now: "2021-11-30T22:30:00Z")
    func write(_ day: String) async throws {
      fixture.time.now = try instant(day + "T22:30:00Z")
      let id = try await fixture.plant(day)
      try await fixture.model.water(id, text: day, question: nil)
      fixture.time.advance(days: 14)
      try await fixture.model.harvest(id, result: 1, reflection: "")
    }
    for day in ["2021-11-30", "2024-11-30", "2025-11-30", "2026-10-30", "2026-11-23"] { try await write(day) }
    fixture.time.now = try instant("2026-12-01T04:00:00Z")
    try await fixture.model.refreshClock()
    let found = fixture.model.garden.onThisDay(at: fixture.model.now)
    #expect(found.map(\.anniversary) == [.week, .month, .year, .twoYears, .fiveYears])
    var texts: [String] = []
    for memory in found {
      texts += try await fixture.model.entries(fixture.model.garden.items(memory.entries)).map(\.text)
    }
    #expect(texts == ["2026-11-23", "2026-10-30", "2025-11-30", "2024-11-30", "2021-11-30"])
    fixture.time.now = try instant("2026-12-01T05:00:00Z")
    try await fixture.model.refreshClock()
    #expect(fixture.model.garden.onThisDay(at: fixture.model.now).isEmpty, "a new day began")
  }

  @Test func forecastsWhenASproutCanBePlanted() async throws {
    let fixture = try await GardenFixture()
    #expect(fixture.model.garden.affordability(of: 10, at: fixture.model.now) == .now)
    #expect(fixture.model.garden.roomSentence == "There is room again for a sprout of six months.")
    #expect(fixture.model.garden.affordability(of: 10.5, at: fixture.model.now) == .beyondCapacity)
    let id = try await fixture.plant("a", season: .twoWeeks, ground: .barren)
    let due = try fixture.sprout(id).harvestDue
    // Four soil are missing: a harvest in two weeks comes before twenty days of care.
    #expect(fixture.model.garden.affordability(of: 10, at: fixture.model.now) == .later(due))
    // A day of care yields 0.2.
    #expect(
      fixture.model.garden.affordability(of: 6.1, at: fixture.model.now)
        == .later(fixture.model.now.adding(seconds: 43_200)))
    let gains = fixture.model.garden.capacityGains(.oneMonth, .firm)
    #expect(gains == (1...5).map { Soil.capacityGained(.oneMonth, .firm, result: $0, capacity: 10) })
  }

  @Test func listsEarlierResults() async throws {
    let fixture = try await GardenFixture()
    #expect(fixture.model.garden.history(.twoWeeks, .fertile) == Garden.History())
    for result in [2, 4, 4, 5, 5] {
      let id = try await fixture.plant("\(result)")
      fixture.time.advance(days: 14)
      try await fixture.model.harvest(id, result: result, reflection: "")
    }
    let gone = try await fixture.plant("gone")
    try await fixture.model.uproot(gone, creatingSeedling: false)
    try await fixture.plant("still there")
    try await fixture.plant("another ground", ground: .firm)
    #expect(
      fixture.model.garden.history(.twoWeeks, .fertile)
        == Garden.History(planted: 7, harvested: 5, uprooted: 1, usualResult: 5))
  }

  @Test func greetsByTheTimeOfDay() throws {
    let berlin = try zone("Europe/Berlin")
    func phrase(_ text: String) throws -> String { Greeting.phrase(at: try instant(text), in: berlin) }
    // On 1 January, the first phrase of each time of day applies.
    #expect(try phrase("2026-01-01T04:00:00Z") == "Good morning")
    #expect(try phrase("2026-01-01T10:59:59Z") == "Good morning")
    #expect(try phrase("2026-01-01T11:00:00Z") == "Good afternoon")
    #expect(try phrase("2026-01-01T16:00:00Z") == "Good evening")
    #expect(try phrase("2026-01-01T20:00:00Z") == "The night is quiet")
    #expect(try phrase("2026-01-01T03:59:59Z") == "The night is quiet")
    #expect(try phrase("2026-01-02T08:00:00Z") != phrase("2026-01-03T08:00:00Z"))
    #expect(try phrase("2026-12-31T08:00:00Z").isEmpty == false)
  }
}
