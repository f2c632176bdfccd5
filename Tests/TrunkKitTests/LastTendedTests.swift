import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@MainActor @Suite struct LastTendedTests {
  @Test func limbsKeepTheirColourForThirtyDaysAndThenFade() async throws {
    let fixture = try await GardenFixture(now: "2026-05-20T08:00:00Z")
    let run = try await fixture.plant("Run", on: "core/movement")
    func tended(after days: Int64) async throws -> LastTended {
      fixture.time.advance(days: days)
      try await fixture.model.refreshClock()
      return LastTended(fixture.model.garden, at: fixture.model.now)
    }
    let planted = try await tended(after: 0)
    #expect(planted.text(of: 0) == "not yet", "a planting has no words")
    #expect(planted.colour(of: 0) == 0.4)
    try await fixture.model.water(run, text: "Home by nine", question: nil)
    let states = try await [tended(after: 0), tended(after: 1), tended(after: 3), tended(after: 26), tended(after: 90)]
    #expect(states.map { $0.text(of: 0) } == ["today", "yesterday", "on Wednesday", "in May", "in May"])
    #expect(states[...3].map { $0.colour(of: 0) } == [1, 1, 1, 1])
    #expect(abs(states[4].colour(of: 0) - (1 - 0.6 * (1 - 0.3679))) < 1e-4)
    #expect(try await tended(after: 400).text(of: 0) == "in 2026")
    #expect(states[4].text(of: 1) == "not yet")
  }
}
