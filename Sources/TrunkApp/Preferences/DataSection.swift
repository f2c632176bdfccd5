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
  private let file = Fact(tr("Folder"))

  init(_ session: Session) {
    self.session = session
    let ways = wrapping()
    widget = column(
      spacing: 8, sectionHeader(tr("Your data")),
      column(entries.widget, since.widget, ignored.widget, file.widget).css("facts"), ways.margin(top: 6))
    ways.append(
      button(tr("Import…")) { [weak self] in self.map { ImportDialog.choose($0.session, over: $0.window) } },
      button(tr("Export…")) { [weak self] in self.map { ExportDialog.choose($0.session, over: $0.window) } })
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
