import Foundation
import TestSupport
import Testing
import TrunkModel

@testable import TrunkKit

@Suite struct ReminderFileTests {
  private let folder = NSTemporaryDirectory() + "reminders-" + UUID().uuidString

  @Test func remembersEverything() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = ReminderFile(folder: folder)
    #expect(file.load() == ReminderRecord())
    for subject in [Reminder.Subject.water("a b"), .harvest("c"), .sun] {
      let now = try instant("2026-11-18T08:00:00.123Z")
      let changed = try file.change { record in
        record.note(Reminder(subject), at: now, in: Garden(zone: .utc))
        record.postpone(at: now, clockZone: .utc)
        return record
      }
      #expect(ReminderFile(folder: folder).load() == changed)
      #expect(changed.subject == subject && changed.later?.description == "2026-11-18T14:00:00.000Z")
    }
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/reminders.conf")[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func onlyOneOfManyProgramsSends() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
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
  @Test func areStoredInTheSettings() throws {
    let folder = NSTemporaryDirectory() + "settings-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(Settings(folder: folder).reminders == ReminderSettings())
    var reminders = ReminderSettings()
    (reminders.frequency, reminders.time) = (.everyThreeDays, .afternoon)
    (reminders.includesHarvest, reminders.includesSun, reminders.hidesText) = (false, false, true)
    try Settings(folder: folder).set(reminders: reminders)
    #expect(Settings(folder: folder).reminders == reminders)
  }
}
