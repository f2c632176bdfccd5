import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// What the garden's file contains, with import and export, and the journals of other programs.
final class DataSection: PreferencesSection {
  let groups: [Widget]
  weak var window: (any DialogParent)? {
    didSet { journals.window = window }
  }

  private let context: WindowContext
  private let entries = FactRow(tr("Entries"))
  private let since = FactRow(tr("Since"))
  private let ignored = FactRow(tr("Not understood by this version"))
  private let superseded = FactRow(tr("Superseded versions"))
  private let file = FactRow(tr("Folder"))
  private let save = column()
  private let buttons = wrapping()
  private let journals: EarlierJournals

  init(_ context: WindowContext) {
    self.context = context
    journals = EarlierJournals(context)
    groups = [
      settingsGroup(
        tr("Your data"),
        column(entries.widget, since.widget, ignored.widget, superseded.widget, file.widget).css("facts"),
        buttons.margin(top: 8)), journals.widget,
    ]
    buttons.append(
      button(tr("Import…")) { [weak self] in self.map { ImportChooser($0.context, over: $0.window).present() } },
      button(tr("Export…")) { [weak self] in self.map { ExportDialog.choose($0.context, over: $0.window) } },
      save.visible(false))
    save.append(
      button(tr("Save Superseded Versions…")) { [weak self] in
        self.map { ExportDialog.chooseSuperseded($0.context, over: $0.window) }
      }.tooltip(tr("Save old versions of entries: those that were replaced and those that the server no longer has.")))
    buttons.keeps(self)
  }

  func render() {
    journals.render()
    let garden = context.model.garden
    entries.show(localized(garden.entryCount))
    since.show(garden.beginning.map { Formats.date($0) })
    ignored.show(garden.ignoredCount == 0 ? nil : localized(garden.ignoredCount))
    file.show(Folders.displayed(context.model.folder))
    context.attempt(in: window?.foot) { [weak self, model = context.model] in
      let count = try await model.superseded().count
      guard let self else { return }
      superseded.show(count == 0 ? nil : localized(count))
      save.visible(count > 0)
    }
  }
}

extension Garden {
  /// The time of the first leaf, sprout, journal entry or seedling; `nil` if the garden is empty.
  fileprivate var beginning: EventTime? {
    [leaves.first?.createdAt, sprouts.first?.plantedAt, journal.first?.time, seedlings.first?.createdAt]
      .compactMap { $0 }.min()
  }
}
