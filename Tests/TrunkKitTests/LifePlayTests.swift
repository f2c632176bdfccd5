import TestSupport
import Testing
import TrunkKit
import TrunkModel

@MainActor
@Suite struct LifePlayTests {
  private static let first = Day(number: 14_000)

  @Test(arguments: [3, 364, 366, 7300, 36_500] as [Int32])
  func everyDayHasItsPlace(length: Int32) {
    let last = LifePlayTests.first.adding(days: length)
    let play = LifePlay(from: LifePlayTests.first, through: last)
    #expect(play.day(at: 0) == LifePlayTests.first)
    #expect(play.day(at: 1) == last)
    for share in stride(from: 0.05, to: 1, by: 0.05) {
      #expect(abs(play.share(of: play.day(at: share)) - share) <= 1 / Double(min(length, 300)), "\(length), \(share)")
    }
  }

  @Test func theFirstYearTakesATenth() {
    let play = LifePlay(from: LifePlayTests.first, through: LifePlayTests.first.adding(days: 7305))
    #expect(abs(play.seconds - 50) < 0.01)
    #expect(abs(LifePlayTests.first.distance(to: play.day(at: 0.1)) - 365) <= 1)
    #expect(!play.staysSummer)
    #expect(LifePlay(from: LifePlayTests.first, through: LifePlayTests.first.adding(days: 20_000)).staysSummer)
  }

  @Test func daysHaveTheirEntries() async throws {
    let fixture = try await GardenFixture()
    let cello = try await fixture.plant("The cello", season: .oneMonth)
    try await fixture.model.water(cello, text: "Slow bow", question: nil)
    let garden = fixture.model.garden
    let today = garden.zone.dayKey(fixture.model.now)
    let days = LifeDays(garden)
    #expect(days.items(on: today).map(\.kind) == [.watering])
    #expect(days.items(on: today.adding(days: -1)).isEmpty)
    #expect(days.day(before: today.adding(days: 1)) == today)
    #expect(days.day(after: today.adding(days: -3)) == today)
    #expect(days.day(after: today) == nil && days.day(before: today) == nil)
    #expect(days.event(near: today.adding(days: 3))?.contains("The cello") == true)
    #expect(days.event(near: today.adding(days: 4)) == nil)
  }

  @Test func theAgeIsSaidInHalfYears() {
    #expect(Formats.treeAge(days: 0) == "The first day of the tree.")
    #expect(Formats.treeAge(days: 1) == "The tree was 1 day old.")
    #expect(Formats.treeAge(days: 100) == "The tree was 3 months old.")
    #expect(Formats.treeAge(days: 366) == "The tree was 1 year old.")
    #expect(Formats.treeAge(days: 2740) == "The tree was 7½ years old.")
    #expect(Formats.treeAge(days: 2740, isToday: true) == "The tree is 7½ years old.")
  }
}
