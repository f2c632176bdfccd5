import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct HarvestCalendarTests {
  @Test func hasAnAllDayEventForEachComingHarvest() async throws {
    let fixture = try await GardenFixture(now: "2026-11-25T17:30:00Z")
    let id = try await fixture.plant("Cello; slowly, \\ and\nwell", season: .oneMonth)
    let file = HarvestCalendar.file(fixture.model.garden, at: fixture.model.now)
    let due = try #require(fixture.model.garden.sprout(id: id)).harvestDue
    let day = fixture.model.garden.zone.local(due).day.description.replacingOccurrences(of: "-", with: "")
    #expect(file.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"))
    #expect(file.hasSuffix("END:VEVENT\r\nEND:VCALENDAR\r\n"))
    #expect(file.contains("\r\nUID:\(id)@trunk.garden\r\nDTSTAMP:20261125T173000Z\r\nDTSTART;VALUE=DATE:\(day)\r\n"))
    #expect(file.contains("\r\nSUMMARY:Harvest “Cello\\; slowly\\, \\\\ and\\nwell”\r\n"))
    // A sprout that is ready is no longer coming.
    fixture.time.advance(days: 40)
    try await fixture.model.refreshClock()
    #expect(!HarvestCalendar.file(fixture.model.garden, at: fixture.model.now).contains("VEVENT"))
  }

  @Test func leavesOutHarvestsInYearsThatACalendarCanNotHave() async throws {
    let fixture = try await GardenFixture(now: "9999-12-15T08:00:00Z")
    try await fixture.plant("Before", season: .twoWeeks)
    try await fixture.plant("After", season: .oneMonth)
    #expect(fixture.model.garden.upcoming(at: fixture.model.now).map(\.title) == ["Before", "After"])
    let file = HarvestCalendar.file(fixture.model.garden, at: fixture.model.now)
    #expect(file.contains("\r\nDTSTART;VALUE=DATE:99991229\r\nSUMMARY:Harvest “Before”\r\n"))
    #expect(!file.contains("After"))
    #expect(HarvestCalendar.sprouts(fixture.model.garden, at: fixture.model.now).map(\.title) == ["Before"])
  }

  @Test func writesAValidTimeAlsoIfTheClockIsWrong() async throws {
    let fixture = try await GardenFixture()
    try await fixture.plant("Cello")
    fixture.time.now = try instant("-000500-03-01T08:00:00Z")
    try await fixture.model.refreshClock()
    let file = HarvestCalendar.file(fixture.model.garden, at: fixture.model.now)
    #expect(file.contains("\r\nDTSTAMP:19700101T000000Z\r\n"))
  }

  @Test func breaksLongLinesBetweenCharacters() async throws {
    let fixture = try await GardenFixture()
    let title = String(repeating: "ü", count: 40) + String(repeating: "🌱", count: 20)
    try await fixture.plant(title)
    let lines = HarvestCalendar.file(fixture.model.garden, at: fixture.model.now).components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 })
    let start = try #require(lines.firstIndex { $0.hasPrefix("SUMMARY:") })
    let rest = lines[(start + 1)...].prefix { $0.hasPrefix(" ") }
    #expect(lines[start] + rest.map { $0.dropFirst() }.joined() == "SUMMARY:Harvest “\(title)”")
  }
}
