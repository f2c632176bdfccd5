import SyncEngine
import Testing
import TrunkModel

struct ClockDifferenceTests {
  private let date = Instant(milliseconds: 1_760_000_000_000)

  private func difference(_ sent: Int64, _ received: Int64) -> ClockDifference? {
    ClockDifference(date: date, sent: date.adding(seconds: sent), received: date.adding(seconds: received))
  }

  @Test(arguments: [(0, 0), (121, 125), (-125, -120), (-600, 600), (-7200, 5), (5, 7200)] as [(Int64, Int64)])
  func slowRequestsAndSmallDifferencesAreNotReported(sent: Int64, received: Int64) {
    #expect(difference(sent, received) == nil)
  }

  @Test func bothTimesAreKnown() throws {
    let ahead = try #require(difference(10_800, 10_830))
    #expect(ahead.seconds == 10_800)
    #expect(ahead.here == date.adding(seconds: 10_830) && ahead.server == date.adding(seconds: 30))
    let behind = try #require(difference(-7_230, -7_200))
    #expect(behind.seconds == -7200 && behind.server == date)
    #expect(difference(122, 122) != nil && difference(-121, -121) != nil)
  }

  @Test func onlyAnotherDifferenceIsNews() throws {
    let first = try #require(difference(3600, 3600))
    #expect(first.isNews(after: nil))
    #expect(try !#require(difference(3605, 3700)).isNews(after: first))
    #expect(try #require(difference(3900, 3900)).isNews(after: first))
    #expect(try #require(difference(-3600, -3600)).isNews(after: first))
  }
}
