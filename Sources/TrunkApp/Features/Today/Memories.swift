import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// On this day: entries written a week, a month and some years ago.
final class Memories {
  let widget: Widget

  private let context: WindowContext
  private let cards = column(spacing: 10)
  /// The entries that are shown and their subjects, so that a render without changes reads nothing.
  private var shown: [Memory]?

  private struct Memory: Equatable {
    let seq: Int64
    let about: String
  }

  /// More entries would leave too little space for the rest of the view.
  private static let entriesADay = 2
  private static let most = 4

  init(_ context: WindowContext) {
    self.context = context
    widget = column(spacing: 8, sectionHeader(tr("On this day")), cards)
    widget.keeps(self)
  }

  func show(_ garden: Garden, _ now: Instant) {
    let days = garden.onThisDay(at: now).map { ($0.anniversary, Array($0.entries.prefix(Memories.entriesADay))) }
    let items = garden.items(days.flatMap(\.1))
    let memories = items.map { Memory(seq: $0.seq, about: about($0, garden, otherwise: "")) }
    guard memories != shown else { return hideIfEmpty() }
    shown = memories
    hideIfEmpty()
    // After an error, the next render tries again.
    context.attempt(keeping: widget, onError: { [weak self] in self?.shown = nil }) { [weak self] in
      guard let self else { return }
      let found = try await context.model.entries(items)
      // A newer render may have requested other entries in the meantime.
      guard shown == memories else { return }
      let bySeq = Dictionary(found.map { ($0.item.seq, $0) }) { first, _ in first }
      cards.removeAll()
      var written = 0
      for (anniversary, entries) in days {
        for entry in entries.compactMap({ bySeq[$0.seq] }) where !entry.text.isEmpty && written < Memories.most {
          cards.append(card(entry, anniversary, garden))
          written += 1
        }
      }
      hideIfEmpty()
    }
  }

  private func hideIfEmpty() {
    widget.visible(shown?.isEmpty == false && !cards.children.isEmpty)
  }

  private func card(_ entry: TimelineEntry, _ anniversary: Anniversary, _ garden: Garden) -> Widget {
    let about = about(entry.item, garden, otherwise: entry.twigLabel ?? "")
    let date = Formats.date(entry.item.instant, in: garden.zone)
    return column(
      spacing: 6, paragraph(tr("“{text}”", ["text": entry.text]), "journal", selectable: true),
      paragraph([anniversary.title, about, date].joined(separator: " · "), "hint")
    ).css("card")
  }

  /// The title of the sprout or the name of the twig; `name` for an unknown twig.
  private func about(_ item: TimelineItem, _ garden: Garden, otherwise name: String) -> String {
    item.sproutID.flatMap { garden.sprout(id: $0)?.title } ?? item.twig.map { garden.label(of: $0) } ?? name
  }
}

extension Anniversary {
  fileprivate var title: String {
    switch self {
    case .week: tr("a week ago")
    case .month: tr("a month ago")
    case .year: tr("a year ago")
    case .twoYears: tr("two years ago")
    case .fiveYears: tr("five years ago")
    }
  }
}
