import TestSupport
import Testing
import TrunkKit
import TrunkModel

/// Watering for the day before. The fixture's clock shows Wednesday 18 November 2026, 09:00 in Berlin.
@MainActor @Suite struct YesterdayTests {
  private let fixture: GardenFixture
  private let id: String

  init() async throws {
    fixture = try await GardenFixture(now: "2026-11-16T08:00:00Z")
    id = try await fixture.plant("Cello")
    fixture.time.now = try instant("2026-11-18T08:00:00Z")
    try await fixture.model.refreshClock()
  }

  private func canWater(_ time: String) async throws -> Bool {
    fixture.time.now = try instant(time)
    try await fixture.model.refreshClock()
    return fixture.model.garden.canWaterForYesterday(try fixture.sprout(id), at: fixture.model.now)
  }

  @Test func aDropOfYesterdayCanBeUsedUntilNoon() async throws {
    try await fixture.model.water(id, text: "Late words.", question: nil, on: .yesterday)
    let event = try #require(try await fixture.events().last)
    let time = try #require(fixture.model.garden.time(of: event))
    #expect(time.day.description == "2026-11-17" && time.isLastMinute)
    #expect(event.timeZone == "Europe/Berlin")
    #expect(fixture.model.garden.waterLeft(on: try day("2026-11-17")) == 2)
    #expect(fixture.model.garden.waterLeft(at: fixture.model.now) == 3, "today's drops are still there")
    #expect(!fixture.model.garden.wasWatered(try fixture.sprout(id), onDayOf: fixture.model.now))
    try await fixture.expectModelMatchesLog()
    try await fixture.expectError(.notForYesterday(title: "Cello")) {
      try await fixture.model.water(id, text: "Again.", question: nil, on: .yesterday)
    }
  }

  @Test func isOfferedFromSixToNoon() async throws {
    #expect(try await !canWater("2026-11-18T04:59:59Z"), "at night it is still the day before")
    #expect(try await canWater("2026-11-18T05:00:00Z"))
    #expect(try await canWater("2026-11-18T10:59:59Z"))
    #expect(try await !canWater("2026-11-18T11:00:00Z"))
    #expect(try await !canWater("2026-11-16T10:00:00Z"), "it was not growing on the day before")
  }

  @Test func yesterdaysThreeDropsAreTheLimit() async throws {
    var others: [String] = []
    for number in 1...3 { others.append(try await fixture.plant("Other \(number)")) }
    fixture.time.now = try instant("2026-11-19T08:00:00Z")
    for other in others { try await fixture.model.water(other, text: "So.", question: nil, on: .yesterday) }
    try await fixture.expectError(.notForYesterday(title: "Cello")) {
      try await fixture.model.water(id, text: "A fourth.", question: nil, on: .yesterday)
    }
    let instants = try await fixture.events().filter { $0.kind == .sproutWatered }.compactMap(\.instant)
    #expect(Set(instants).count == instants.count, "other clients drop one of two events of the same instant")
  }

  @Test func canBeUndone() async throws {
    try await fixture.model.water(id, text: "Late words.", question: nil, on: .yesterday)
    #expect(try await fixture.model.undo()?.action == .water)
    #expect(try await canWater("2026-11-18T08:00:05Z"))
  }

  @Test func aTerminalLeavesItsUndoToTheWindow() async throws {
    try await fixture.model.water(id, text: "Late words.", question: nil, on: .yesterday)
    try await fixture.anotherModel().endTerminalUndoWindows()
    #expect(try await fixture.model.undo()?.action == .water)
  }

  @Test func newEventsNameTheZoneOfTheComputer() async throws {
    fixture.time.zone = try zone("America/Los_Angeles")
    try await fixture.model.refreshClock()
    try await fixture.model.water(id, text: "Far away.", question: nil)
    #expect(try await fixture.events().map(\.timeZone).suffix(1) == ["America/Los_Angeles"])
    let entry = try #require(fixture.model.garden.journal.last)
    #expect(entry.time.day.description == "2026-11-17", "it is the night of the 18th there")
    fixture.time.zone = try zone("Europe/Berlin")
    try await fixture.model.refreshClock()
    #expect(fixture.model.garden.journal.last?.time == entry.time)
    try await fixture.expectModelMatchesLog()
  }

  @Test func aZoneWithoutANameIsWrittenAsItsOffset() async throws {
    fixture.time.zone = Zone(identifier: "XYZ-2", offset: 7200, changes: [])
    try await fixture.model.refreshClock()
    try await fixture.model.water(id, text: "Two hours east.", question: nil)
    #expect(try await fixture.events().last?.timeZone == "Etc/GMT-2")
  }
}
