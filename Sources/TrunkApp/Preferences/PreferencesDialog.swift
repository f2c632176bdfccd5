import Garden
import GardenStore
import Gardening
import GtkKit
import Localization

/// Name and time zone, appearance, backups, and what the garden's file holds. Every change holds at once.
final class PreferencesDialog {
  private let session: Session
  private let window: DialogWindow
  private let profile: ProfileSection
  private let backups: BackupSection
  private let data: DataSection
  private let server: ServerSection

  init(_ session: Session) {
    self.session = session
    profile = ProfileSection(session)
    backups = BackupSection(session)
    data = DataSection(session)
    server = ServerSection(session)
    let appearances = Settings.Appearance.allCases
    let content = column(spacing: 22)
    window = DialogWindow(
      over: session.window, title: tr("Preferences"), closeTitle: tr("Close"), width: 600, content: content)
    let appearance = Segments(
      name: tr("Appearance"), appearances.map(\.title),
      selected: appearances.firstIndex(of: session.settings.appearance) ?? 0)
    appearance.onSelect = { [weak self] in self?.set(appearances[$0]) }
    content.append(
      profile.widget,
      column(spacing: 8, sectionHeader(tr("Appearance")), appearance.widget), server.widget, backups.widget,
      data.widget)
    profile.window = window
    backups.window = window
    data.window = window
    server.window = window
    window.widget.keeps(self)
    session.follow(window.widget) { [weak self] in
      self?.backups.render()
      self?.server.render()
      self?.data.render()
    }
  }

  func present() { window.present() }

  private func set(_ appearance: Settings.Appearance) {
    StyleSheet.scheme = appearance.scheme
    let settings = session.settings
    session.attempt(in: window.toaster) { try settings.set(appearance: appearance) }
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
