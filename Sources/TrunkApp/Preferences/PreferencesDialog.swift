import Garden
import GardenStore
import Gardening
import GtkKit
import Localization

/// Name, appearance, backups, and what the garden's file holds. Every change holds at once.
final class PreferencesDialog {
  private let session: Session
  private let window: DialogWindow
  private let name: Widget
  private let backups: BackupSection
  private let data: DataSection
  private let server: ServerSection
  private var saving: Timeout?
  /// Known here too, because the field may be gone before it is saved.
  private var typedName: String

  /// Typing is over when it rests for this many milliseconds.
  private static let pause = 600

  init(_ session: Session) {
    self.session = session
    typedName = session.settings.name
    name = entryRow(tr("Name in the greeting"), text: typedName)
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
      column(spacing: 8, sectionHeader(tr("You")), boxedList(name)),
      column(spacing: 8, sectionHeader(tr("Appearance")), appearance.widget), server.widget, backups.widget,
      data.widget)
    backups.window = window
    data.window = window
    server.window = window
    name.on("changed") { [weak self] in self?.nameChanged() }
    window.widget.on("destroy") { [weak self] in self?.saveName() }
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

  private func nameChanged() {
    typedName = name.text.trimmed.description
    saving = Timeout.after(milliseconds: PreferencesDialog.pause) { [weak self] in self?.saveName() }
  }

  private func saveName() {
    saving = nil
    let (settings, name) = (session.settings, typedName)
    guard name != settings.name else { return }
    session.attempt(in: window.toaster) { try settings.set(name: name) }
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
