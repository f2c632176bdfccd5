import GtkKit
import Localization
import TrunkKit

/// Journal entries as cards under a heading, loaded in batches.
final class EntryCards {
  let widget: Widget

  private let context: WindowContext
  private let header: Widget
  private let cards = column(spacing: 10)
  private let more = column()
  private let emptyHint = paragraph("", "hint")
  private let isOldestFirst: Bool
  /// In the order of the cards; `nil` until the first entries are loaded.
  private var entries: [TimelineItem]?
  /// The hidden ones, as they are shown.
  private var hidden: Set<Int64> = []
  /// How many of them have a card.
  private var shown = 0
  private var isLoading = false
  /// The position of the entry whose card is marked, from the oldest on; `nil` for none.
  private var marked: Int?

  /// Called with the card that is marked.
  var onMark: ((Widget) -> Void)?

  private static let batch = 30

  /// - Parameter isOldestFirst: whether the first entry comes first, to read them as a story; otherwise the newest.
  init(_ context: WindowContext, title: String, isOldestFirst: Bool = false) {
    (self.context, self.isOldestFirst) = (context, isOldestFirst)
    header = sectionHeader(title)
    widget = column(spacing: 8, header, emptyHint, cards, more)
    more.append(
      button(isOldestFirst ? tr("Later entries") : tr("Earlier entries")) { [weak self] in self?.showMore() }.halign(
        .center
      ).margin(top: 6))
    widget.keeps(self)
  }

  /// - Parameters:
  ///    - items: oldest first.
  ///    - placeholder: shown if there are none.
  func show(_ items: [TimelineItem], placeholder: String) {
    emptyHint.setText(placeholder)
    let entries = isOldestFirst ? items : items.reversed()
    let hidden = context.model.hidden
    guard entries != self.entries || hidden != self.hidden else { return }
    (self.entries, self.hidden) = (entries, hidden)
    header.setNote(entries.isEmpty ? "" : trn("{n} entry", "{n} entries", entries.count))
    emptyHint.visible(entries.isEmpty)
    more.visible(false)
    load(0..<min(max(shown, EntryCards.batch), entries.count))
  }

  /// Marks the card of an entry, once it is loaded.
  /// - Parameter position: from the oldest on; `nil` for none.
  func mark(_ position: Int?) {
    marked = position
    let card = position.flatMap { position in
      entries.map { isOldestFirst ? position : $0.count - 1 - position }
    }
    for (number, widget) in cards.children.enumerated() { widget.css("marked", when: number == card) }
    guard let card else { return }
    if card < shown { onMark?(cards.children[card]) } else { showMore() }
  }

  /// Loads the next batch of entries.
  func showMore() {
    guard !isLoading, let entries, shown < entries.count else { return }
    load(shown..<min(shown + EntryCards.batch, entries.count))
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
      for entry in read { cards.append(card(entry)) }
      shown = range.upperBound
      more.visible(shown < entries.count)
      isLoading = false
      if let marked { mark(marked) }
    }
  }

  private func card(_ entry: TimelineEntry) -> Widget {
    let card = Entry(entry, caption: Formats.dateAndTime(entry.item.time)).widget.css("card")
    guard entry.isHidden else { return card }
    let show = button(tr("Show"), "link", "flush") { [context] in
      context.setHidden(false, entry: entry.item.seq, keeping: card)
    }
    card.append(show.halign(.start))
    return card
  }
}
