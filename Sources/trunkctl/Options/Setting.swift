import ArgumentParser
import Localization
import TrunkAccount
import TrunkKit

/// A preference by its name on the command line. The names are documented in the manual page and never change.
enum Setting: String, CaseIterable, ExpressibleByArgument {
  case name, timeZone = "time-zone", appearance, seasons, spelling, desktopSearch = "desktop-search"
  case reminders, reminderFrequency = "reminder-frequency", reminderTime = "reminder-time"
  case reminderHarvest = "reminder-harvest", reminderSun = "reminder-sun", hideText = "hide-text"
  case backupFolder = "backup-folder", serverKind = "server-kind", server, serverKey = "server-key", send

  /// Its possible values; `nil` for a text.
  var values: [String]? {
    switch self {
    case .name, .timeZone, .spelling, .backupFolder, .server, .serverKey: nil
    case .appearance: Settings.Appearance.allCases.map(\.rawValue)
    case .reminderFrequency: ReminderSettings.Frequency.allCases.map(\.rawValue)
    case .reminderTime: ReminderSettings.Time.allCases.map(\.rawValue)
    case .serverKind: ServerSettings.Backend.allCases.map(\.rawValue)
    case .seasons, .desktopSearch, .reminders, .reminderHarvest, .reminderSun, .hideText, .send: ["on", "off"]
    }
  }

  /// What it decides, in a few words.
  var purpose: String {
    switch self {
    case .name: tr("your name in the greeting")
    case .timeZone: tr("the time zone of your account; empty for that of each device")
    case .appearance: tr("light or dark")
    case .seasons: tr("whether the tree has the colours of the season")
    case .spelling: tr("desktop, off, or a dictionary such as en_GB")
    case .desktopSearch: tr("whether the desktop’s search shows journal entries")
    case .reminders: tr("whether this computer reminds you")
    case .reminderFrequency: tr("how often to mention watering")
    case .reminderTime: tr("the time of day of a reminder")
    case .reminderHarvest: tr("whether to mention sprouts that are ready")
    case .reminderSun: tr("whether to mention the sun at the weekend")
    case .hideText: tr("whether notifications hide what you wrote")
    case .backupFolder: tr("a second folder for the daily backups; empty for none")
    case .serverKind: tr("the kind of the sync server")
    case .server: tr("the address of the sync server; empty for none")
    case .serverKey: tr("the publishable key of a Supabase project")
    case .send: tr("whether commands immediately send what they write")
    }
  }

  /// Whether an account has its own value.
  var isInAccount: Bool {
    switch self {
    case .name, .timeZone, .reminders, .reminderFrequency, .reminderTime, .reminderHarvest, .reminderSun, .hideText:
      true
    default: false
    }
  }
}
