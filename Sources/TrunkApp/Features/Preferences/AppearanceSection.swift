import GtkKit
import Localization
import TrunkKit

/// Light or dark, and the seasons on the tree.
final class AppearanceSection: PreferencesSection {
  let groups: [Widget]
  weak var window: (any DialogParent)?

  private let context: WindowContext
  private static let appearances = Settings.Appearance.allCases

  init(_ context: WindowContext) {
    self.context = context
    let appearance = Segments(
      name: tr("Appearance"), Self.appearances.map(\.title),
      selected: Self.appearances.firstIndex(of: context.settings.appearance) ?? 0)
    let seasons = SwitchRow(
      tr("Seasons on the tree"), tr("Its colours follow the time of year and of the day."),
      isOn: context.settings.hasSeasons)
    groups = [
      settingsGroup(
        tr("Appearance"), contentRow(appearance.widget.margin(12), title: tr("Appearance")), seasons.widget)
    ]
    appearance.onSelect = { [weak self] in self?.set(Self.appearances[$0]) }
    seasons.onSwitch = { [weak self] in self?.set(hasSeasons: $0) }
    appearance.widget.keeps(self)
  }

  private func set(_ appearance: Settings.Appearance) {
    StyleSheet.scheme = appearance.scheme
    let settings = context.settings
    context.attempt(in: window?.foot) { try settings.set(appearance: appearance) }
  }

  private func set(hasSeasons: Bool) {
    let settings = context.settings
    context.attempt(in: window?.foot) { try settings.set(hasSeasons: hasSeasons) }
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
