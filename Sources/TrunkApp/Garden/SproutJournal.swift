import Garden
import Gardening
import GtkKit
import Localization

/// The journal of a sprout, newest first, a stretch at a time.
final class SproutJournal {
  let widget: Widget

  private let session: Session
  private let header = sectionHeader(tr("Journal"))
  private let cards = column(spacing: 10)
  private let more = column()
  private let silence = paragraph("", "hint")
  /// Newest first; `nil` before the first ones are known.
  private var entries: [JournalEntry]?
  /// How many of them have a card.
  private var shown = 0
  private var isLoading = false

  private static let stretch = 30

  init(_ session: Session) {
    self.session = session
    widget = column(spacing: 8, header, silence, cards, more)
    more.append(
      button(tr("Earlier entries")) { [weak self] in self?.showMore() }.align(GTK_ALIGN_CENTER).margin(top: 6))
    widget.keeps(self)
  }

  /// - Parameters:
  ///   - waterings: oldest first.
  ///   - isGrowing: whether more can be written.
  func show(_ waterings: [JournalEntry], isGrowing: Bool) {
    silence.setText(
      isGrowing
        ? tr("Nothing is written here yet. Water the sprout with a few words, and they are kept.")
        : tr("Nothing was written about it."))
    let entries = Array(waterings.reversed())
    guard entries != self.entries else { return }
    self.entries = entries
    header.setNote(entries.isEmpty ? "" : trn("{n} entry", "{n} entries", entries.count))
    silence.visible(entries.isEmpty)
    more.visible(false)
    load(0..<min(max(shown, SproutJournal.stretch), entries.count))
  }

  /// Adds the next stretch of earlier entries.
  func showMore() {
    guard !isLoading, let entries, shown < entries.count else { return }
    load(shown..<min(shown + SproutJournal.stretch, entries.count))
  }

  /// Shows entries after those that are there; from 0 on, in place of them.
  private func load(_ range: Range<Int>) {
    guard let entries else { return }
    isLoading = true
    session.attempt(keeping: widget, onError: { [weak self] in self?.isLoading = false }) { [weak self] in
      guard let self else { return }
      let pages = try await session.gardener.pages(Array(entries[range]))
      // Newer ones may have come meanwhile, and are being loaded.
      guard entries == self.entries else { return }
      if range.lowerBound == 0 { cards.removeAll() }
      let zone = session.gardener.garden.zone
      for page in pages {
        cards.append(Entry(page, caption: Formats.dateAndTime(page.entry.instant, in: zone)).widget.css("card"))
      }
      shown = range.upperBound
      more.visible(shown < entries.count)
      isLoading = false
    }
  }
}
