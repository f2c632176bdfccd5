import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// On this day: entries written a week, a month and some years ago. In a garden's first week, those of the day before.
final class Memories {
  let widget: Widget

  private let context: WindowContext
  private let header = sectionHeader(tr("On this day"))
  private let cards = column(spacing: 10)
  private let more = button("", "link", "flush") {}.halign(.start)
  /// Everything that was written on those days. The first entries have cards.
  private var memories: [(entry: TimelineEntry, caption: String)] = []
  /// The entries that are shown and their subjects, so that a render without changes reads nothing.
  private var shown: [Memory]?

  private struct Memory: Equatable {
    let seq: Int64
    let about: String
  }

  /// More entries would leave too little space for the rest of the view.
  private static let mostCards = 2
  private var mostCards = Memories.mostCards

  init(_ context: WindowContext) {
    self.context = context
    widget = column(spacing: 8, header, cards, more.margin(start: 2))
    more.on("clicked") { [weak self] in self?.showAll() }
    widget.keeps(self)
  }

  func show(_ garden: Garden, _ now: Instant) {
    let isEarly = garden.firstDays(at: now).showsYesterday
    let days = isEarly ? [] : garden.onThisDay(at: now)
    // There are only as many entries of one day as drops and suns.
    mostCards = isEarly ? .max : Memories.mostCards
    header.setHeading(isEarly ? tr("Yesterday you wrote") : tr("On this day"))
    let items = garden.items(isEarly ? garden.wroteYesterday(at: now) : days.flatMap(\.entries))
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
      let anniversaries = days.flatMap { day in day.entries.map { ($0.seq, day.anniversary) } }
      let bySeq = Dictionary(anniversaries) { first, _ in first }
      self.memories = found.filter { !$0.text.trimmed.isEmpty }.map { entry in
        (entry, caption(of: entry, bySeq[entry.item.seq]?.title ?? "", garden))
      }
      showCards()
      hideIfEmpty()
    }
  }

  private func showCards() {
    cards.removeAll()
    for (entry, caption) in memories.prefix(mostCards) { cards.append(Memories.card(entry, caption)) }
    let left = memories.count - mostCards
    more.visible(left > 0)
    more.setText(trn("{n} more from this day", "{n} more from this day", max(left, 1)))
  }

  /// Shows everything that was written on this day.
  private func showAll() {
    let content = column(spacing: 10)
    let window = DialogWindow(
      over: context.window, title: tr("On This Day"), height: 640, content: content)
    for (entry, caption) in memories { content.append(Memories.card(entry, caption)) }
    let context = context
    // A card opens its page in the window below.
    window.widget.insertActions(as: "win") { group in
      group.addAction("entry", target: { [weak window] in window?.leave(context, for: "win.entry", target: $0) })
    }
    window.present()
  }

  private func hideIfEmpty() {
    widget.visible(shown?.isEmpty == false && !cards.children.isEmpty)
  }

  /// A card that opens the page of its entry.
  private static func card(_ entry: TimelineEntry, _ caption: String) -> Widget {
    let text = paragraph(tr("“{text}”", ["text": oneLine(entry.text)]), "journal").lines(mostLines)
    text.ellipsize(mayBeCut(entry.text) ? .end : .none)
    let card = contentButton(column(spacing: 6, text, paragraph(caption, "hint")), command: "win.entry::")
    return card.css("card-button").action("win.entry", target: "\(entry.item.seq)")
      .accessibleName(clamped(entry.text, to: oneLineLimit) + ", " + caption)
  }

  private static let mostLines = 4

  /// `a year ago · Learn the cello prelude · 20 November 2025`; of yesterday only what it is about.
  private func caption(of entry: TimelineEntry, _ anniversary: String, _ garden: Garden) -> String {
    let about = about(entry.item, garden, otherwise: entry.twigLabel ?? "")
    return anniversary.isEmpty ? about : dotted([anniversary, about, Formats.date(entry.item.time)])
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
