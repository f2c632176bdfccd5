import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

/// Decides repeatedly whether to remind, as the timer does.
@MainActor final class ReminderRuns {
  let fixture: GardenFixture
  var settings = ReminderSettings()
  var rest = RestDays()
  var record = ReminderRecord()

  init(_ fixture: GardenFixture, _ frequency: ReminderSettings.Frequency = .daily) {
    self.fixture = fixture
    (settings.isOn, settings.frequency) = (true, frequency)
    settings.time = .morning
    (settings.includesHarvest, settings.includesSun) = (false, false)
  }

  /// Starts with one sprout, on Monday, 16 November 2026, at 8 o'clock in Berlin.
  /// - Returns: also the sprout's id.
  static func cello(_ frequency: ReminderSettings.Frequency = .daily) async throws -> (ReminderRuns, String) {
    let fixture = try await GardenFixture(now: "2026-11-16T07:00:00Z")
    let id = try await fixture.plant("Cello", season: .threeMonths)
    let timer = ReminderRuns(fixture, frequency)
    timer.record.checked = fixture.time.now
    return (timer, id)
  }

  func fire(_ time: String) throws -> Reminder? {
    fixture.time.now = try instant(time)
    let now = fixture.time.now
    let reminder = fixture.model.garden.reminder(
      settings, resting: rest, record, at: now)
    record.note(reminder, at: now, in: fixture.model.garden)
    return reminder
  }

  func postpone(_ time: String) throws {
    record.postpone(at: try instant(time), in: fixture.time.zone)
  }
}
