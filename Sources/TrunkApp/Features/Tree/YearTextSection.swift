import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The entries and earlier pages of a year to read again, the titles of the harvests with the most words, and its names
/// and words.
final class YearTextSection {
  let widget: Widget
  /// One below the other.
  let titles = paragraph("", "question").visible(false)

  /// The names and the words of the year, each of which opens the search.
  let words: Widget

  private let context: WindowContext
  private let number: Int32
  private let names = wrapping(spacing: 10, lineSpacing: 0)
  private let ownWords = wrapping(spacing: 10, lineSpacing: 0)
  private lazy var loader = Loader(context, for: words)
  private lazy var textLoader = Loader(context, for: widget)
  private var rest: Timeout?
  /// In milliseconds.
  private static let restTime = 600
  private let entries = column(spacing: 4)
  /// The entries and pages that the section was made from; `nil` at first.
  private var shown: (entries: [TimelineItem], pages: [PageLine])?
  private var hidden: Set<Int64> = []

  init(_ context: WindowContext, _ number: Int32) {
    (self.context, self.number) = (context, number)
    let header = sectionHeader(tr("Names, and Words of This Year")).css("flush")
    words = column(spacing: 4, header, names, ownWords).visible(false)
    widget = column(spacing: 8, sectionHeader(tr("To Read Again")).css("flush"), entries).visible(false)
    widget.keeps(self)
  }

  /// - Parameter pages: the earlier pages of the year, newest first.
  func show(_ year: YearInGrowth, _ pages: [PageLine]) {
    let isShown = shown.map { $0 == (year.entries, pages) } ?? false
    guard !isShown || context.model.hidden != hidden else { return }
    (shown, hidden) = ((year.entries, pages), context.model.hidden)
    textLoader.load { [model = context.model] in
      try await model.texts(of: year, pages)
    } show: { [weak self] in
      self?.show($0)
    }
    // They need the words of all years: not those of a year that is only passed on the way to another one.
    rest = Timeout.after(milliseconds: YearTextSection.restTime) { [weak self] in self?.loadWords() }
  }

  private func loadWords() {
    loader.load { [model = context.model, number] in
      try await model.yearBook(number...number).words
    } show: { [weak self] in
      self?.show($0)
      // The texts of all years took megabytes.
      Memory.returnFreed()
    }
  }

  private func show(_ texts: YearTexts) {
    entries.removeAll()
    let garden = context.model.garden
    titles.setText(
      texts.fullest.compactMap { garden.sprout(id: $0) }.map { clamped($0.title, to: 80) }.joined(separator: "\n"))
    titles.visible(!texts.fullest.isEmpty)
    for text in texts.reread { entries.append(passage(text, in: garden)) }
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

  /// An entry or a page beside its day, which opens its page.
  private func passage(_ passage: JournalText, in garden: Garden) -> Widget {
    let day = passage.line.day
    let (question, text, about, date, command, target): (String?, String, String, String, String, Int64)
    switch passage {
    case .entry(let entry):
      (question, text, about) = (entry.question, EntryTexts.text(of: entry), EntryTexts.about(entry, in: garden))
      (date, command, target) = (Formats.date(entry.item.time), "win.entry", entry.item.seq)
    case .page(let line, let stored):
      (question, text, about) = (stored.page.title, stored.page.text, stored.about)
      (date, command, target) = (Formats.day(line.day), "win.page", line.id)
    }
    let margin = column(
      label("\(day.day)", "journal-day", "numeric").ellipsize(.none),
      label(Formats.shortMonth(day), "hint").ellipsize(.none))
    let words = column(
      spacing: 4, paragraph(question ?? "", "question").visible(question?.isEmpty == false),
      paragraph("", "journal").showReading(opening(text, lines: YearTextSection.mostLines)).lines(
        YearTextSection.mostLines
      )
      .ellipsize(mayBeCut(text) ? .end : .none),
      paragraph(about, "hint"))
    return contentButton(
      line(spacing: 16, margin.css("grows-wide-\(YearTextSection.marginWidth)").valign(.start), words.hexpand()),
      command: command + "::"
    ).css("passage").action(command, target: "\(target)")
      .accessibleName(date + ", " + clamped(passage.words, to: oneLineLimit))
  }

  private static let mostLines = 6
  /// Of the date, in pixels at the usual size of texts.
  private static let marginWidth = 44
}
