import TestSupport
import Testing
import TrunkKit
import TrunkModel

@MainActor @Suite struct SoilShareTests {
  @Test(arguments: [
    (0.0, SoilShare.veryLittle), (0.069, .veryLittle), (0.07, .tenth), (0.16, .fifth), (0.23, .quarter), (0.3, .third),
    (0.45, .half), (0.6, .twoThirds), (0.72, .threeQuarters), (0.849, .threeQuarters), (0.85, .nearlyAll),
    (2, .nearlyAll),
  ])
  func aShareHasTheNearestWord(share: Double, word: SoilShare) { #expect(SoilShare(share) == word) }

  @Test func theRestSaysHowManyMoreThereIsRoomFor() async throws {
    let fixture = try await GardenFixture()
    // 10 soil: after 3, there are 7 left.
    #expect(fixture.model.garden.soilShare(of: 3) == .third)
    #expect([2.0, 3, 4, 5, 6, 10, 12].map(fixture.model.garden.room) == [4, 2, 1, 1, 0, 0, 0])
    #expect(fixture.model.garden.roomSentence(afterPlantingFor: 3) == "There is room for two more like it.")
    #expect(fixture.model.garden.roomSentence(afterPlantingFor: 2) == "There is plenty of room.")
  }

  @Test func aShorterSeasonIsOfferedIfThereIsEnoughSoilForIt() async throws {
    let garden = try await GardenFixture().model.garden
    #expect(garden.affordableSeason(shorterThan: .oneYear, on: .fertile) == .sixMonths)
    #expect(garden.affordableSeason(shorterThan: .oneYear, on: .barren) == .threeMonths)
    #expect(garden.affordableSeason(shorterThan: .twoWeeks, on: .fertile) == nil)
  }
}
