import CairoKit
import TestSupport
import Testing
import TrunkKit
import TrunkModel
import TrunkPrint

@MainActor
@Suite struct LifeFilmTests {
  @Test func theFirstDayHasNoFilm() async throws {
    let garden = try await GardenFixture().model.garden
    #expect(LifeFilm(garden, through: Day(number: 20_000)) == nil)
  }

  /// Thirty seconds of 15 frames below one year.
  @Test func aCancelledFilmEndsAtOnce() async throws {
    struct Cancelled: Error {}
    let fixture = try await GardenFixture()
    try await fixture.plant("The cello", season: .oneMonth)
    let garden = fixture.model.garden
    let today = garden.zone.dayKey(fixture.model.now)
    let film = try #require(LifeFilm(garden, through: today.adding(days: 40)))
    #expect(film.count == 450)
    var begun: [Int] = []
    #expect(throws: Cancelled.self) {
      _ = try film.webP { frame in
        begun.append(frame)
        if frame == 2 { throw Cancelled() }
      }
    }
    #expect(begun == [0, 1, 2])
  }
}
