import GtkKit
import Localization
import TrunkKit

/// The entries of a year to read again, the titles of the harvests with the most words, and its names and words.
final class YearTextSection {
  let widget: Widget
  /// One below the other.
  let titles = paragraph("", "question")

  /// The names and the words of the year, each of which opens the search.
  let words: Widget

  private let context: WindowContext
  private let number: Int32
  private let names = wrapping(spacing: 10, lineSpacing: 0)
  private let ownWords = wrapping(spacing: 10, lineSpacing: 0)
  private lazy var loader = Loader(context, for: words)
  private let entries = column(spacing: 4)
  /// The entries that the section was made from; `nil` at first.
  private var shown: [TimelineItem]?
  private var hidden: Set<Int64> = []

  init(_ context: WindowContext, _ number: Int32) {
    (self.context, self.number) = (context, number)
    let header = sectionHeader(tr("Names, and Words of This Year")).css("flush")
    words = column(spacing: 4, header, names, ownWords).visible(false)
    widget = column(spacing: 8, sectionHeader(tr("To Read Again")).css("flush"), entries).visible(false)
    widget.keeps(self)
  }

  func show(_ year: YearInGrowth) {
    guard year.entries != shown || context.model.hidden != hidden else { return }
    (shown, hidden) = (year.entries, context.model.hidden)
    context.attempt(keeping: widget) { [weak self] in
      guard let self else { return }
      let texts = try await context.model.texts(of: year)
      // Another entry may have arrived in the meantime.
      if year.entries == shown { show(texts) }
    }
    // They need the words of all years, and come last.
    loader.load { [model = context.model, number] in
      try await model.yearBook(number...number).words
    } show: { [weak self] in
      self?.show($0)
    }
  }

  private func show(_ texts: YearTexts) {
    entries.removeAll()
    let garden = context.model.garden
    titles.setText(
      texts.fullest.compactMap { garden.sprout(id: $0) }.map { clamped($0.title, to: 80) }.joined(separator: "\n"))
    for entry in texts.reread { entries.append(passage(entry, EntryTexts.about(entry, in: garden))) }
    widget.visible(!texts.reread.isEmpty)
  }

  private func show(_ found: (names: [String], words: [String])) {
    for (box, words, style) in [(names, found.names, "own-name"), (ownWords, found.words, "own-word")] {
      box.removeAll()
      for word in words {
        let link = TextLink("win.find", style: style)
        link.show(word, target: word)
        box.append(link.widget)
      }
      box.visible(!words.isEmpty)
    }
    words.visible(!found.names.isEmpty || !found.words.isEmpty)
  }

  /// An entry beside its day, which opens its page.
  private func passage(_ entry: TimelineEntry, _ about: String) -> Widget {
    let day = entry.item.time.day
    let text = EntryTexts.text(of: entry)
    let date = column(
      label("\(day.day)", "journal-day", "numeric").ellipsize(.none),
      label(Formats.shortMonth(day), "hint").ellipsize(.none))
    let words = column(
      spacing: 4, paragraph(entry.question ?? "", "question"),
      paragraph("", "journal").showReading(opening(text, lines: YearTextSection.mostLines)).lines(
        YearTextSection.mostLines
      )
      .ellipsize(mayBeCut(text) ? .end : .none),
      paragraph(about, "hint"))
    return contentButton(
      line(spacing: 16, date.css("grows-wide-\(YearTextSection.marginWidth)").valign(.start), words.hexpand()),
      command: "win.entry::"
    ).css("passage").action("win.entry", target: "\(entry.item.seq)")
      .accessibleName(Formats.date(entry.item.time) + ", " + clamped(entry.text, to: oneLineLimit))
  }

  private static let mostLines = 6
  /// Of the date, in pixels at the usual size of texts.
  private static let marginWidth = 44
}
