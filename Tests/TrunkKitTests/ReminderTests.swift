import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

/// The fixture's day is Wednesday, 18 November 2026, in Berlin; 08:00Z is 9 o'clock.
@MainActor @Suite struct ReminderTests {
  @Test func remindsOnceADayAtTheChosenTime() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    #expect(try timer.fire("2026-11-18T08:00:20Z") == Reminder(.water(id)))
    for time in ["2026-11-18T08:00:40Z", "2026-11-18T13:00Z", "2026-11-18T18:00Z", "2026-11-18T21:00Z"] {
      #expect(try timer.fire(time) == nil)
    }
    #expect(try timer.fire("2026-11-19T07:59Z") == nil)
    #expect(try timer.fire("2026-11-19T08:00Z") == Reminder(.water(id)))
    timer.settings.time = .evening
    #expect(try timer.fire("2026-11-19T18:00Z") == nil, "the day has had its reminder")
    #expect(try timer.fire("2026-11-20T08:00Z") == nil)
    #expect(try timer.fire("2026-11-20T18:00Z") == Reminder(.water(id)))
  }

  @Test func anExactTimeTakesThePlaceOfTheTimeOfDay() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    timer.settings.minute = 7 * 60 + 30
    #expect(try timer.fire("2026-11-19T06:30Z") == Reminder(.water(id)))
    #expect(try timer.fire("2026-11-20T06:29Z") == nil)
    #expect(try timer.fire("2026-11-20T06:30Z") == Reminder(.water(id)))
    for time in ["2026-11-20T08:00Z", "2026-11-20T13:00Z", "2026-11-20T18:00Z"] { #expect(try timer.fire(time) == nil) }
  }

  @Test func neverRemindsWhileTheComputersSwitchIsOff() async throws {
    let (timer, _) = try await ReminderRuns.cello()
    (timer.settings.isOn, timer.settings.includesHarvest, timer.settings.includesSun) = (false, true, true)
    for day in 18...22 { #expect(try timer.fire("2026-11-\(day)T08:00Z") == nil) }
  }

  @Test func withoutAFrequencyOnlyHarvestAndSunAreMentioned() async throws {
    let (timer, _) = try await ReminderRuns.cello(.off)
    timer.fixture.time.now = try instant("2026-11-16T07:10Z")
    let run = try await timer.fixture.plant("Run", season: .twoWeeks)
    (timer.settings.includesHarvest, timer.settings.includesSun) = (true, true)
    #expect(try timer.fire("2026-11-27T08:00Z") == nil)
    #expect(try timer.fire("2026-11-28T08:00Z") == Reminder(.sun))
    #expect(try timer.fire("2026-11-29T08:00Z") == nil)
    #expect(try timer.fire("2026-11-30T08:00Z") == Reminder(.harvest(run)))
    #expect(try timer.fire("2026-12-01T08:00Z") == nil)
  }

  @Test func neverRemindsAfterAWatering() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    timer.fixture.time.now = try instant("2026-11-18T06:00Z")
    try await timer.fixture.model.water(id, text: "", question: nil)
    #expect(try timer.fire("2026-11-18T08:00Z") == nil)
    #expect(try timer.fire("2026-11-18T13:00Z") == nil)
    #expect(try timer.fire("2026-11-19T08:00Z") == Reminder(.water(id)))
  }

  @Test func neverRemindsDuringRest() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    timer.rest = RestDays("2026-11-18/2026-11-19")
    for time in ["2026-11-18T08:00Z", "2026-11-19T08:00Z", "2026-11-20T04:00Z"] { #expect(try timer.fire(time) == nil) }
    #expect(try timer.fire("2026-11-20T08:00Z") == Reminder(.water(id)))
  }

  @Test(arguments: [(ReminderSettings.Frequency.everyThreeDays, [0, 3, 6]), (.weekly, [0, 7, 14])])
  func waitsForTheChosenNumberOfDays(frequency: ReminderSettings.Frequency, expected: [Int]) async throws {
    let (timer, _) = try await ReminderRuns.cello(frequency)
    let first = try day("2026-11-18")
    let days = try (0...expected[2]).filter {
      try timer.fire("\(first.adding(days: Int32($0)))T08:00:00Z") != nil
    }
    #expect(days == expected)
  }

  @Test func remindsOnceIfTheTimePassedDuringSuspend() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    #expect(try timer.fire("2026-11-18T08:00Z") != nil)
    // Asleep from the evening of the 18th until the 21st at 11.
    #expect(try timer.fire("2026-11-21T10:00Z") == Reminder(.water(id)))
    #expect(try timer.fire("2026-11-21T10:00:01Z") == nil)
    #expect(try timer.fire("2026-11-21T13:00Z") == nil)
    #expect(try timer.fire("2026-11-22T08:00Z") != nil)
  }

  @Test func aClockThatWasAheadSuppressesNoReminder() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    (timer.record.checked, timer.record.sent) = (try instant("2036-01-01T00:00Z"), try instant("2036-01-01T00:00Z"))
    #expect(try timer.fire("2026-11-18T08:00Z") == Reminder(.water(id)))
    #expect(try timer.fire("2026-11-18T13:00Z") == nil)
  }

  @Test func mentionsAHarvestOnTheDayItBecomesReady() async throws {
    let (timer, cello) = try await ReminderRuns.cello(.weekly)
    timer.fixture.time.now = try instant("2026-11-16T07:10Z")
    let run = try await timer.fixture.plant("Run", season: .twoWeeks)
    timer.settings.includesHarvest = true
    #expect(try timer.fire("2026-11-28T08:00Z") == Reminder(.water(cello)))
    #expect(try timer.fire("2026-11-29T08:00Z") == nil)
    #expect(try timer.fire("2026-11-30T08:00Z") == Reminder(.harvest(run)), "before a week has passed")
    #expect(try timer.fire("2026-12-01T08:00Z") == nil, "only once")
    timer.settings.includesHarvest = false
    #expect(try timer.fire("2026-12-07T08:00Z") == Reminder(.water(cello)))
  }

  @Test func mentionsTheSunOnceAtTheWeekend() async throws {
    let (timer, cello) = try await ReminderRuns.cello(.daily)
    timer.settings.includesSun = true
    #expect(try timer.fire("2026-11-20T08:00Z") == Reminder(.water(cello)))
    #expect(try timer.fire("2026-11-21T08:00Z") == Reminder(.sun))
    #expect(try timer.fire("2026-11-22T08:00Z") == Reminder(.water(cello)))
    timer.fixture.time.now = try instant("2026-11-24T08:00Z")
    let twig = try #require(Node(path: "voice/practice"))
    try await timer.fixture.model.shine(twig, text: "Light.", question: nil)
    #expect(try timer.fire("2026-11-28T08:00Z") == Reminder(.water(cello)))
  }

  @Test func usesTheComputersClockForTheTimeOfDay() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    timer.fixture.time.zone = try zone("America/New_York")
    try await timer.fixture.model.refreshClock()
    #expect(try timer.fire("2026-11-18T08:00Z") != nil, "yesterday's 9 o'clock there was not considered")
    #expect(try timer.fire("2026-11-18T13:59Z") == nil, "it is not 9 o'clock there")
    #expect(try timer.fire("2026-11-18T14:00Z") == Reminder(.water(id)))
    #expect(try timer.fire("2026-11-18T15:00Z") == nil, "the day has had its reminder")
  }

  @Test func anEmptyGardenHasNothingToRemindOf() async throws {
    let timer = ReminderRuns(try await GardenFixture())
    timer.settings.includesHarvest = true
    #expect(try timer.fire("2026-11-18T08:00Z") == nil)
  }

  @Test func hiddenTextRevealsNoNames() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    let (garden, now) = (timer.fixture.model.garden, timer.fixture.time.now)
    for day: Int64 in 0..<7 {
      let now = now.adding(seconds: day * 86_400)
      #expect(Reminder(.water(id)).sentence(garden, at: now, hidesText: false).contains("“Cello”"))
    }
    for subject in [Reminder.Subject.water(id), .harvest(id), .sun] {
      #expect(Reminder(subject).sentence(garden, at: now, hidesText: true) == "A moment for your garden?")
    }
  }
}
