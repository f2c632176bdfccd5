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
  private let printShop = button(tr("For a Print Shop…")) {}
  private let dedication: TextArea
  private let coverDay = LimitedRow(tr("The tree on the cover as it was on"), limit: 20)
  private let work: FileWork
  private lazy var loader = Loader(context, for: window.widget, in: window.foot)
  private lazy var action = BusyAction(context, foot: window.foot)

  private let years: [BookYear]
  private var year: Int32
  private var size = PaperSize.a5
  private var choices = BookChoices()
  /// `nil` until it is read.
  private var source: Source?
  private var pages: BookPages?
  private var isNarrow = false

  /// What the book is made from.
  private enum Source {
    case year(YearBook)
    case pages(JournalBook)

    func book(author: String, _ choices: BookChoices) -> JournalBook {
      switch self {
      case .year(let year): year.book(author: author, choices)
      case .pages(let book): book
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
    let latest = years.first { $0.year < context.today.year && !$0.hasOnlyPages } ?? years.first
    self.year = year ?? latest?.year ?? context.today.year
    choices.hasFlipTrees = true
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
    work = FileWork(for: window.widget)
    panel.append(
      scrolled(options().margin(top: 12, bottom: 12, start: 18, end: 18)),
      column(spacing: 8, FileProgress(work).widget, buttons).margin(start: 18, end: 18))
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
    wholeChoices.append(
      boxedList(
        choice(tr("Harvests as chapters"), \.hasChapters), choice(tr("Words of earlier years"), \.hasEarlierYears),
        choice(tr("Entries without words"), \.hasSilence),
        choice(tr("Trees at the corners"), note: tr("They grow while you flip the printed pages."), \.hasFlipTrees)
      ).accessibleName(tr("In the book")),
      boxedList(coverDay.widget).accessibleName(tr("Cover")),
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
    window.addActionButton(tr("Save as PDF…"), "suggested-action") { [weak self] in self?.save(.pdf) }
    buttons.append(
      button(tr("Print…")) { [weak self] in self?.print() }, printShop,
      button(tr("Web Page…")) { [weak self] in self?.save(.html) })
    printShop.on("clicked") { [weak self] in self?.saveForPrintShop() }
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
    choices.coverDay = nil
    coverDay.text = lastDay.description
    let hasOnlyPages = years.contains { $0.year == year && $0.hasOnlyPages }
    for part in [wholeChoices, printShop] { part.visible(!hasOnlyPages) }
    var selection = BookSelection(years: year...year)
    selection.includesPages = hasOnlyPages
    loader.load { [model = context.model, year, author, choices, size, selection] in
      let source =
        hasOnlyPages
        ? Source.pages(try await model.book(selection, author: author)) : .year(try await model.yearBook(year...year))
      return (source, await BookWindow.pages(source, author, choices, size))
    } show: { [weak self] source, pages in
      self?.source = source
      self?.show(pages, at: 0)
    }
  }

  /// Lays out the pages again, and shows the place that was seen.
  /// - Parameter page: is shown instead, from 0.
  private func layOut(at page: Int? = nil) {
    guard let source else { return reload() }
    loader.load { [author, choices, size] in
      await BookWindow.pages(source, author, choices, size)
    } show: { [weak self] in
      self?.show($0, at: page)
    }
  }

  @concurrent private nonisolated static func pages(
    _ source: Source, _ author: String, _ choices: BookChoices, _ size: PaperSize
  ) async -> BookPages {
    await BookPages.toPrint(source.book(author: author, choices), size)
  }

  private var author: String { context.accountModel.profile.name }

  private func show(_ pages: BookPages, at page: Int?) {
    self.pages = pages
    spread.show(pages, at: page)
  }

  private func showPlace() {
    guard let pages, let shown = spread.open.shown else { return }
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

  /// A day that can't be read, for example because it is still being typed, changes nothing.
  private func readCoverDay() {
    let day = Period(coverDay.text, today: context.today)?.first
    coverDay.widget.css("error", when: day == nil)
    guard let day, source != nil else { return }
    // The last day keeps the season with most words.
    let chosen = day == lastDay ? nil : min(day, context.today)
    guard chosen != choices.coverDay else { return }
    choices.coverDay = chosen
    layOut(at: 0)
  }
}

// MARK: - Files

extension BookWindow {
  /// Runs an action with the book that is shown. Ignores further presses until it ends.
  private func run(_ body: @escaping @MainActor (BookPages) async throws -> Void) {
    action.run(keeping: window.widget) { [self] in
      guard let pages else { return }
      guard pages.book.count > 0 else {
        window.foot.show(tr("There are no entries to export."))
        return
      }
      buttons.sensitive(false)
      defer { buttons.sensitive(true) }
      do { try await body(pages) } catch is CancellationError { window.foot.show(tr("Cancelled.")) }
    }
  }

  private func print() {
    run { [self] pages in _ = try await printBook(pages, size, over: window.widget) }
  }

  private func save(_ format: BookFormat) {
    run { [self] pages in
      guard let path = await chooseFile(pages.book.fileName(format)) else { return }
      let bytes = try await work.run { try pages.book.contents(format, on: pages.paper, progress: $0) }
      try GardenModel.write(bytes, to: path)
      window.foot.show(tr("Saved “{path}”.", ["path": path]))
    }
  }

  private func saveForPrintShop() {
    run { [self] pages in
      guard let path = await chooseFile(pages.book.fileName(.pdf)) else { return }
      let files = try await work.run { progress in
        try BookPages(pages.book, on: pages.paper, for: .printShop).printShopFiles(progress: progress)
      }
      let coverPath = BookPages.PrintShopFiles.coverPath(beside: path)
      try GardenModel.write(files.pages, to: path)
      try GardenModel.write(files.cover, to: coverPath)
      window.foot.show(tr("Saved “{path}” and “{cover}”.", ["path": path, "cover": coverPath]))
    }
  }

  private func chooseFile(_ name: String) async -> String? {
    await GtkKit.chooseFile(
      .save(name: name), over: window.widget, title: tr("Save the Book"), accept: tr("Save"))
  }
}
