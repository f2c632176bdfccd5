import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@Suite struct TreeSeasonTests {
  private func zone(_ name: String) throws -> Zone { try #require(Zone.named(name)) }

  @Test(arguments: [
    ("Europe/Berlin", false), ("America/Anchorage", false), ("Asia/Singapore", false), ("Africa/Johannesburg", true),
    ("America/Santiago", true), ("Australia/Hobart", true), ("Pacific/Auckland", true), ("UTC", false),
    // Aliases.
    ("NZ", true), ("Australia/ACT", true), ("Brazil/East", true), ("Asia/Calcutta", false), ("GB", false),
  ]) func southernZonesAreSouthOfTheEquator(name: String, isSouthern: Bool) throws {
    #expect(try zone(name).isSouthern == isSouthern)
  }

  @Test func januaryInTheSouthIsJulyInTheNorth() throws {
    let winter = try #require(Instant("2026-01-15T12:00:00Z"))
    let north = Zone.utc.seasonShare(at: winter, isSouthern: false)
    let south = Zone.utc.seasonShare(at: winter, isSouthern: true)
    #expect(abs(north - 14.5 / 366) < 1e-9)
    #expect(abs(south - north - 0.5) < 1e-9)
  }

  @Test func theShareStaysBelowOneUntilTheYearEnds() throws {
    let last = try #require(Instant("2028-12-31T23:59:59Z"))
    #expect((0.99..<1).contains(Zone.utc.seasonShare(at: last, isSouthern: false)))
    #expect((0..<0.5).contains(Zone.utc.seasonShare(at: last, isSouthern: true)))
  }
}
