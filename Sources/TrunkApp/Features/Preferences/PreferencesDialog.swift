import GtkKit
import Localization

/// Name and time zone, appearance, spelling, rest, reminders, search, server, backups and data. Every change takes
/// effect immediately.
final class PreferencesDialog {
  private let window: DialogWindow
  private let rest: RestSection
  private let server: ServerSection
  private let backups: BackupSection
  private let data: DataSection

  init(_ context: WindowContext) {
    rest = RestSection(context)
    server = ServerSection(context)
    backups = BackupSection(context)
    data = DataSection(context)
    let sections: [any PreferencesSection] = [
      ProfileSection(context), AppearanceSection(context), WritingSection(context), rest, ReminderSection(context),
      SearchSection(context), server, backups, data,
    ]
    let content = column(spacing: 22)
    window = DialogWindow(over: context.window, title: tr("Preferences"), width: 600, content: content)
    for section in sections {
      section.window = window
      content.append(section.widget)
    }
    window.widget.keeps(self)
    context.follow(window.widget) { [weak self] in
      self?.rest.render()
      self?.server.render()
      self?.backups.render()
      self?.data.render()
    }
  }

  func present() { window.present() }
}
