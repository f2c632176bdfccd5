import GtkKit
import Localization
import TrunkKit

/// Whether the desktop's search shows what the user wrote.
final class SearchSection: PreferencesSection {
  private(set) var groups: [Widget] = []
  weak var window: (any DialogParent)?

  init(_ context: WindowContext) {
    let settings = context.settings
    let row = switchRow(
      tr("Show journal entries"),
      tr("Without this, the search of your desktop finds only sprouts, leaves and seedlings."),
      isOn: settings.showsEntriesInDesktopSearch
    ) { [weak self] isOn in
      context.attempt(in: self?.window?.foot) { try settings.set(showsEntriesInDesktopSearch: isOn) }
    }
    groups = [settingsGroup(tr("Desktop search"), row)]
    row.keeps(self)
  }
}
