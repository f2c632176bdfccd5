import TestSupport
import Testing
import TrunkKit

@testable import TrunkModel

/// Entries of a traveller: each names the zone in which it was written.
private struct Journey {
  private var events: [Event] = []

  init() throws {
    events = [
      Event(
        .sproutPlanted(
          .init(
            sproutID: "walk", twigID: "branch-0-twig-0", title: "Walk", season: .threeMonths, environment: .fertile,
            soilCost: 5, leafID: "")), at: try instant("2026-04-01T08:00Z"), clientID: "planted")
    ]
  }

  /// - Parameter time: the local time.
  mutating func water(_ time: String, _ zoneName: String, _ location: SourceLocation = #_sourceLocation) throws {
    let local = try instant(time + ":00Z", location)
    let (day, second) = Zone.utc.local(local)
    let instant = try zone(zoneName, location).instant(day: day, second: second)
    events.append(
      Event(
        .sproutWatered(.init(sproutID: "walk", content: time, prompt: nil)), at: instant, timeZone: zoneName,
        clientID: "\(events.count)"))
  }

  /// The garden on a computer that is now in this zone.
  func garden(in zoneName: String) throws -> Garden {
    Garden(events, zones: Zones(try zone(zoneName)) { Zone.named($0) })
  }

  /// The days of the waterings, wherever they are read.
  func days(in zoneName: String) throws -> [String] { try garden(in: zoneName).journal.map { $0.time.day.description } }
}

private let (berlin, losAngeles, tokyo, auckland) = (
  "Europe/Berlin", "America/Los_Angeles", "Asia/Tokyo", "Pacific/Auckland"
)

@Suite struct EventTimeTests {
  @Test func daysDoNotMoveWithTheirReader() throws {
    var journey = try Journey()
    for day in 4...6 { try journey.water("2026-05-0\(day)T09:00", tokyo) }
    let expected = ["2026-05-04", "2026-05-05", "2026-05-06"]
    for reader in [tokyo, losAngeles, berlin, auckland, "UTC"] { #expect(try journey.days(in: reader) == expected) }
    // In Los Angeles it is still 5 May; the entry of 5 May was written in Tokyo, that of 6 May counts for tomorrow.
    let garden = try journey.garden(in: losAngeles)
    let evening = try instant("2026-05-06T03:30Z")
    #expect(garden.waterLeft(at: evening) == 2)
    #expect(garden.streak(at: evening).current == 2)
    #expect(garden.streak(at: evening).longest == 3)
  }

  @Test func anEntryADayIsAStreakOnAJourney() throws {
    var journey = try Journey()
    for day in 1...3 { try journey.water("2026-05-0\(day)T09:00", berlin) }
    for day in 4...6 { try journey.water("2026-05-0\(day)T21:30", losAngeles) }
    #expect(try journey.garden(in: losAngeles).streak(at: instant("2026-05-07T04:40Z")).current == 6)
    try journey.water("2026-05-07T18:00", berlin)
    #expect(try journey.garden(in: berlin).streak(at: instant("2026-05-07T16:05Z")) == (7, 7))
  }

  @Test func aStreakCrossesTheDateLine() throws {
    var west = try Journey()
    // Of 5 May, a traveller to the west has three hours, and one to the east has it twice.
    for day in 3...4 { try west.water("2026-05-0\(day)T21:00", losAngeles) }
    for day in 6...7 { try west.water("2026-05-0\(day)T21:00", auckland) }
    #expect(try west.garden(in: auckland).streak(at: instant("2026-05-07T10:00Z")) == (4, 4))
    var east = try Journey()
    for day in 3...5 { try east.water("2026-05-0\(day)T09:00", auckland) }
    for day in 5...6 { try east.water("2026-05-0\(day)T09:00", losAngeles) }
    #expect(try east.garden(in: losAngeles).streak(at: instant("2026-05-06T17:00Z")) == (4, 4))
    #expect(try east.garden(in: losAngeles).waterLeft(at: instant("2026-05-05T17:00Z")) == 1)
    var pause = try Journey()
    for day in [3, 5] { try pause.water("2026-05-0\(day)T09:00", berlin) }
    #expect(try pause.garden(in: berlin).streak(at: instant("2026-05-05T10:00Z")).current == 1)
  }

  @Test func aDayThatDidNotExistEndsNoStreak() throws {
    var samoa = try Journey()
    for day in [28, 29, 31] { try samoa.water("2011-12-\(day)T12:00", "Pacific/Apia") }
    #expect(try samoa.garden(in: "Pacific/Apia").streak(at: instant("2011-12-31T00:00Z")) == (3, 3))
    #expect(try samoa.garden(in: berlin).streak(at: instant("2026-05-05T10:00Z")).longest == 3)
  }

  @Test func entriesAfterTodayCountForTheirOwnDay() throws {
    var journey = try Journey()
    try journey.water("2026-05-03T09:00", berlin)
    for minute in 10...12 { try journey.water("2030-05-04T09:\(minute)", berlin) }
    let garden = try journey.garden(in: berlin)
    let sprout = try #require(garden.sprout(id: "walk"))
    let now = try instant("2026-05-04T08:00Z")
    #expect(garden.waterLeft(at: now) == 3)
    #expect(!garden.wasWatered(sprout, onDayOf: now))
    #expect(garden.lastWatered(sprout, at: now)?.day.description == "2026-05-03")
    #expect(garden.streak(at: now).current == 1)
    #expect(try garden.waterLeft(at: instant("2030-05-04T08:00Z")) == 0)
    #expect(try garden.wasWatered(sprout, onDayOf: instant("2030-05-04T08:00Z")))
  }

  @Test func aReflectionAfterThisWeekLeavesTheSun() throws {
    var log = HandwrittenLog()
    try log.shine("2030-05-04T08:00Z")
    #expect(try log.garden().sunLeft(at: instant("2026-05-04T08:00Z")) == 1)
    #expect(try log.garden().sunLeft(at: instant("2030-05-02T08:00Z")) == 0, "the same week")
    #expect(try log.garden().sunLeft(at: instant("2030-05-06T06:00Z")) == 1)
  }

  @Test func eventsWithoutAKnownZoneUseTheAccounts() throws {
    let late = try instant("2026-05-05T03:00Z")
    func day(_ timeZone: String?) throws -> String {
      let event = Event(
        .sunShone(.init(twigID: "branch-0-twig-0", twigLabel: "", content: "So.", prompt: nil)), at: late,
        timeZone: timeZone, clientID: "a")
      let zones = Zones(try zone(berlin), fallback: try zone(tokyo)) { Zone.named($0) }
      return try #require(Garden([event], zones: zones).journal.first).time.day.description
    }
    #expect(try day(nil) == "2026-05-05")
    #expect(try day("Moon/Crater") == "2026-05-05")
    #expect(try day(berlin) == "2026-05-04", "05:00 in Berlin is the night of the day before")
  }

  @Test func newRulesForAZoneRejectACheckpoint() throws {
    var journey = try Journey()
    try journey.water("2026-05-04T09:00", tokyo)
    let garden = try journey.garden(in: berlin)
    let bytes = garden.checkpoint()
    func read(_ find: @escaping @Sendable (String) -> Zone?, current: String = berlin) throws -> Garden? {
      Garden(checkpoint: bytes, zones: Zones(try zone(current), fallback: try zone(berlin), find: find))
    }
    #expect(try read { Zone.named($0) }?.checkpoint() == bytes)
    #expect(try read({ Zone.named($0) }, current: losAngeles)?.checkpoint() == bytes, "only today has moved")
    #expect(try read { _ in nil } == nil)
    #expect(try read { _ in Zone(identifier: "Asia/Tokyo", offset: 0, changes: []) } == nil)
  }
}
