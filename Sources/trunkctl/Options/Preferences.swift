import ArgumentParser
import Glibc
import Localization
import SpellKit
import TrunkAccount
import TrunkKit
import TrunkModel

/// The preferences of this computer and of the account that is signed in.
@MainActor
struct Preferences {
  let settings: Settings
  /// `nil` without an account.
  let profile: AccountProfile?

  private var reminders: ReminderSettings { profile?.reminders ?? settings.reminders }

  /// The value of a setting as `set` reads it.
  func value(of setting: Setting) -> String {
    func text(_ isOn: Bool) -> String { isOn ? "on" : "off" }
    return switch setting {
    case .name: profile?.name ?? settings.name
    case .timeZone: profile?.timeZone ?? ""
    case .appearance: settings.appearance.rawValue
    case .seasons: text(settings.hasSeasons)
    case .spelling:
      switch settings.spelling {
      case .desktop: "desktop"
      case .off: "off"
      case .language(let tag): tag
      }
    case .desktopSearch: text(settings.showsEntriesInDesktopSearch)
    case .reminders: text(reminders.isOn)
    case .reminderFrequency: reminders.frequency.rawValue
    case .reminderTime: reminders.time.rawValue
    case .reminderHarvest: text(reminders.includesHarvest)
    case .reminderSun: text(reminders.includesSun)
    case .hideText: text(reminders.hidesText)
    case .backupFolder: settings.backupFolder ?? ""
    case .serverKind: (settings.backend.flatMap(ServerSettings.Backend.init) ?? .supabase).rawValue
    case .server: settings.serverURL ?? ""
    case .serverKey: settings.serverKey ?? ""
    case .send: text(settings.sendsFromTerminal)
    }
  }

  /// - Throws: a `Failure` if the setting can't have this value; then nothing has changed.
  func set(_ setting: Setting, _ text: String) async throws {
    let text = String(text.trimmed)
    if let values = setting.values, !values.contains(text) { throw Preferences.invalid(text, setting) }
    let isOn = text == "on"
    switch setting {
    case .name: if let profile { try await profile.set(name: text) } else { try settings.set(name: text) }
    case .timeZone: try await set(timeZone: text)
    case .appearance: try settings.set(appearance: Settings.Appearance(rawValue: text) ?? .system)
    case .seasons: try settings.set(hasSeasons: isOn)
    case .spelling: try set(spelling: text)
    case .desktopSearch: try settings.set(showsEntriesInDesktopSearch: isOn)
    case .reminders:
      // As in the window: no reminder follows for a time of day that has already passed.
      if isOn { try ReminderFile().change { $0.checked = WallClock.system.now() } }
      try await change { $0.isOn = isOn }
    case .reminderFrequency: try await change { $0.frequency = .init(rawValue: text) ?? $0.frequency }
    case .reminderTime:
      try await change { ($0.time, $0.minute) = (.init(rawValue: text) ?? $0.time, nil) }
    case .reminderHarvest: try await change { $0.includesHarvest = isOn }
    case .reminderSun: try await change { $0.includesSun = isOn }
    case .hideText: try await change { $0.hidesText = isOn }
    case .backupFolder:
      let folder = text.isEmpty ? nil : try Preferences.folder(text)
      if let folder { try await GardenModel.checkBackupFolder(folder) }
      try settings.set(backupFolder: folder)
    case .serverKind, .server, .serverKey: try setServer(setting, text)
    case .send: try settings.set(sendsFromTerminal: isOn)
    }
  }

  /// Why a setting has no effect yet, and what to do; usually `nil`.
  func hint(after setting: Setting) -> String? {
    switch setting {
    case .reminders where reminders.isOn && !Preferences.hasReminderTimer:
      tr("To start the timer of reminders, run “systemctl --user enable --now trunk-reminder.timer”.")
    case .server, .serverKind, .serverKey:
      if ServerSettings.isSetByEnvironment {
        tr("Environment variables set the server and override these settings.")
      } else if profile != nil {
        tr("You are signed in. To use another server, sign out first.")
      } else {
        nil
      }
    default: nil
    }
  }
}

extension Preferences {
  private static func invalid(_ text: String, _ setting: Setting) -> Failure {
    let values = setting.values?.joined(separator: ", ") ?? setting.purpose
    return Failure(
      .usage,
      tr(
        "“{value}” is not a value of “{setting}”: {values}.",
        ["value": Output.safe(text), "setting": setting.rawValue, "values": values]))
  }

  private func change(_ change: (inout ReminderSettings) -> Void) async throws {
    if let profile { return try await profile.changeReminders(change) }
    var reminders = settings.reminders
    change(&reminders)
    try settings.set(reminders: reminders)
  }

  private func set(timeZone text: String) async throws {
    guard let profile else {
      throw Failure(.notAllowed, tr("Without an account, the time zone is that of this computer."))
    }
    guard text.isEmpty || Zone.named(text) != nil else {
      throw Failure(
        .usage, tr("“{zone}” is not a time zone. Write it like “Europe/Berlin”.", ["zone": Output.safe(text)]))
    }
    try await profile.set(timeZone: text.isEmpty ? nil : text)
  }

  private func set(spelling text: String) throws {
    // As in the names of dictionaries: `de`, `de_AT`, `sr_Latn`.
    let letters = text.unicodeScalars.allSatisfy { $0 == "_" || ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
    guard !text.isEmpty, letters else { throw Preferences.invalid(text, .spelling) }
    if text != "desktop", text != "off", !SpellChecker.hasDictionary(text) {
      throw Failure(
        .notFound,
        tr(
          "This computer has no dictionary “{language}”. Install it, for example the package hunspell-{package}.",
          ["language": text, "package": String(text.lowercased().map { $0 == "_" ? "-" : $0 })]))
    }
    try settings.set(spelling: text == "desktop" ? .desktop : text == "off" ? .off : .language(text))
  }

  /// Changes one of the three values of the server. The address comes last, because it is checked with the others.
  private func setServer(_ setting: Setting, _ text: String) throws {
    let kind = setting == .serverKind ? text : value(of: .serverKind)
    let key = setting == .serverKey ? text : value(of: .serverKey)
    let url = setting == .server ? text : value(of: .server)
    if url.isEmpty {
      if setting == .server { return try settings.set(server: nil) }
      return try settings.set("sync", ["backend": kind, "key": key])
    }
    let backend = ServerSettings.Backend(rawValue: kind) ?? .supabase
    try settings.set(server: ServerSettings(backend: backend, url: url, key: key))
  }

  /// An existing folder as an absolute path.
  private static func folder(_ typed: String) throws -> String {
    guard let resolved = realpath(typed, nil) else {
      throw Failure(
        .file, tr("“{path}”: {reason}", ["path": Output.safe(typed), "reason": String(cString: strerror(errno))]))
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(.file, tr("“{path}” is not a folder.", ["path": Output.safe(typed)]))
    }
    return path
  }

  private static var hasReminderTimer: Bool {
    return access(Folders.configuration + "/../systemd/user/timers.target.wants/trunk-reminder.timer", F_OK) == 0
  }
}

extension CommonOptions {
  /// The preferences, with those of the account if one is signed in.
  @MainActor
  func preferences() async throws -> (preferences: Preferences, model: GardenModel?) {
    let settings = Settings()
    if let problem = settings.problem { throw problem }
    guard let current = try AccountFile().load(), try folder == current.folder else {
      return (Preferences(settings: settings, profile: nil), nil)
    }
    let model = try await open()
    let account = AccountModel(model, current: current, settings: settings, needsVault: true)
    return (Preferences(settings: settings, profile: account.profile), model)
  }
}
