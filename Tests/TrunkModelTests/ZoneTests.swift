import Foundation
import TestSupport
import Testing
import TrunkKit
import TrunkModel

@Suite struct ZoneTests {
  @Test(arguments: [
    ("Asia/Kolkata", "2026-07-01T00:00:00Z", 19_800), ("Asia/Kathmandu", "2026-07-01T00:00:00Z", 20_700),
    ("Europe/Berlin", "2026-03-29T00:59:59.999Z", 3600), ("Europe/Berlin", "2026-03-29T01:00:00Z", 7200),
    ("Europe/Berlin", "2026-10-25T00:59:59.999Z", 7200), ("Europe/Berlin", "2026-10-25T01:00:00Z", 3600),
    ("Europe/Berlin", "2046-07-01T00:00:00Z", 7200), ("Europe/Berlin", "2046-12-01T00:00:00Z", 3600),
    ("America/New_York", "2046-07-01T00:00:00Z", -14_400), ("America/New_York", "2075-12-01T00:00:00Z", -18_000),
    ("Australia/Lord_Howe", "2026-01-01T00:00:00Z", 39_600), ("Australia/Lord_Howe", "2026-07-01T00:00:00Z", 37_800),
    ("America/St_Johns", "2026-01-01T00:00:00Z", -12_600), ("America/St_Johns", "2026-07-01T00:00:00Z", -9000),
    ("Pacific/Apia", "2011-12-30T09:59:59.999Z", -36_000), ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400),
    ("UTC", "2026-07-01T00:00:00Z", 0),
  ])
  func returnsTheOffset(name: String, time: String, seconds: Int64) throws {
    #expect(try zone(name).offset(at: instant(time)) == seconds)
  }

  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "America/St_Johns", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe",
    "Pacific/Apia", "Asia/Gaza", "America/Santiago", "Pacific/Chatham", "America/Nuuk",
  ])
  func agreesWithFoundation(name: String) throws {
    let (zone, other) = try (zone(name), #require(TimeZone(identifier: name)))
    // Every 11 hours from 1990 to the start of 2037: later, the two don't read the same table.
    for seconds: Int64 in stride(from: 631_152_000, to: 2_114_380_800, by: 39_600) {
      let offset = zone.offset(at: Instant(milliseconds: seconds * 1000))
      let expected = Int64(other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
      if offset != expected { Issue.record("\(name) at \(seconds): \(offset), expected \(expected)") }
    }
  }

  @Test func rejectsUnknownNames() {
    #expect(Zone.named("Europe/Atlantis") == nil)
    #expect(Zone.named("") == nil)
    #expect(Zone.named("../../etc/passwd") == nil)
  }

  @Test func systemZoneHasAName() {
    #expect(!Zone.system().identifier.isEmpty)
  }

  @Test(arguments: [
    // A skipped time is as long after the change as it is after the start of the skipped hour.
    ("Europe/Berlin", "2026-03-29", 9000, "2026-03-29T01:30:00.000Z"),
    ("Europe/Berlin", "2026-03-29", 7199, "2026-03-29T00:59:59.000Z"),
    ("Europe/Berlin", "2026-03-29", 10_800, "2026-03-29T01:00:00.000Z"),
    // For a time that occurs twice, the first occurrence counts.
    ("Europe/Berlin", "2026-10-25", 9000, "2026-10-25T00:30:00.000Z"),
    ("Europe/Berlin", "2026-10-25", 10_800, "2026-10-25T02:00:00.000Z"),
    ("Australia/Lord_Howe", "2026-10-04", 8100, "2026-10-03T15:45:00.000Z"),
    ("Australia/Lord_Howe", "2026-04-05", 6300, "2026-04-04T14:45:00.000Z"),
    ("Asia/Kathmandu", "2026-01-01", 0, "2025-12-31T18:15:00.000Z"),
    ("America/St_Johns", "2026-07-01", 21_600, "2026-07-01T08:30:00.000Z"),
    ("Pacific/Apia", "2011-12-29", 86_399, "2011-12-30T09:59:59.000Z"),
    ("Pacific/Apia", "2011-12-31", 0, "2011-12-30T10:00:00.000Z"),
    ("Europe/Berlin", "2046-07-01", 21_600, "2046-07-01T04:00:00.000Z"),
  ])
  func findsTheInstantOfALocalTime(name: String, date: String, second: Int64, expected: String) throws {
    let (zone, day) = try (zone(name), day(date))
    #expect(zone.instant(day: day, second: second).description == expected)
  }

  @Test func instantIsTheInverseOfLocalTime() throws {
    for name in ["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"] {
      let zone = try zone(name)
      for seconds: Int64 in stride(from: 1_300_000_000, to: 1_330_000_000, by: 1013) {
        let instant = Instant(milliseconds: seconds * 1000)
        let (day, second) = zone.local(instant)
        let back = zone.instant(day: day, second: second)
        // If an hour occurs twice, the first one is returned.
        #expect(back == instant || zone.local(back) == (day, second) && back < instant)
      }
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-28", 23), ("Europe/Berlin", "2026-10-24", 25), ("Europe/Berlin", "2026-06-01", 24),
    ("America/New_York", "2026-03-07", 23), ("America/New_York", "2046-11-03", 25),
  ])
  func resetDaysAreLongerOrShorterWhenClocksChange(name: String, date: String, hours: Double) throws {
    let (zone, day) = try (zone(name), day(date))
    let start = zone.start(of: day)
    #expect(zone.nextReset(after: start).seconds(since: start) == hours * 3600)
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-07-01T03:59:59.999Z", "2026-06-30"),
    ("Europe/Berlin", "2026-07-01T04:00:00Z", "2026-07-01"),
    ("Europe/Berlin", "2026-01-01T04:59:59.999Z", "2025-12-31"),
    ("Europe/Berlin", "2026-01-01T05:00:00Z", "2026-01-01"),
    ("Europe/Berlin", "2026-03-29T03:59:59.999Z", "2026-03-28"),
    ("Europe/Berlin", "2026-03-29T04:00:00Z", "2026-03-29"),
    ("Europe/Berlin", "2026-10-25T04:59:59.999Z", "2026-10-24"),
    ("Europe/Berlin", "2026-10-25T05:00:00Z", "2026-10-25"),
    ("Asia/Kathmandu", "2026-01-01T00:14:59.999Z", "2025-12-31"),
    ("Asia/Kathmandu", "2026-01-01T00:15:00Z", "2026-01-01"),
    ("Asia/Kolkata", "2026-01-01T00:29:59.999Z", "2025-12-31"), ("Asia/Kolkata", "2026-01-01T00:30:00Z", "2026-01-01"),
    ("America/St_Johns", "2026-01-01T09:29:59.999Z", "2025-12-31"),
    ("America/St_Johns", "2026-01-01T09:30:00Z", "2026-01-01"),
    ("Pacific/Apia", "2011-12-30T09:00:00Z", "2011-12-29"), ("Pacific/Apia", "2011-12-30T16:00:00Z", "2011-12-31"),
    ("UTC", "1969-12-31T05:59:59.999Z", "1969-12-30"), ("UTC", "2046-01-01T06:00:00Z", "2046-01-01"),
  ])
  func theDayBeginsAtSix(name: String, time: String, date: String) throws {
    #expect(try zone(name).dayKey(instant(time)).description == date)
  }

  @Test func theWeekBeginsOnMondayAtSix() throws {
    let berlin = try zone("Europe/Berlin")
    let sunday = try instant("2026-07-06T03:59:59.999Z")
    let monday = try instant("2026-07-06T04:00:00Z")
    #expect(berlin.dayKey(sunday).monday.description == "2026-06-29")
    #expect(berlin.dayKey(monday).monday.description == "2026-07-06")
    #expect(berlin.nextWeek(after: sunday) == monday)
    #expect(berlin.nextWeek(after: monday).description == "2026-07-13T04:00:00.000Z")
    #expect(berlin.nextReset(after: sunday) == monday)
    // The week in which clocks go back.
    #expect(berlin.nextWeek(after: try instant("2026-10-20T12:00Z")).description == "2026-10-26T05:00:00.000Z")
  }

  @Test(arguments: ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "America/Santiago", "Asia/Tehran"])
  func everyInstantIsWithinItsDay(name: String) throws {
    let zone = try zone(name)
    for seconds: Int64 in stride(from: 1_262_304_000, to: 2_400_000_000, by: 12_345) {
      let instant = Instant(milliseconds: seconds * 1000)
      let (start, end) = (zone.start(of: zone.dayKey(instant)), zone.nextReset(after: instant))
      guard start <= instant, instant < end, zone.dayKey(start) == zone.dayKey(instant),
        zone.dayKey(end) == zone.dayKey(instant).adding(days: 1),
        zone.dayKey(end.adding(seconds: -1)) < zone.dayKey(end)
      else {
        Issue.record("\(name): \(instant) is not between \(start) and \(end)")
        return
      }
    }
  }
}
