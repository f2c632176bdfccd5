import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

/// What Today shows on the first days of a garden. The fixture's clock shows Berlin, an hour ahead of UTC in November.
@MainActor @Suite struct FirstDaysTests {
  @Test func daysBeginAtSixAndBringOnePartEach() async throws {
    let fixture = try await GardenFixture(now: "2026-11-18T21:00:00Z")
    func days(at time: String) throws -> FirstDays { fixture.model.garden.firstDays(at: try instant(time)) }
    let before = try days(at: "2026-11-18T21:00:00Z")
    #expect(before.isBeforePlanting)
    #expect(!before.isFirst && !before.showsMeters && !before.showsSun && !before.showsYesterday)
    try await fixture.plant("Cello")
    for (time, day, meters, sun, yesterday) in [
      ("2026-11-18T23:30:00Z", 0, false, false, false), ("2026-11-19T04:59:59Z", 0, false, false, false),
      ("2026-11-19T05:00:00Z", 1, true, false, true), ("2026-11-20T04:59:59Z", 1, true, false, true),
      ("2026-11-20T05:00:00Z", 2, true, true, true), ("2026-11-25T04:59:59Z", 6, true, true, true),
      ("2026-11-25T05:00:00Z", 7, true, true, false), ("2027-11-25T05:00:00Z", 372, true, true, false),
      // A clock that was set back.
      ("2026-11-01T12:00:00Z", 0, false, false, false),
    ] {
      let days = try days(at: time)
      #expect(days == FirstDays(day: day), "\(time)")
      #expect(!days.isBeforePlanting && days.isFirst == (day == 0), "\(time)")
      #expect(days.showsMeters == meters && days.showsSun == sun, "\(time)")
      #expect(days.showsYesterday == yesterday, "\(time)")
    }
  }

  @Test func aGardenIsNewUntilItsFirstPlantingEvenIfThatHasEnded() async throws {
    let fixture = try await GardenFixture()
    _ = try await fixture.model.createSeedling(
      on: try #require(Node(path: "voice/practice")), title: "An idea")
    #expect(fixture.model.garden.firstDays(at: fixture.model.now).isBeforePlanting)
    let id = try await fixture.plant("Cello")
    fixture.time.advance(days: 3)
    try await fixture.model.uproot(id, creatingSeedling: false)
    #expect(fixture.model.garden.firstDays(at: fixture.model.now) == FirstDays(day: 3))
  }

  @Test func yesterdayHasTheWordsOfTheDayBefore() async throws {
    let fixture = try await GardenFixture()
    let (a, b) = (try await fixture.plant("a"), try await fixture.plant("b"))
    try await fixture.model.water(a, text: "two days ago", question: nil)
    fixture.time.advance(days: 1)
    try await fixture.model.water(a, text: "yesterday", question: nil)
    try await fixture.model.water(b, text: "", question: nil)
    fixture.time.advance(days: 1)
    try await fixture.model.water(a, text: "today", question: nil)
    let written = fixture.model.garden.items(fixture.model.garden.wroteYesterday(at: fixture.model.now))
    #expect(try await fixture.model.entries(written).map(\.text) == ["yesterday"])
    let sprout = try fixture.sprout(a)
    let today = fixture.model.garden.watering(of: sprout, onDayOf: fixture.model.now)
    #expect(try await fixture.model.entries(fixture.model.garden.items([#require(today)])).map(\.text) == ["today"])
    #expect(fixture.model.garden.watering(of: try fixture.sprout(b), onDayOf: fixture.model.now) == nil)
  }

  @Test func dropsAreThoseThatFellAndThoseThatCanFall() async throws {
    let fixture = try await GardenFixture()
    func expect(_ left: Int, _ total: Int, line: Int = #line) {
      let drops = fixture.model.garden.drops(at: fixture.model.now)
      #expect(drops.left == left && drops.total == total, "line \(line): \(drops)")
    }
    expect(0, 0)
    let a = try await fixture.plant("a")
    expect(1, 1)
    let b = try await fixture.plant("b")
    expect(2, 2)
    try await fixture.model.water(a, text: "", question: nil)
    expect(1, 2)
    let c = try await fixture.plant("c")
    expect(2, 3)
    let d = try await fixture.plant("d")
    expect(2, 3)
    for id in [b, c] { try await fixture.model.water(id, text: "", question: nil) }
    expect(0, 3)
    fixture.time.advance(days: 1)
    try await fixture.model.refreshClock()
    expect(3, 3)
    for id in [b, c, d] { try await fixture.model.uproot(id, creatingSeedling: false) }
    expect(1, 1)
    // What is ready needs no water.
    fixture.time.advance(days: 14)
    try await fixture.model.refreshClock()
    expect(0, 0)
  }

  @Test func theLatestPlaceIsThatOfTheLatestAct() async throws {
    let fixture = try await GardenFixture()
    func isAt(_ path: String) -> Bool { fixture.model.garden.latestPlace == Node(path: path) }
    #expect(fixture.model.garden.latestPlace == nil)
    let a = try await fixture.plant("a", on: "voice/practice")
    #expect(isAt("VOICE/practice"))
    let b = try await fixture.plant("b", on: "core/sleep")
    #expect(isAt("CORE/sleep"))
    try await fixture.model.water(a, text: "", question: nil)
    #expect(isAt("VOICE/practice"))
    fixture.time.advance(seconds: 1)
    try await fixture.model.shine(try #require(Node(path: "heart/joy")), text: "light", question: "What?")
    #expect(isAt("HEART/joy"))
    fixture.time.advance(seconds: 1)
    try await fixture.model.uproot(b, creatingSeedling: false)
    #expect(isAt("CORE/sleep"))
    fixture.time.advance(days: 14)
    try await fixture.model.harvest(a, result: 3, reflection: "")
    #expect(isAt("VOICE/practice"))
  }

  @Test func aSproutIsAskedOnItsThirdDayHowItsSuccessCanBeTold() async throws {
    let fixture = try await GardenFixture(now: "2026-11-18T21:00:00Z")
    let id = try await fixture.plant("Cello")
    func asks(_ time: String) throws -> Bool {
      fixture.model.garden.asksForHopes(try fixture.sprout(id), at: try instant(time))
    }
    #expect(try !asks("2026-11-20T04:59:59Z"))
    #expect(try asks("2026-11-20T05:00:00Z"))
    #expect(try asks("2026-11-21T04:59:59Z"))
    #expect(try !asks("2026-11-21T05:00:00Z"))
    fixture.time.advance(days: 2)
    try await fixture.model.edit(id, bloomFlourish: "By heart")
    #expect(try !asks("2026-11-20T12:00:00Z"))
  }

  @Test func aDismissedQuestionStaysDismissed() async throws {
    let folder = TemporaryFolder("settings")
    let settings = Settings(folder: folder.path)
    #expect(!settings.hasDismissedHopes(of: "sprout-1"))
    for number in 1...9 { try settings.dismissHopes(of: "sprout-\(number)") }
    let again = Settings(folder: folder.path)
    #expect(again.hasDismissedHopes(of: "sprout-9") && again.hasDismissedHopes(of: "sprout-2"))
    #expect(!again.hasDismissedHopes(of: "sprout-1"), "only the latest ones are kept")
  }
}
