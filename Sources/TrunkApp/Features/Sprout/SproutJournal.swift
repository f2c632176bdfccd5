import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The journal of a sprout, newest first, loaded in batches.
final class SproutJournal {
  let widget: Widget

  private let context: WindowContext
  private let header = sectionHeader(tr("Journal"))
  private let cards = column(spacing: 10)
  private let more = column()
  private let silence = paragraph("", "hint")
  /// Newest first; `nil` until the first entries are loaded.
  private var entries: [TimelineItem]?
  /// How many of them have a card.
  private var shown = 0
  private var isLoading = false

  private static let stretch = 30

  init(_ context: WindowContext) {
    self.context = context
    widget = column(spacing: 8, header, silence, cards, more)
    more.append(
      button(tr("Earlier entries")) { [weak self] in self?.showMore() }.align(GTK_ALIGN_CENTER).margin(top: 6))
    widget.keeps(self)
  }

  /// - Parameters:
  ///    - waterings: oldest first.
  ///    - isGrowing: whether the sprout can still be watered.
  func show(_ waterings: [TimelineItem], isGrowing: Bool) {
    silence.setText(
      isGrowing
        ? tr("Nothing is written here yet. Water the sprout to write its first entry.")
        : tr("You wrote nothing about this sprout."))
    let entries = Array(waterings.reversed())
    guard entries != self.entries else { return }
    self.entries = entries
    header.setNote(entries.isEmpty ? "" : trn("{n} entry", "{n} entries", entries.count))
    silence.visible(entries.isEmpty)
    more.visible(false)
    load(0..<min(max(shown, SproutJournal.stretch), entries.count))
  }

  /// Loads the next batch of earlier entries.
  func showMore() {
    guard !isLoading, let entries, shown < entries.count else { return }
    load(shown..<min(shown + SproutJournal.stretch, entries.count))
  }

  /// Shows the entries in `range` below those that are shown; a range from 0 replaces them.
  private func load(_ range: Range<Int>) {
    guard let entries else { return }
    isLoading = true
    context.attempt(keeping: widget, onError: { [weak self] in self?.isLoading = false }) { [weak self] in
      guard let self else { return }
      let read = try await context.model.entries(Array(entries[range]))
      // Newer entries may have arrived in the meantime; another load shows them.
      guard entries == self.entries else { return }
      if range.lowerBound == 0 { cards.removeAll() }
      let zone = context.model.garden.zone
      for entry in read {
        cards.append(Entry(entry, caption: Formats.dateAndTime(entry.item.instant, in: zone)).widget.css("card"))
      }
      shown = range.upperBound
      more.visible(shown < entries.count)
      isLoading = false
    }
  }
}
