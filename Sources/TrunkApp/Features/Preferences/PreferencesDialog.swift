import EventStore
import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// Name and time zone, appearance, spelling, server, backups and data. Every change takes effect immediately.
final class PreferencesDialog {
  private let context: WindowContext
  private let window: DialogWindow
  private let profile: ProfileSection
  private let writing: WritingSection
  private let search: SearchSection
  private let rest: RestSection
  private let reminders: ReminderSection
  private let backups: BackupSection
  private let data: DataSection
  private let server: ServerSection

  init(_ context: WindowContext) {
    self.context = context
    profile = ProfileSection(context)
    writing = WritingSection(context)
    search = SearchSection(context)
    rest = RestSection(context)
    reminders = ReminderSection(context)
    backups = BackupSection(context)
    data = DataSection(context)
    server = ServerSection(context)
    let appearances = Settings.Appearance.allCases
    let content = column(spacing: 22)
    window = DialogWindow(
      over: context.window, title: tr("Preferences"), width: 600, content: content)
    let appearance = Segments(
      name: tr("Appearance"), appearances.map(\.title),
      selected: appearances.firstIndex(of: context.settings.appearance) ?? 0)
    appearance.onSelect = { [weak self] in self?.set(appearances[$0]) }
    let seasons = boxedList(
      switchRow(
        tr("Seasons on the tree"), tr("Its colours follow the time of year and of the day."),
        isOn: context.settings.hasSeasons
      ) { [weak self] in self?.set(hasSeasons: $0) })
    content.append(
      profile.widget,
      column(spacing: 8, sectionHeader(tr("Appearance")), appearance.widget, seasons), writing.widget,
      rest.widget, reminders.widget, search.widget, server.widget, backups.widget, data.widget)
    profile.window = window
    writing.window = window
    search.window = window
    rest.window = window
    reminders.window = window
    backups.window = window
    data.window = window
    server.window = window
    window.widget.keeps(self)
    context.follow(window.widget) { [weak self] in
      self?.rest.render()
      self?.backups.render()
      self?.server.render()
      self?.data.render()
    }
  }

  func present() { window.present() }

  private func set(_ appearance: Settings.Appearance) {
    StyleSheet.scheme = appearance.scheme
    let settings = context.settings
    context.attempt(in: window.toaster) { try settings.set(appearance: appearance) }
  }

  private func set(hasSeasons: Bool) {
    let settings = context.settings
    context.attempt(in: window.toaster) { try settings.set(hasSeasons: hasSeasons) }
  }
}

extension Settings.Appearance {
  fileprivate var title: String {
    switch self {
    case .system: trc("appearance", "Automatic")
    case .light: trc("appearance", "Light")
    case .dark: trc("appearance", "Dark")
    }
  }
}
