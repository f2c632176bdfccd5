import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The words of a day of the past: its entries, or the last ones before it.
final class DayWords {
  let widget: Widget

  /// Called with a day that the user wants to see.
  var onDay: ((Day) -> Void)?

  private let context: WindowContext
  private let isShort: Bool
  private let entries: Widget
  private let earlier = button("", "link", "flush") {}
  private let later = button("", "link", "flush") {}
  private let more = button("", "link", "flush") {}
  private lazy var loader = Loader(context, for: widget)
  private var shown: (items: [TimelineItem], before: Day?, after: Day?) = ([], nil, nil)

  /// Of the heading, two lines and the subject below the tree, in pixels at the usual size of texts. What is below them
  /// must not move from one day to the next.
  private static let shortHeight = 90

  /// - Parameter isShort: whether only the first entry is shown, cut after two lines.
  init(_ context: WindowContext, isShort: Bool) {
    (self.context, self.isShort) = (context, isShort)
    entries = column(spacing: isShort ? 4 : 16)
    let links = line(spacing: 12, earlier, more.hexpand().halign(.center), later)
    if isShort { entries.css("grows-high-\(DayWords.shortHeight)") }
    widget =
      isShort
      ? column(spacing: 6, entries, links)
      : column(spacing: 14, entries, rule(), links).css("card", "day-words")
    earlier.on("clicked") { [weak self] in self?.go(\.before) }
    later.on("clicked") { [weak self] in self?.go(\.after) }
    more.on("clicked") { [weak self] in self?.open() }
    widget.keeps(self)
  }

  /// Opens the first entry of the day in the journal.
  func open() {
    guard let item = shown.items.first else { return }
    context.window.activate("win.entry", target: "\(item.seq)")
  }

  private func go(_ side: KeyPath<(items: [TimelineItem], before: Day?, after: Day?), Day?>) {
    if let day = shown[keyPath: side] { onDay?(day) }
  }

  /// - Parameter growing: the number of sprouts that were growing.
  /// - Returns: what was growing, and what was planted or harvested about then.
  func show(_ day: Day, _ days: LifeDays, growing: Int) -> String {
    let (before, after) = (days.day(before: day), days.day(after: day))
    var items = days.items(on: day)
    // The last words before a day without any.
    let isEarlier = items.isEmpty
    if isEarlier, let before { items = days.items(on: before).suffix(1) }
    shown = (items, before, after)
    show(before, in: earlier) { tr("‹ {date}", ["date": $0]) }
    show(after, in: later) { tr("{date} ›", ["date": $0]) }
    let rest = isShort ? items.count - 1 : 0
    more.setText(rest > 0 ? trn("{n} more ›", "{n} more ›", rest) : tr("Open in Journal"))
    more.visible(!items.isEmpty)
    let sentence = growing == 0 ? nil : trn("{n} sprout was growing.", "{n} sprouts were growing.", growing)
    let sentences = [sentence, days.event(near: day)].compactMap(\.self)
    let heading = isEarlier ? before.map { tr("Last words, on {date}", ["date": Formats.day($0)]) } : nil
    let read = isShort ? Array(items.prefix(1)) : items
    loader.load { [model = context.model] in
      try await model.entries(read)
    } show: { [weak self] in
      self?.show($0, heading: heading)
    }
    return sentences.joined(separator: " ")
  }

  private func show(_ day: Day?, in link: Widget, _ text: (String) -> String) {
    link.isAway(day == nil)
    guard let day else { return }
    link.setText(text(isShort ? Formats.dayAndMonth(day) : Formats.dayAndYear(day, today: context.today)))
    link.accessibleName(text(Formats.day(day)))
  }

  private func show(_ read: [TimelineEntry], heading: String?) {
    entries.removeAll()
    if let heading { entries.append(label(heading, "hint").halign(.start)) }
    for entry in read { entries.append(part(entry)) }
    entries.visible(isShort || heading != nil || !read.isEmpty)
  }

  private func part(_ entry: TimelineEntry) -> Widget {
    let words = EntryTexts.text(of: entry)
    let text = paragraph("", "journal").showReading(isShort ? opening(words, lines: 2) : words)
    text.css("placeholder", when: entry.text.trimmed.isEmpty)
    if isShort { text.lines(2).ellipsize(.end) }
    let about = label(EntryTexts.about(entry, in: context.model.garden), "hint")
    guard let question = entry.question, !question.isEmpty, !isShort else { return column(spacing: 3, text, about) }
    return column(spacing: 3, paragraph(question, "question", "small"), text, about)
  }
}
