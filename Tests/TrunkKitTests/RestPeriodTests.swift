import Foundation
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@Suite struct RestPeriodTests {
  @Test func readsAndWritesIntervals() throws {
    let period = try #require(RestPeriod(" 2026-12-20 / 2027-01-03 "))
    #expect(period.description == "2026-12-20/2027-01-03")
    #expect(period.count == 15)
    #expect(try RestPeriod("2026-12-20")?.first == day("2026-12-20"))
    #expect(RestPeriod("2026-12-20")?.description == "2026-12-20/2026-12-20")
    for text in [
      "", "/", "2026-12", "2026-13-01", "2026-02-30", "2026-12-20/", "/2026-12-20", "2027-01-03/2026-12-20", "today",
      "2026-12-20/2026-12-21/2026-12-22", "20.12.2026", "-026-12-20", "2026-12-2０",
    ] { #expect(RestPeriod(text) == nil, "\(text)") }
  }

  @Test func joinsPeriodsThatOverlapOrTouch() throws {
    var days = RestDays("2026-03-10/2026-03-12; 2026-03-20/2026-03-22")
    days.add(try #require(RestPeriod("2026-03-13/2026-03-14")))
    #expect(days.text == "2026-03-10/2026-03-14;2026-03-20/2026-03-22")
    days.add(try #require(RestPeriod("2026-03-01/2026-03-04")))
    #expect(days.periods.count == 3)
    days.add(try #require(RestPeriod("2026-03-02/2026-03-30")))
    #expect(days.text == "2026-03-01/2026-03-30")
    #expect(try days.contains(day("2026-03-30")) && !days.contains(day("2026-03-31")))
    days.remove(try #require(days.periods.first))
    #expect(days.text == "")
  }

  @Test func endingRestKeepsItsEarlierDays() throws {
    var days = RestDays("2026-03-10/2026-03-20;2026-04-01/2026-04-02")
    days.end(on: try day("2026-03-14"))
    #expect(days.text == "2026-03-10/2026-03-13;2026-04-01/2026-04-02")
    days.end(on: try day("2026-03-14"))
    days.end(on: try day("2026-04-01"))
    #expect(days.text == "2026-03-10/2026-03-13")
  }
}

@MainActor @Suite struct RestDaysTests {
  private let temporary = TemporaryFolder("rest")
  private var folder: String { temporary.path }

  @Test func restDoesNotInterruptDaysInARow() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("a", season: .oneMonth)
    // 18, 19, 20 and 25 November.
    for days: Int64 in [0, 1, 1, 5] {
      fixture.time.advance(days: days)
      try await fixture.model.water(id, text: "", question: nil)
    }
    let (garden, now) = (fixture.model.garden, fixture.model.now)
    func current(_ rest: String, daysLater: Int64 = 0) -> Int {
      garden.streak(at: now.adding(seconds: daysLater * 86_400), resting: RestDays(rest)).current
    }
    #expect(current("") == 1)
    #expect(current("2026-11-21/2026-11-24") == 4)
    #expect(current("2026-11-22/2026-11-24") == 1)
    #expect(current("2026-11-21/2026-11-23") == 1)
    #expect(current("2026-11-21/2026-11-22;2026-11-23/2026-11-24") == 4)
    #expect(current("2026-11-01/2026-12-31") == 4, "a watered day of rest counts")
    // The day after the rest may still be watered, as any day after a watered one.
    let rest = "2026-11-21/2026-11-24;2026-11-26/2026-11-30"
    for daysLater: Int64 in 0...6 { #expect(current(rest, daysLater: daysLater) == 4) }
    #expect(current(rest, daysLater: 7) == 0)
    #expect(garden.streak(at: now, resting: RestDays("2026-11-21/2026-11-24")).longest == 4)
    // What other clients see is the same with and without rest.
    #expect(garden.streak(at: now).current == 1 && garden.streak(at: now).longest == 3)
  }

  @Test func restDaysAreStored() throws {
    let settings = Settings(folder: folder)
    #expect(settings.restDays == RestDays())
    let period = try #require(RestPeriod("2026-12-20/2027-01-03"))
    try settings.changeRestDays { $0.add(period) }
    #expect(settings.restDays.text == "2026-12-20/2027-01-03")
    #expect(Settings(folder: folder).restDays == settings.restDays)
    #expect(try String(contentsOfFile: settings.path, encoding: .utf8).contains("periods=2026-12-20/2027-01-03\n"))
  }

  @Test func keepsEntriesItCannotRead() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/trunk.conf"
    try "# mine\n[rest]\nperiods=Christmas; 2026-02-30/2026-03-01;2026-05-01;a\\x\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    let settings = Settings(folder: folder)
    #expect(settings.restDays.periods.map(\.description) == ["2026-05-01/2026-05-01"])
    #expect(
      settings.restProblem
        == "“Christmas”, “2026-02-30/2026-03-01”, “a\\x” in “\(path)” are not times of rest. Write each like "
        + "2026-12-20/2027-01-03.")
    // Another program has added a time of rest.
    let (june, july) = (RestPeriod("2026-06-01/2026-06-02"), RestPeriod("2026-07-01/2026-07-02"))
    try Settings(folder: folder).changeRestDays { days in june.map { days.add($0) } }
    try settings.changeRestDays { days in july.map { days.add($0) } }
    let kept = try String(contentsOfFile: path, encoding: .utf8)
    #expect(kept.hasPrefix("# mine\n"))
    #expect(
      kept.contains(
        "\nperiods=2026-05-01/2026-05-01;2026-06-01/2026-06-02;2026-07-01/2026-07-02;Christmas;2026-02-30/2026-03-01;a\\x\n"
      ), "\(kept)")
  }
}
