import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor
@Suite struct TimelineTests {
  /// Two sprouts on two branches; one is watered, one uprooted; the sun shines once.
  private func garden() async throws -> GardenFixture {
    let fixture = try await GardenFixture()
    let cello = try await fixture.plant("Cello", on: "voice/practice")
    let run = try await fixture.plant("Run", on: "core/movement")
    try await fixture.model.water(cello, text: "Bar nine held", prompt: nil)
    fixture.time.pass(seconds: 1)
    try await fixture.model.shine(try #require(Node(path: "heart/joy")), text: "Warm kitchen", prompt: nil)
    fixture.time.pass(seconds: 1)
    try await fixture.model.uproot(run, keepingIdea: false)
    return fixture
  }

  @Test func listsWhatHappenedNewestFirst() async throws {
    let garden = try await garden().model.garden
    #expect(garden.timeline().map(\.kind) == [.uprooting, .reflection, .watering, .planting, .planting])
    #expect(
      garden.timeline().map { $0.sproutID.flatMap { garden.sprout(id: $0)?.title } } == [
        "Run", nil, "Cello", "Run", "Cello",
      ])
  }

  @Test func filtersByKindBranchAndSearch() async throws {
    let fixture = try await garden()
    let garden = fixture.model.garden
    func kinds(_ filter: TimelineFilter) -> [TimelineItem.Kind] { garden.timeline(filter).map(\.kind) }
    #expect(kinds(TimelineFilter(kind: .water)) == [.watering])
    #expect(kinds(TimelineFilter(kind: .sun)) == [.reflection])
    #expect(kinds(TimelineFilter(kind: .harvest)) == [])
    let core = try #require(Node(path: "core/movement")?.branch)
    #expect(kinds(TimelineFilter(branch: core)) == [.uprooting, .planting])
    let found = Set(try await fixture.model.store.search("nine", limit: 9).map(\.seq))
    #expect(kinds(TimelineFilter(found: found)) == [.watering])
    #expect(kinds(TimelineFilter(found: [])) == [])
  }

  @Test func marksTheMatchesOfASearch() async throws {
    let fixture = try await GardenFixture()
    let cello = try await fixture.plant("Cello")
    try await fixture.model.water(cello, text: "Über neun Takte, neun!", prompt: nil)
    let items = fixture.model.garden.timeline(TimelineFilter(kind: .water))
    func marked(_ query: String) async throws -> [String] {
      let entry = try #require(try await fixture.model.entries(items, marking: query).first)
      return entry.marks.map { String(decoding: Array(entry.text.utf8)[$0], as: UTF8.self) }
    }
    #expect(try await marked("neun") == ["neun", "neun"])
    #expect(try await marked("ube") == ["Über"])
    #expect(try await marked("") == [])
    #expect(try await marked("zehn") == [])
  }

  /// The hours before 06:00 belong to the day before.
  @Test func aYearCountsByResetDay() async throws {
    let fixture = try await GardenFixture(now: "2027-01-01T04:30:00Z")
    let cello = try await fixture.plant("Cello")
    try await fixture.model.water(cello, text: "At night", prompt: nil)
    fixture.time.pass(seconds: 3600)
    try await fixture.model.water(cello, text: "In the morning", prompt: nil)
    try await fixture.model.shine(try #require(Node(path: "heart/joy")), text: "Light", prompt: nil)
    let items = fixture.model.garden.timeline()
    let old = JournalYear(2026, of: items, in: fixture.time.zone)
    #expect(old.counts.count == 365 && old.daysWritten == 1 && old.counts.last == 1)
    let new = JournalYear(2027, of: items, in: fixture.time.zone)
    #expect(new.count(on: new.first) == 2 && new.daysWritten == 1)
    #expect(new.count(on: new.first.adding(days: -1)) == nil)
    #expect(new.sunWeeks == [new.first.monday])
    #expect(new.years == [2026, 2027])
  }
}
