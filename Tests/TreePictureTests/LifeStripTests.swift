import Testing
import TreePicture
import TrunkModel

@Suite struct LifeStripTests {
  private func strip(days: Double, width: Double) throws -> LifeStrip {
    let young = YoungGarden(days: min(days, 90))
    let garden = Garden(young.events, zone: .utc)
    let first = try #require(Life.firstDay(of: garden))
    return LifeStrip(garden, from: first, through: first.adding(days: Int32(days)), width: width)
  }

  @Test(arguments: [1, 10, 90, 900, 9000], [320, 1200]) func everyPlaceIsTheDayThatStandsThere(
    days: Double, width: Double
  ) throws {
    let strip = try strip(days: days, width: width)
    #expect(strip.day(at: -50, width: width) == strip.first)
    #expect(strip.day(at: width + 50, width: width) == strip.last)
    for step in 0...10 {
      let day = strip.first.adding(days: Int32(days) * Int32(step) / 10)
      let again = strip.day(at: strip.x(of: day, width: width), width: width)
      #expect(abs(day.distance(to: again)) <= 1)
    }
  }

  /// A blade is a day, a month or a quarter: only those with entries are drawn.
  @Test func aYoungGardenHasABladeForEachDay() throws {
    func marks(_ days: Double, _ width: Double) throws -> Int {
      let drawing = try strip(days: days, width: width).drawing(width: width, height: 104) { _ in
        Palette(.light, yearShare: 0.5)
      }
      return drawing.marks.count
    }
    let byDay = try marks(91, 1200)
    let (byMonth, byQuarter) = (try marks(200, 1200), try marks(200, 400))
    #expect(byDay > 60)
    #expect((5...12).contains(byMonth), "\(byMonth)")
    #expect(byQuarter < byMonth)
  }

  @Test func yearsBeginInTheirPlace() throws {
    let years = try strip(days: 1000, width: 900).years
    #expect(years.map(\.year) == [2026, 2027, 2028])
    #expect(years.first?.start.description == "2026-04-06")
    #expect(years.last?.start.description == "2028-01-01")
  }
}
