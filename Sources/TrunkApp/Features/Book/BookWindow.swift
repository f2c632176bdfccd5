import GtkKit
import Localization
import TrunkKit
import TrunkModel
import TrunkPrint

/// The book of a year: its pages, what can be chosen for them, and the ways to print or save it. A year that has only
/// earlier pages is a plain book without choices.
final class BookWindow {
  private let context: WindowContext
  private let window: DialogWindow
  private let spread = BookSpread()
  private let place = label(tr("Laying out the pages…"), "numeric").hexpand().centred()
  private let back, forward: Widget
  /// The open book, and beside or below it what can be chosen.
  private let parts, book, panel, panelPlace: Widget
  private let buttons = wrapping(spacing: 8)
  /// What can only be chosen for a year with entries.
  private let wholeChoices = column(spacing: 16)
  /// Shown for a year with earlier pages.
  private var pagesRow = bin()
  private let printShop = button(tr("For a Print Shop…")) {}
  private let dedication: TextArea
  private let coverDay = LimitedRow(tr("The tree on the cover as it was on"), limit: 20)
  private let quote = LimitedRow(tr("The sentence on the back, for a print shop"), limit: 200)
  private let output: BookOutput
  private lazy var loader = Loader(context, for: window.widget, in: window.foot)

  private let years: [BookYear]
  private var year: Int32
  private var size = PaperSize.a5
  private var choices = BookChoices()
  /// `nil` until it is read.
  private var source: Source?
  private var isNarrow = false

  /// What the book is made from.
  private enum Source: Sendable {
    case year(YearBook)
    case pages(JournalBook)

    nonisolated func book(author: String, _ choices: BookChoices) -> JournalBook {
      switch self {
      case .year(let year): year.book(author: author, choices)
      case .pages(let book): book
      }
    }

    /// See `YearBook.quote`.
    var quote: String {
      switch self {
      case .year(let year): year.quote.text
      case .pages: ""
      }
    }
  }

  /// A narrower window has the choices below the book, in pixels at the usual size of texts.
  private static let wideWidth = 720
  private static let panelWidth = 340
  /// Where a book shows its dedication, from 0.
  private static let dedicationPage = 3

  /// - Parameters:
  ///   - years: what can be chosen.
  ///   - year: the last one before today's that has entries by default.
  init(_ context: WindowContext, _ years: [BookYear], _ year: Int32? = nil) {
    (self.context, self.years) = (context, years)
    let latest = years.first { $0.year < context.today.year && $0.hasEntries } ?? years.first
    self.year = year ?? latest?.year ?? context.today.year
    (choices.hasFlipTrees, choices.hasPages) = (true, true)
    back = iconButton("go-previous-symbolic", name: tr("Turn Back")) {}
    forward = iconButton("go-next-symbolic", name: tr("Turn the Page")) {}
    dedication = TextArea(name: tr("Dedication"), placeholder: tr("For …"), limit: 200, height: 62)
    book = column(spacing: 4, spread.widget, line(spacing: 8, back, place, forward).margin(start: 16, end: 16))
    panel = column(spacing: 12)
    panelPlace = clamp(panel)
    parts = line(book.hexpand().vexpand(), panelPlace.hexpand(false))
    window = DialogWindow(
      over: context.window, title: tr("The Book of the Year"), width: 1200, height: 800, content: parts, scrolls: false)
    parts.margin(top: 0, start: 0, end: 0)
    output = BookOutput(context, for: window, form: buttons)
    panel.append(
      scrolled(options().margin(top: 12, bottom: 12, start: 18, end: 18)),
      column(spacing: 8, output.progress, buttons).margin(start: 18, end: 18))
    connect()
    for button in [back, forward] { button.sensitive(false) }
    reload()
    window.widget.keeps(self)
  }

  func present() {
    spread.widget.focus()
    window.present()
  }

  private func options() -> Widget {
    let selected = years.firstIndex { $0.year == year }
    let names = years.map { "\($0.year)" }
    let yearList = dropDown(name: tr("Year"), names, selected: selected ?? 0) { [weak self] position in
      guard let self else { return }
      year = years[position].year
      reload()
    }
    let sizes = Segments(name: tr("Size"), PaperSize.allCases.map(\.title), selected: 0)
    sizes.onSelect = { [weak self] position in
      self?.size = PaperSize.allCases[position]
      self?.layOut()
    }
    func choice(_ title: String, note: String = "", _ part: WritableKeyPath<BookChoices, Bool>) -> Widget {
      switchRow(title, note, isOn: choices[keyPath: part]) { [weak self] isOn in
        self?.choices[keyPath: part] = isOn
        self?.layOut()
      }
    }
    pagesRow = choice(tr("Earlier pages"), \.hasPages)
    wholeChoices.append(
      boxedList(
        pagesRow, choice(tr("Harvests as chapters"), \.hasChapters),
        choice(tr("Words of earlier years"), \.hasEarlierYears),
        choice(tr("Entries without words"), \.hasSilence),
        choice(
          tr("Trees at the corners"), note: tr("On paper only. They grow while you flip the pages."), \.hasFlipTrees)
      ).accessibleName(tr("In the book")),
      boxedList(coverDay.widget, quote.widget).accessibleName(tr("Cover")),
      column(spacing: 6, label(tr("Dedication, up to three lines"), "caption-title"), dedication.widget))
    return column(
      spacing: 16,
      column(spacing: 6, label(tr("Year"), "caption-title"), yearList).visible(years.count > 1 && selected != nil),
      column(spacing: 6, label(tr("Size"), "caption-title"), sizes.widget), wholeChoices)
  }

  private func connect() {
    spread.onTurn = { [weak self] in self?.showPlace() }
    back.on("clicked") { [weak self] in self?.spread.turn(forward: false) }
    forward.on("clicked") { [weak self] in self?.spread.turn(forward: true) }
    book.onKey { [weak self] in self?.spread.take($0) ?? false }
    dedication.onChange = { [weak self] in
      guard let self else { return }
      choices.dedication = dedication.text
      layOut(at: BookWindow.dedicationPage)
    }
    coverDay.addCalendar(tr("Choose the Day of the Cover")) { [weak self] in self?.lastDay ?? Day(number: 0) }
    coverDay.onChange = { [weak self] in self?.readCoverDay() }
    quote.onChange = { [weak self] in
      guard let self else { return }
      choices.quote = quote.text == source?.quote ? nil : quote.text
    }
    window.addActionButton(tr("Save as PDF…"), "suggested-action") { [weak self] in self?.save(.pdf) }
    buttons.append(
      button(tr("Print…")) { [weak self] in self?.print(.printer) },
      button(tr("Booklet…")) { [weak self] in self?.print(.booklet) }
        .tooltip(tr("Sheets twice the page size, folded, four to a section"))
        .accessibleDescription(tr("Sheets twice the page size, folded, four to a section")), printShop,
      button(tr("Web Page…")) { [weak self] in self?.save(.html) })
    printShop.on("clicked") { [weak self] in self?.save(.pdf, for: .printShop) }
    spread.widget.on("resize") { [weak self] in Task { self?.fit() } }
  }

  /// Puts the choices beside the book or below it.
  private func fit() {
    let isNarrow = Double(window.widget.width) / textScale < Double(BookWindow.wideWidth)
    panelPlace.setClamp(width: isNarrow ? BookWindow.wideWidth : Int(Double(BookWindow.panelWidth) * textScale))
    guard isNarrow != self.isNarrow else { return }
    self.isNarrow = isNarrow
    parts.arrange(sideways: !isNarrow, spacing: 0)
  }
}

// MARK: - Pages

extension BookWindow {
  /// The last day of the year, or today.
  private var lastDay: Day {
    Day(year: year, month: 12, day: 31).map { min($0, context.today) } ?? context.today
  }

  /// Shows the book of another year.
  private func reload() {
    source = nil
    (choices.coverDay, choices.quote) = (nil, nil)
    let chosen = years.first { $0.year == year }
    let hasOnlyPages = chosen?.hasEntries == false
    pagesRow.visible(chosen?.hasPages == true)
    for part in [wholeChoices, printShop] { part.visible(!hasOnlyPages) }
    var selection = BookSelection(years: year...year)
    selection.includesPages = hasOnlyPages
    loader.load { [model = context.model, year, author, selection] in
      hasOnlyPages
        ? Source.pages(try await model.book(selection, author: author)) : .year(try await model.yearBook(year...year))
    } show: { [weak self] source in
      guard let self else { return }
      self.source = source
      (coverDay.text, quote.text) = (lastDay.description, source.quote)
      layOut(at: 0)
    }
  }

  /// Lays out the pages again, and shows the place that was seen.
  /// - Parameter page: is shown instead, from 0.
  private func layOut(at page: Int? = nil) {
    guard source != nil else {
      // After an error, any choice tries again.
      if !loader.isLoading { reload() }
      return
    }
    loader.load { [weak self, size] in
      guard let book = try await self?.chosenBook() else { return nil }
      return try await BookPages.made(book, on: size.paper, for: .printer)
    } show: { [weak self] (pages: BookPages?) in
      if let pages { self?.spread.show(pages, at: page) }
    }
  }

  private var author: String { context.accountModel.profile.name }

  private func showPlace() {
    guard let pages = spread.pages, let shown = spread.open.shown else { return }
    let numbers = ["first": "\(shown.lowerBound + 1)", "last": "\(shown.upperBound + 1)", "count": "\(pages.count)"]
    let text =
      shown.count == 1
      ? tr("Page {first} of {count}", numbers) : tr("Pages {first}–{last} of {count}", numbers)
    let title = pages.title(ofPage: shown.upperBound) ?? ""
    place.setText(dotted([text, title]))
    spread.widget.setSlider(shown.lowerBound + 1, of: pages.count, dotted([text, title]))
    back.sensitive(!spread.open.isAtStart)
    forward.sensitive(!spread.open.isAtEnd)
  }

  /// The day in the field; `nil` if it can't be read.
  private var typedCoverDay: Day? {
    Period(coverDay.text, today: context.today).flatMap { $0.first == $0.last ? $0.first : nil }
  }

  /// A day that can't be read, for example because it is still being typed, changes nothing.
  private func readCoverDay() {
    guard let day = typedCoverDay, source != nil else { return }
    // The last day keeps the season with most words.
    let chosen = day == lastDay ? nil : min(day, context.today)
    guard chosen != choices.coverDay else { return }
    choices.coverDay = chosen
    layOut(at: 0)
  }
}

// MARK: - Files

extension BookWindow {
  /// The book with the present choices.
  private func chosenBook() async throws -> JournalBook? {
    guard let source else { return nil }
    return await BookWindow.book(source, author, choices)
  }

  @concurrent private nonisolated static func book(
    _ source: Source, _ author: String, _ choices: BookChoices
  ) async -> JournalBook {
    source.book(author: author, choices)
  }

  /// Says that the day of the cover can't be read, which would give the book another day than its field.
  private func mayMake() -> Bool {
    let isReadable = wholeChoices.isVisible == false || typedCoverDay != nil
    if !isReadable {
      coverDay.show(problem: tr("Write the day like {example}.", ["example": "\(lastDay)"]))
      coverDay.focus()
    }
    return isReadable
  }

  private func print(_ edition: BookEdition) {
    guard mayMake() else { return }
    output.print(on: size, for: edition, chosenBook)
  }

  private func save(_ format: BookFormat, for edition: BookEdition = .screen) {
    guard mayMake() else { return }
    output.save(format, on: size, for: edition, chosenBook) { [window] in window.foot.showSaved($0) }
  }
}
