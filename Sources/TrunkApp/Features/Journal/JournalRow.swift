import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// A row of the journal: a month heading, an entry, an earlier page, or the planting or uprooting of a sprout.
final class JournalRow: ListRow {
  let widget: Widget

  private let context: WindowContext
  private let month = label("", "journal-month")
  private let day = label("", "journal-day", "numeric").xalign(1)
  private let weekday = label("", "hint").xalign(1)
  private let sign = icon("trunk-sun-symbolic").halign(.end)
  private let margin: Widget
  // No wider than its text: beside it, a click opens the entry.
  private let question = paragraph("", "question").halign(.start)
  private let title = paragraph("", "page-title")
  private let text = paragraph("", "journal")
  private let reveal = button(tr("Show"), "link", "flush") {}.halign(.start)
  private let about = paragraph("", "hint", "subject")
  private let content: Widget
  /// The address that the question leads to.
  private var found: String?
  /// The hidden entry that is in its place.
  private var hidden: Int64?

  /// Longer entries are cut in the list; their page shows everything.
  private static let maxLines = 8
  private static let marginWidth = 56

  /// - Parameter onLink: called with the address of the page that the user wants to open.
  init(_ context: WindowContext, onLink: @escaping @MainActor (String) -> Void) {
    self.context = context
    for label in [question, about] { label.onLink(onLink) }
    margin = column(spacing: 0, day, weekday, sign).size(width: JournalRow.marginWidth).valign(.start)
    content = line(
      spacing: 16, margin,
      column(spacing: 4, question, title, text.lines(JournalRow.maxLines), reveal, about.margin(top: 3)).hexpand()
    ).margin(end: 12)
    widget = column(month.margin(top: 10, bottom: 2), content)
    widget.keeps(self)
    question.readAsLink { [weak self] in self?.found.map(onLink) }
    reveal.on("clicked") { [weak self] in
      if let self, let hidden { self.context.setHidden(false, entry: hidden, keeping: widget) }
    }
  }

  func show(_ line: JournalList.Line) -> String {
    switch line {
    case .month(let name):
      month.visible(true).setText(name)
      content.visible(false)
      return name
    case .entry(let entry, let about, let links, let isFirstOfDay):
      month.visible(false)
      content.visible(true)
      self.about.setMarkup(links)
      return show(entry, about: about, isFirstOfDay: isFirstOfDay)
    case .page(let page, let line, let about, let isFirstOfDay):
      month.visible(false)
      content.visible(true)
      return show(page, line, about: about, isFirstOfDay: isFirstOfDay)
    }
  }

  private func show(_ date: Day, isFirstOfDay: Bool) {
    day.visible(isFirstOfDay).setText("\(date.day)")
    weekday.visible(isFirstOfDay).setText(Formats.shortWeekday(date))
  }

  private func show(_ page: EarlierPage, _ line: PageLine, about: String, isFirstOfDay: Bool) -> String {
    show(line.day, isFirstOfDay: isFirstOfDay)
    sign.visible(false)
    (found, hidden) = (nil, nil)
    reveal.visible(false)
    question.visible(false).offersActivation(false)
    title.visible(!page.title.isEmpty).setText(page.title)
    let words = page.text.trimmed
    text.visible(!words.isEmpty || page.title.isEmpty).css("placeholder", when: words.isEmpty)
    text.showReading(words.isEmpty ? tr("Without words") : opening(String(words), lines: JournalRow.maxLines))
    text.ellipsize(mayBeCut(page.text) ? .end : .none)
    self.about.setText(about)
    widget.css("spent", when: false).css("earlier", when: true)
    return [Formats.dateAndTime(line), page.title, ReadingText(clamped(page.text)).plain, about].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  private func show(_ entry: TimelineEntry, about: String, isFirstOfDay: Bool) -> String {
    let item = entry.item
    show(item.time.day, isFirstOfDay: isFirstOfDay)
    title.visible(false)
    let signs: [TimelineItem.Kind: String] = [.reflection: "trunk-sun-symbolic", .harvest: "trunk-harvest-symbolic"]
    sign.visible(signs[item.kind] != nil)
    if let name = signs[item.kind] { sign.setIcon(name) }
    sign.css("sun", when: item.kind == .reflection).css("green", when: item.kind == .harvest)

    let question = entry.question ?? ""
    let entryText = EntryTexts.text(of: entry)
    let link = EntryTexts.question(of: entry)
    found = link.address
    self.question.visible(!question.isEmpty).css("quiet-link", when: found != nil)
    self.question.offersActivation(found != nil).setMarkup(link.markup)
    text.visible(item.isEntry)
    text.showReading(opening(entryText, lines: JournalRow.maxLines))
    text.ellipsize(mayBeCut(entryText) ? .end : .none)
    text.css("placeholder", when: entry.text.trimmed.isEmpty)
    hidden = entry.isHidden ? item.seq : nil
    reveal.visible(entry.isHidden)
    widget.css("spent", when: !item.isEntry).css("earlier", when: false)
    return [Formats.dateAndTime(item.time), question, item.isEntry ? entryText : "", about].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
