import Garden
import Gardening
import GtkKit
import Localization

/// What the garden's file holds, and how it gets in and out.
final class DataSection {
  let widget: Widget
  /// The window that it is in.
  weak var window: DialogWindow?

  private let session: Session
  private let entries = Fact(tr("Entries"))
  private let since = Fact(tr("Since"))
  private let ignored = Fact(tr("Not understood by this version"))
  private let superseded = Fact(tr("Superseded versions"))
  private let file = Fact(tr("Folder"))
  private let save = column()

  init(_ session: Session) {
    self.session = session
    let ways = wrapping()
    widget = column(
      spacing: 8, sectionHeader(tr("Your data")),
      column(entries.widget, since.widget, ignored.widget, superseded.widget, file.widget).css("facts"),
      ways.margin(top: 6))
    ways.append(
      button(tr("Import…")) { [weak self] in self.map { ImportDialog.choose($0.session, over: $0.window) } },
      button(tr("Export…")) { [weak self] in self.map { ExportDialog.choose($0.session, over: $0.window) } },
      save.visible(false))
    save.append(
      button(tr("Save Superseded Versions…")) { [weak self] in
        self.map { ExportDialog.chooseSuperseded($0.session, over: $0.window) }
      }.tooltip(tr("Texts that are not in the garden because another version of the same entry is.")))
    widget.keeps(self)
  }

  func render() {
    let garden = session.gardener.garden
    since.show(garden.beginning.map { Formats.date($0, in: garden.zone) })
    ignored.show(garden.ignoredCount == 0 ? nil : "\(garden.ignoredCount)")
    file.show(session.gardener.store.folder)
    session.attempt(in: window?.toaster, keeping: widget) { [weak self] in
      guard let self else { return }
      entries.show("\(try await session.gardener.store.count())")
      let count = try await session.gardener.store.superseded().count
      superseded.show(count == 0 ? nil : "\(count)")
      save.visible(count > 0)
    }
  }
}

extension Garden {
  /// When its first thing was made; `nil` while it is empty.
  fileprivate var beginning: Instant? {
    [leaves.first?.createdAt, sprouts.first?.plantedAt, journal.first?.instant, seedlings.first?.createdAt]
      .compactMap { $0 }.min()
  }
}
