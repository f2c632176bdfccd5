import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

/// *Later*. The day is Wednesday, 18 November 2026, in Berlin; 08:00Z is 9 o'clock.
@MainActor @Suite struct PostponedReminderTests {
  @Test func laterReturnsOnceTheSameDay() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    #expect(try timer.fire("2026-11-18T08:00Z")?.canWait == true)
    try timer.postpone("2026-11-18T08:10Z")
    #expect(try timer.fire("2026-11-18T10:00Z") == nil)
    #expect(try timer.fire("2026-11-18T13:00Z") == Reminder(.water(id), canWait: false))
    #expect(try timer.fire("2026-11-18T18:00Z") == nil)
    #expect(try timer.fire("2026-11-19T08:00Z") == Reminder(.water(id)))
  }

  /// The hours in `data/trunk-reminder.timer`, as text.
  private func timerHours() throws -> [String] {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let unit = try String(contentsOfFile: root + "/data/trunk-reminder.timer", encoding: .utf8)
    let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("OnCalendar=*-*-* ") })
    return try #require(line.split(separator: " ").last).dropLast(":00".count).split(separator: ",").map(String.init)
  }

  @Test func theTimerStartsAtTheKnownHours() throws {
    #expect(try timerHours().compactMap { Int($0) } == Reminder.hours)
  }

  /// Lets the timer run on a day and the next, with one answer on the first of them.
  /// - Returns: the times at which a reminder came, as day of the month and hour on the clock.
  private func reminders(_ timer: ReminderRuns, answer: String, first: String = "2026-11-18") throws -> [String] {
    let first = try day(first)
    var moments = try (0...2).flatMap { (days: Int32) in
      try timerHours().map { "\(first.adding(days: days))T\($0):00:20+01:00" }
    }
    moments = (moments + [answer]).sorted()
    return try moments.filter { moment in
      guard moment != answer else {
        try timer.postpone(answer)
        return false
      }
      return try timer.fire(moment) != nil
    }.map { String($0.dropFirst("2026-11-".count).prefix("18T09".count)) }
  }

  @Test(arguments: [
    (ReminderSettings.Time.morning, "18T09:00:40", ["18T09", "18T14", "19T09", "20T09"]),
    (.morning, "18T10:30:00", ["18T09", "18T14", "19T09", "20T09"]),
    (.morning, "18T13:30:00", ["18T09", "18T19", "19T09", "20T09"]),
    (.afternoon, "18T14:00:40", ["18T14", "18T19", "19T14", "20T14"]),
    (.afternoon, "18T18:30:00", ["18T14", "18T22", "19T14", "20T14"]),
    (.evening, "18T19:00:40", ["18T19", "18T22", "19T19", "20T19"]),
    (.evening, "18T20:59:00", ["18T19", "18T22", "19T19", "20T19"]),
    (.evening, "18T21:50:00", ["18T19", "19T19", "20T19"]),
    (.evening, "18T23:00:00", ["18T19", "19T19", "20T19"]),
    (.evening, "19T00:30:00", ["18T19", "19T19", "20T19"]),
    (.morning, "18T23:00:00", ["18T09", "19T09", "20T09"]),
  ]) func laterReturnsOnceAtTheTimersHours(
    time: ReminderSettings.Time, answer: String, expected: [String]
  ) async throws {
    let (timer, _) = try await ReminderRuns.cello()
    timer.settings.time = time
    timer.record.checked = try instant("2026-11-17T22:00+01:00")
    #expect(try reminders(timer, answer: "2026-11-\(answer)+01:00") == expected)
  }

  @Test func lateAnswersBringAWeeklyReminderBackTheNextDay() async throws {
    let (timer, _) = try await ReminderRuns.cello(.weekly)
    timer.settings.time = .evening
    timer.record.checked = try instant("2026-11-17T22:00+01:00")
    #expect(try reminders(timer, answer: "2026-11-18T21:50:00+01:00") == ["18T19", "19T19"])
    #expect(timer.record.later == nil)
  }

  @Test func laterWaitsForTheNextChosenTimeIfTheComputerIsOff() async throws {
    let (timer, id) = try await ReminderRuns.cello(.weekly)
    timer.settings.time = .evening
    #expect(try timer.fire("2026-11-18T18:00:20Z") == Reminder(.water(id)))
    try timer.postpone("2026-11-18T18:10Z")
    // Off until the next morning.
    #expect(try timer.fire("2026-11-19T08:00:20Z") == nil)
    #expect(try timer.fire("2026-11-19T13:00:20Z") == nil)
    #expect(try timer.fire("2026-11-19T18:00:20Z") == Reminder(.water(id)))
    #expect(try timer.fire("2026-11-20T18:00:20Z") == nil)
  }

  @Test func aWateringBeforeTheNightSettlesWhatWasPostponed() async throws {
    let (timer, id) = try await ReminderRuns.cello(.weekly)
    timer.settings.time = .evening
    #expect(try timer.fire("2026-11-18T18:00:20Z") == Reminder(.water(id)))
    try timer.postpone("2026-11-18T18:10Z")
    timer.fixture.time.now = try instant("2026-11-18T19:00Z")
    try await timer.fixture.model.water(id, text: "", question: nil)
    #expect(try timer.fire("2026-11-19T08:00:20Z") == nil)
    #expect(timer.record.later == nil)
    #expect(try timer.fire("2026-11-19T18:00:20Z") == nil)
  }

  @Test func laterIsForgottenAfterAWatering() async throws {
    let (timer, id) = try await ReminderRuns.cello()
    _ = try timer.fire("2026-11-18T08:00Z")
    try timer.postpone("2026-11-18T08:10Z")
    timer.fixture.time.now = try instant("2026-11-18T09:00Z")
    try await timer.fixture.model.water(id, text: "", question: nil)
    #expect(try timer.fire("2026-11-18T13:00Z") == nil)
    #expect(timer.record.later == nil)
    #expect(try timer.fire("2026-11-19T08:00Z") != nil)
  }
}
