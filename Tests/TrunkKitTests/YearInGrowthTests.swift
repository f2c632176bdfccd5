import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor
@Suite struct YearInGrowthTests {
  /// Two years: one sprout is planted in 2025 and harvested in 2026, another one is planted in the night of New Year's
  /// Eve.
  private func garden() async throws -> GardenFixture {
    let fixture = try await GardenFixture(now: "2025-12-20T08:00:00Z")
    let cello = try await fixture.plant("Cello")
    try await fixture.model.water(cello, text: "The river and the Cello, the cello and I", question: nil)
    fixture.time.advance(seconds: 18 * 3600, days: 11)
    _ = try await fixture.plant("Run", on: "core/movement")
    fixture.time.advance(days: 9)
    try await fixture.model.water(cello, text: "Today the river was slow", question: nil)
    try await fixture.model.harvest(cello, result: 5, reflection: "Ein ruhiger Fluss, der Fluss am Morgen")
    return fixture
  }

  @Test func anEventBelongsToTheYearOfItsResetDay() async throws {
    let model = try await garden().model
    let (first, second) = (model.garden.growth(in: 2025, at: model.now), model.garden.growth(in: 2026, at: model.now))
    #expect(first.planted.map(\.title) == ["Cello", "Run"])
    #expect(first.harvested.isEmpty)
    #expect(second.planted.isEmpty)
    #expect(second.harvested.map(\.title) == ["Cello"])
    #expect(second.entries.map(\.kind) == [.watering, .harvest])
  }

  @Test func theRingsAreTheGainsOfTheYears() async throws {
    let model = try await garden().model
    let year = model.garden.growth(in: 2026, at: model.now)
    #expect(year.rings.map(\.year) == [2025, 2026])
    let gained = year.rings.reduce(0) { $0 + $1.gain }
    #expect(abs(gained - (model.garden.capacity - Soil.startingCapacity)) < 1e-9)
    #expect(year.capacityAfter == model.garden.capacity)
    #expect(year.capacityBefore == model.garden.growth(in: 2025, at: model.now).capacityAfter)
  }

  @Test func theHarvestsWithTheMostWordsAreNamedInTheirOrder() async throws {
    let fixture = try await GardenFixture(now: "2026-02-01T08:00:00Z")
    var ids: [String] = []
    for number in 1...5 {
      let id = try await fixture.plant("Sprout \(number)")
      ids.append(id)
    }
    for (id, words) in zip(ids, [3, 1, 4, 0, 2]) where words > 0 {
      fixture.time.advance(days: 1)
      try await fixture.model.water(id, text: String(repeating: "word ", count: words), question: nil)
    }
    fixture.time.advance(days: 20)
    for id in ids { try await fixture.model.harvest(id, result: 3, reflection: "") }
    let year = fixture.model.garden.growth(in: 2026, at: fixture.model.now)
    #expect(try await fixture.model.texts(of: year).fullest == [ids[0], ids[2], ids[4]])
  }

  @Test func pagesLeadFromTheFirstYearToThisOne() async throws {
    let fixture = try await garden()
    let model = fixture.model
    #expect(model.garden.yearsBeside(2025, at: model.now) == (nil, 2026))
    #expect(model.garden.yearsBeside(2026, at: model.now) == (2025, nil))
    let page = PageLine(id: 1, date: try #require(PageDate("1994-08-23")), in: .utc)
    #expect(model.garden.yearsBeside(2025, [page], at: model.now) == (1994, 2026))
    #expect(model.garden.yearsBeside(1994, [page], at: model.now) == (nil, 2025))
    #expect(Garden(zone: .utc).growth(in: 2026, at: model.now).isEmpty)
  }

  @Test func entriesToRereadCoverTheYear() {
    let texts = ["a", "a longer one", "", "b", "the longest of all of them", "c", "dd", " ", "e"]
    let entries = texts.enumerated().map { JournalText.entry(entry(Int64($0), $1)) }
    #expect(YearTexts(entries).reread.map(\.words) == ["a longer one", "the longest of all of them", "dd"])
    let repeated = ["twice", "a", "twice", "b", "c", "dd"].enumerated().map { JournalText.entry(entry(Int64($0), $1)) }
    #expect(YearTexts(repeated).reread.map(\.words) == ["twice", "b", "dd"])
    #expect(YearTexts([]).reread.isEmpty)
    #expect(YearTexts([.entry(entry(1, "only"))]).reread.map(\.words) == ["only"])
  }

  private func entry(_ seq: Int64, _ text: String) -> TimelineEntry {
    let item = TimelineItem(
      kind: .watering, time: EventTime(Instant(milliseconds: seq), in: .utc), seq: seq, sproutID: nil, twig: nil,
      result: nil)
    return TimelineEntry(item: item, text: text, question: nil, twigLabel: nil, isHidden: false)
  }
}
