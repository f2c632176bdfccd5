import GtkKit
import Localization

/// Name and time zone, appearance, spelling and the desktop's search; reminders and rest; server, backups and data.
/// Every change takes effect immediately.
final class PreferencesDialog {
  enum Page: String {
    case general, reminders, data
  }

  private let window: PreferencesWindow
  private let page: Page
  private let rest: RestSection
  private let server: ServerSection
  private let backups: BackupSection
  private let data: DataSection

  /// - Parameter page: the page to show first.
  init(_ context: WindowContext, page: Page = .general) {
    self.page = page
    rest = RestSection(context)
    server = ServerSection(context)
    backups = BackupSection(context)
    data = DataSection(context)
    window = PreferencesWindow(
      over: context.window, title: tr("Preferences"), dismissTitle: tr("Dismiss"), width: 600, height: 700)
    add(
      .general, tr("General"), icon: "preferences-system-symbolic",
      [ProfileSection(context), AppearanceSection(context), WritingSection(context), SearchSection(context)])
    add(.reminders, tr("Reminders"), icon: "alarm-symbolic", [ReminderSection(context), rest])
    add(.data, tr("Data"), icon: "drive-harddisk-symbolic", [data, backups, server, StartOverSection(context)])
    window.widget.keeps(self)
    context.follow(window.widget) { [weak self] in
      self?.rest.render()
      self?.server.render()
      self?.backups.render()
      self?.data.render()
    }
  }

  private func add(_ page: Page, _ title: String, icon: String, _ sections: [any PreferencesSection]) {
    for section in sections { section.window = window }
    window.addPage(title, icon: icon, name: page.rawValue, sections.flatMap(\.groups))
  }

  func present() { window.present(page: page.rawValue) }
}
