import GtkKit
import Localization
import TrunkKit

/// Whether the desktop's search shows what the user wrote.
final class SearchSection: PreferencesSection {
  let widget: Widget
  weak var window: DialogWindow?

  init(_ context: WindowContext) {
    let settings = context.settings
    let list = boxedList().accessibleName(tr("Desktop search"))
    widget = column(spacing: 8, sectionHeader(tr("Desktop search")), list)
    list.append(
      switchRow(
        tr("Show journal entries"),
        tr("Without this, the search of your desktop finds only sprouts, leaves and seedlings."),
        isOn: settings.showsEntriesInDesktopSearch
      ) { [weak self] isOn in
        context.attempt(in: self?.window?.toaster) { try settings.set(showsEntriesInDesktopSearch: isOn) }
      })
    widget.keeps(self)
  }
}
