import Testing

@testable import TrunkModel

@Suite struct SeasonTests {
  @Test func costsMatchTheTable() {
    let costs = Season.allCases.map { season in Ground.allCases.map { Soil.cost(season, $0) } }
    #expect(costs == [[2, 3, 4], [3, 5, 6], [5, 8, 10], [8, 12, 16], [12, 18, 24]])
  }

  @Test func lengthsMatchTheSeasons() {
    #expect(Season.allCases.map(\.rawValue) == ["2w", "1m", "3m", "6m", "1y"])
    #expect(Season.allCases.map(\.days) == [14, 30, 90, 180, 365])
    #expect(Season.oneMonth.seconds == 2_592_000)
  }

  @Test func capacityGrowsLessTheNearerToItsMaximum() {
    func gain(_ season: Season, _ ground: Ground, _ result: Int, _ capacity: Double) -> Double {
      Soil.capacityGained(season, ground, result: result, capacity: capacity)
    }
    #expect(abs(gain(.threeMonths, .firm, 4, 50) - 1.292) < 5e-4)
    #expect(abs(gain(.oneYear, .barren, 5, 90) - 2.652) < 5e-4)
    #expect(gain(.oneYear, .barren, 5, 120) == 0)
    #expect(gain(.oneYear, .barren, 5, 130) == 0)
    #expect(abs(gain(.twoWeeks, .fertile, 1, 0) - 0.26 * 1.1 * 0.4) < 1e-12)
    #expect(abs(gain(.oneMonth, .firm, 2, 0) - 0.56 * 1.75 * 0.55) < 1e-12)
    #expect(abs(gain(.sixMonths, .barren, 3, 0) - 4.16 * 2.4 * 0.7) < 1e-12)
  }

  @Test func multipliersAndReturnsMatchTheRules() {
    #expect((1...5).map { Soil.multiplier(result: $0) } == [0.4, 0.55, 0.7, 0.85, 1])
    #expect(Soil.returned(uprooting: 5) == 1.25)
  }

  @Test func roundsHalfUpToTwoDecimals() {
    for (value, rounded) in [
      (0.0, 0.0), (0.005, 0.01), (0.004, 0), (9.999, 10), (0.125, 0.13), (2.675, 2.68), (7.35, 7.35), (0.1 + 0.2, 0.3),
    ] {
      #expect(Soil.round2(value) == rounded, "\(value)")
    }
  }
}
