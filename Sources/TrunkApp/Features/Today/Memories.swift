import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// On this day: entries written a week, a month and some years ago, and earlier pages of all years. In a garden's first
/// week, entries of the day before.
final class Memories {
  let widget: Widget

  private let context: WindowContext
  private let header = sectionHeader(tr("On this day"))
  private let cards = column(spacing: 10)
  private let more = button("", "link", "flush") {}.halign(.start)
  /// Everything that was written on those days. The first entries and pages have cards.
  private var (entries, pages): ([Memory], [Memory]) = ([], [])
  /// What the shown entries and pages depend on, so that a render without changes reads nothing.
  private var shown: Basis?

  private struct Basis: Equatable {
    /// The numbers of the entries, and their subjects.
    let entries: [Int64: String]
    let isEarly: Bool
    let today: Day
    let pageRevision: Int64
    let hidden: Set<Int64>
  }

  private struct Memory {
    /// As it is read.
    let text: String
    let caption: String
    /// The command that opens its page, and the target of the command.
    let command, target: String
  }

  /// More entries would leave too little space for the rest of the view.
  private static let mostCards = 2

  init(_ context: WindowContext) {
    self.context = context
    widget = column(spacing: 8, header, cards, more.margin(start: 2))
    more.on("clicked") { [weak self] in self?.showAll() }
    widget.keeps(self)
  }

  func show(_ garden: Garden, _ now: Instant) {
    let isEarly = garden.firstDays(at: now).showsYesterday
    let days = isEarly ? [] : garden.onThisDay(at: now)
    let items = garden.items(isEarly ? garden.wroteYesterday(at: now) : days.flatMap(\.entries))
    let subjects = items.map { ($0.seq, about($0, garden, otherwise: "")) }
    let basis = Basis(
      entries: Dictionary(subjects) { first, _ in first }, isEarly: isEarly, today: context.today,
      pageRevision: context.model.pageRevision, hidden: context.model.hidden)
    guard basis != shown else { return }
    shown = basis
    hideIfEmpty()
    // After an error, the next render tries again.
    let model = context.model
    context.attempt(keeping: widget, onError: { [weak self] in self?.shown = nil }) { [weak self] in
      let found = try await model.entries(items)
      let pages = basis.pageRevision == 0 ? [] : try await Memories.pages(of: model)
      // A newer render may have requested other entries in the meantime.
      guard let self, shown == basis else { return }
      let anniversaries = days.flatMap { day in day.entries.map { ($0.seq, day.anniversary) } }
      let bySeq = Dictionary(anniversaries) { first, _ in first }
      entries = found.filter { !$0.text.trimmed.isEmpty }.map { entry in
        Memory(
          text: ReadingText(clamped(entry.text)).plain,
          caption: caption(of: entry, bySeq[entry.item.seq]?.title ?? "", garden),
          command: "win.entry", target: "\(entry.item.seq)")
      }
      self.pages = pages
      showCards(isEarly: isEarly)
      hideIfEmpty()
    }
  }

  /// The earlier pages of this day with words, the longest first: there may be many short ones.
  private static func pages(of model: GardenModel) async throws -> [Memory] {
    let days = try await model.pagesOnThisDay()
    let lines = days.flatMap { day in day.pages.map { (line: $0, years: day.years) } }
    let pages = try await model.pages(ids: lines.map(\.line.id))
    let byID = Dictionary(pages.map { ($0.id, $0) }) { first, _ in first }
    let memories: [Memory] = lines.compactMap { line, years in
      guard let page = byID[line.id], !page.page.wholeText.isEmpty else { return nil }
      return Memory(
        text: ReadingText(clamped(page.page.text.isEmpty ? page.page.title : page.page.text)).plain,
        caption: dotted([Memories.ago(years), page.about, Formats.day(line.day)]), command: "win.page",
        target: "\(line.id)")
    }
    return memories.sorted { $0.text.utf8.count > $1.text.utf8.count }
  }

  private static func ago(_ years: Int32) -> String {
    switch years {
    case 1: Anniversary.year.title
    case 2: Anniversary.twoYears.title
    case 5: Anniversary.fiveYears.title
    default: trn("{n} year ago", "{n} years ago", Int(years))
    }
  }

  private func showCards(isEarly: Bool) {
    cards.removeAll()
    // There are only as many entries of one day as drops and suns.
    let firstEntries = entries.prefix(isEarly ? .max : pages.isEmpty ? Memories.mostCards : Memories.mostCards - 1)
    let firstPages = pages.prefix(max(1, Memories.mostCards - entries.count))
    header.setHeading(isEarly && !entries.isEmpty ? tr("Yesterday you wrote") : tr("On this day"))
    for memory in firstEntries { cards.append(Memories.card(memory)) }
    if isEarly, !entries.isEmpty, !pages.isEmpty { cards.append(sectionHeader(tr("On this day")).margin(top: 8)) }
    for memory in firstPages { cards.append(Memories.card(memory)) }
    let left = entries.count + pages.count - firstEntries.count - firstPages.count
    more.visible(left > 0)
    more.setText(trn("{n} more from this day", "{n} more from this day", max(left, 1)))
  }

  /// Shows everything that was written on this day.
  private func showAll() {
    let content = column(spacing: 10)
    let window = DialogWindow(
      over: context.window, title: tr("On This Day"), height: 640, content: content)
    for memory in entries + pages { content.append(Memories.card(memory)) }
    let context = context
    // A card opens its page in the window below.
    window.widget.insertActions(as: "win") { group in
      for name in ["entry", "page"] {
        group.addAction(name, target: { [weak window] in window?.leave(context, for: "win." + name, target: $0) })
      }
    }
    window.present()
  }

  private func hideIfEmpty() {
    widget.visible(!cards.children.isEmpty)
  }

  /// A card that opens the page of its entry.
  private static func card(_ memory: Memory) -> Widget {
    let text = paragraph(tr("“{text}”", ["text": oneLine(memory.text)]), "journal").lines(mostLines)
    text.ellipsize(mayBeCut(memory.text) ? .end : .none)
    let card = contentButton(
      column(spacing: 6, text, paragraph(memory.caption, "hint")), command: memory.command + "::")
    return card.css("card-button").action(memory.command, target: memory.target)
      .accessibleName(clamped(memory.text, to: oneLineLimit) + ", " + memory.caption)
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
