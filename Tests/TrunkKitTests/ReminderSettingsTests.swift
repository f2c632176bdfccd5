import Foundation
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@Suite struct ReminderFileTests {
  private let temporary = TemporaryFolder("reminders")
  private var folder: String { temporary.path }

  @Test func remembersEverything() throws {
    let file = ReminderFile(folder: folder)
    #expect(file.load() == ReminderRecord())
    for subject in [Reminder.Subject.water("a b"), .harvest("c"), .sun] {
      let now = try instant("2026-11-18T08:00:00.123Z")
      let changed = try file.change { record in
        record.note(Reminder(subject), at: now, in: Garden(zone: .utc))
        record.postpone(at: now, in: .utc)
        return record
      }
      #expect(ReminderFile(folder: folder).load() == changed)
      #expect(changed.subject == subject && changed.later?.description == "2026-11-18T14:00:00.000Z")
    }
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/reminders.conf")[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @MainActor @Test func anExactTimeIsReadWrittenAndGivenToTheTimer() throws {
    for (text, minute) in [("07:30", 450), ("7:30", 450), (" 23:59 ", 1439), ("0:00", 0)] {
      #expect(ReminderSettings.minute(text) == minute)
    }
    for text in ["", "7", "7:3", "24:00", "7:60", "7:30:00", "-1:30", "a:bc", ":30"] {
      #expect(ReminderSettings.minute(text) == nil, "\(text)")
    }
    let settings = Settings(folder: folder)
    var reminders = ReminderSettings()
    for minute in [450, nil] {
      reminders.minute = minute
      try settings.set(reminders: reminders)
      #expect(Settings(folder: folder).reminders.minute == minute)
    }
    let (times, path) = (ReminderTimes(folder: folder), folder + "/trunk-reminder.timer.d/time.conf")
    #expect(try !times.set(nil) && !FileManager.default.fileExists(atPath: path))
    for minute in [450, 5] {
      #expect(try times.set(minute))
      #expect(try !times.set(minute))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "[Timer]\nOnCalendar=*-*-* 00:05\n")
    #expect(try times.set(nil) && !FileManager.default.fileExists(atPath: path))
  }

  @Test func onlyOneOfManyProgramsSends() async throws {
    let (folder, now) = (folder, try instant("2026-11-18T08:00Z"))
    let sent = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          try ReminderFile(folder: folder).change { record in
            defer { record.note(Reminder(.sun), at: now, in: Garden(zone: .utc)) }
            return record.sent == nil
          }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(sent == 1)
  }

  @Test func aFolderThatCannotBeWrittenIsNamed() throws {
    #expect(throws: Settings.Unreadable.self) { try ReminderFile(folder: "/proc/nothing").change { $0.later = nil } }
  }
}

@MainActor @Suite struct ReminderSettingsTests {
  private let temporary = TemporaryFolder("settings")
  private var folder: String { temporary.path }

  @Test func areStoredInTheSettings() throws {
    #expect(Settings(folder: folder).reminders == ReminderSettings())
    var reminders = ReminderSettings()
    (reminders.isOn, reminders.frequency, reminders.time) = (true, .everyThreeDays, .afternoon)
    (reminders.includesHarvest, reminders.includesSun, reminders.hidesText) = (false, false, true)
    try Settings(folder: folder).set(reminders: reminders)
    #expect(Settings(folder: folder).reminders == reminders)
    (reminders.isOn, reminders.frequency) = (false, .off)
    try Settings(folder: folder).set(reminders: reminders)
    #expect(Settings(folder: folder).reminders == reminders)
  }

  @Test(arguments: [("daily", true, ReminderSettings.Frequency.daily), ("off", false, .weekly)])
  func theFrequencyOfEarlierVersionsWasTheSwitch(
    text: String, isOn: Bool, frequency: ReminderSettings.Frequency
  ) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "[reminders]\nfrequency=\(text)\n".write(toFile: folder + "/trunk.conf", atomically: true, encoding: .utf8)
    let reminders = Settings(folder: folder).reminders
    #expect(reminders.isOn == isOn && reminders.frequency == frequency)
  }

  @Test func theAccountsChoicesReplaceThoseOfThisComputer() throws {
    var own = ReminderSettings()
    (own.isOn, own.frequency, own.time, own.hidesText) = (true, .daily, .evening, true)
    let settings = Settings(folder: folder)
    try settings.set(reminders: own)
    func adopted(_ notifications: String) throws -> ReminderSettings {
      var profile = Profile()
      profile.confirm([.notifications: try JSON(notifications)])
      return settings.reminders(in: profile)
    }
    var expected = own
    (expected.frequency, expected.time, expected.includesHarvest, expected.includesSun) = (
      .everyThreeDays, .afternoon, false, false
    )
    #expect(
      try adopted(
        #"{"channel":"sms","check_in_frequency":"every3days","preferred_time":"afternoon","#
          + #""notify_harvest_ready":false,"notify_shine_available":false}"#) == expected)
    for malformed in [
      "{}", "[]", "null", "7", #""daily""#,
      #"{"check_in_frequency":"hourly","preferred_time":5,"notify_harvest_ready":"no","notify_shine_available":null}"#,
    ] { #expect(try adopted(malformed) == own) }
    #expect(settings.reminders == own)
  }
}
