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
    try await fixture.model.water(cello, text: "Bar nine held", question: nil)
    fixture.time.advance(seconds: 1)
    try await fixture.model.shine(try #require(Node(path: "heart/joy")), text: "Warm kitchen", question: nil)
    fixture.time.advance(seconds: 1)
    try await fixture.model.uproot(run, creatingSeedling: false)
    return fixture
  }

  @Test func listsItemsNewestFirst() async throws {
    let garden = try await garden().model.garden
    #expect(garden.timeline().map(\.kind) == [.uprooting, .reflection, .watering, .planting, .planting])
    #expect(
      garden.timeline().map { $0.sproutID.flatMap { garden.sprout(id: $0)?.title } } == [
        "Run", nil, "Cello", "Run", "Cello",
      ])
  }

  @Test func filtersByKindTwigLeafResultAndDay() async throws {
    let fixture = try await garden()
    let garden = fixture.model.garden
    func kinds(_ change: (inout TimelineFilter) -> Void) -> [TimelineItem.Kind] {
      var filter = TimelineFilter()
      change(&filter)
      return garden.timeline(filter).map(\.kind)
    }
    #expect(kinds { $0.kinds = [.watering] } == [.watering])
    #expect(kinds { $0.kinds = [.reflection, .watering] } == [.reflection, .watering])
    #expect(kinds { $0.kinds = [.harvest] } == [])
    #expect(kinds { $0.showsMilestones = false } == [.reflection, .watering])
    let core = try #require(Node(path: "core/movement")?.branch)
    #expect(kinds { $0.twigs = TimelineFilter.twigs(ofBranch: core) } == [.uprooting, .planting])
    #expect(kinds { $0.twigs = [.twig(branch: core, twig: 7)] } == [])
    let leaf = try #require(garden.sprouts.first { $0.title == "Cello" }?.leafID)
    #expect(kinds { $0.leaves = [ExactID(leaf)] } == [.watering, .planting])
    #expect(kinds { $0.results = 1...5 } == [])
    let today = garden.zone.dayKey(fixture.model.now)
    #expect(kinds { ($0.first, $0.last) = (today, today) }.count == 5)
    #expect(kinds { $0.first = today.adding(days: 1) } == [])
    #expect(kinds { $0.last = today.adding(days: -1) } == [])
  }

  @Test func filtersHarvestsByResult() async throws {
    let fixture = try await GardenFixture()
    let (good, bad) = (try await fixture.plant("Good"), try await fixture.plant("Bad"))
    fixture.time.advance(seconds: 15 * 86_400)
    try await fixture.model.refreshClock()
    try await fixture.model.harvest(good, result: 5, reflection: "Yes")
    try await fixture.model.harvest(bad, result: 2, reflection: "No")
    var filter = TimelineFilter()
    filter.results = 4...5
    #expect(fixture.model.garden.timeline(filter).map(\.sproutID) == [good])
    #expect(fixture.model.garden.timeline(filter).map(\.result) == [5])
  }

  /// The hours before 06:00 belong to the day before.
  @Test func aYearCountsByResetDay() async throws {
    let fixture = try await GardenFixture(now: "2027-01-01T04:30:00Z")
    let cello = try await fixture.plant("Cello")
    try await fixture.model.water(cello, text: "At night", question: nil)
    fixture.time.advance(seconds: 3600)
    try await fixture.model.water(cello, text: "In the morning", question: nil)
    try await fixture.model.shine(try #require(Node(path: "heart/joy")), text: "Light", question: nil)
    let items = fixture.model.garden.timeline().map(JournalLine.item)
    let old = JournalYear(2026, of: items)
    #expect(old.counts.count == 365 && old.counts.last == 1)
    let new = JournalYear(2027, of: items)
    #expect(new.count(on: new.first) == 2)
    #expect(new.count(on: new.first.adding(days: -1)) == nil)
    #expect(new.weeks(ofMonth: 1) == [2, 0, 0, 0, 0] && new.weeks(ofMonth: 2).count == 4)
    #expect(old.weeks(ofMonth: 12) == [0, 0, 0, 0, 1])
    #expect(new.years == [2026, 2027])
  }
}
