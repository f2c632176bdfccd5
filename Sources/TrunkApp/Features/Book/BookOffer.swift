import GtkKit
import Localization
import TrunkKit
import TrunkModel
import TrunkPrint

/// In January: the book of the last year is ready. It is offered until the user has answered.
final class BookOffer {
  let widget: Widget

  private let context: WindowContext
  private let text = paragraph("", "question")
  private lazy var loader = Loader(context, for: widget)
  private var year: Int32 = 0
  /// The year whose pages are known or being counted, and their number; `nil` pages for too few words.
  private var counted: (year: Int32, pages: Int?)?

  /// A book of fewer entries with words isn't offered.
  private static let fewestEntries = 10

  init(_ context: WindowContext) {
    self.context = context
    let (look, dismiss) = (button(tr("Look")) {}, button(tr("Not Now"), "link") {})
    widget = wrapping(
      spacing: 12, text.hexpand().valign(.center), line(spacing: 8, look, dismiss).valign(.center)
    ).css("card")
    look.on("clicked") { [weak self] in self?.answer(looks: true) }
    dismiss.on("clicked") { [weak self] in self?.answer(looks: false) }
    widget.keeps(self)
  }

  func show(_ garden: Garden) {
    // Its first day begins at 06:00.
    let today = context.today
    year = today.year - 1
    let isOffered = today.month == 1 && !context.settings.hasAnsweredBook(of: year)
    if isOffered, counted?.year != year { count(garden) }
    let pages = counted?.year == year ? counted?.pages : nil
    widget.visible(isOffered && pages != nil)
    guard let pages else { return }
    text.setText(
      trn(
        "The book of {year} is ready: {n} page.", "The book of {year} is ready: {n} pages.", pages, ["year": "\(year)"]
      ))
  }

  /// Lays the book out, on another thread, to count its pages.
  private func count(_ garden: Garden) {
    counted = (year, nil)
    guard garden.growth(in: year, at: context.model.now).entries.count >= BookOffer.fewestEntries else { return }
    loader.load { [model = context.model, author = context.accountModel.profile.name, year] in
      let source = try await model.yearBook(year...year)
      guard source.writtenCount >= BookOffer.fewestEntries else { return nil }
      return try await BookPages.made(source.book(author: author), on: .a5, for: .printer).count
    } show: { [weak self, year] (pages: Int?) in
      self?.counted = (year, pages)
      self.map { $0.show($0.context.model.garden) }
    }
  }

  private func answer(looks: Bool) {
    context.attempt { [context, year] in
      try context.settings.answerBook(of: year)
      if looks { context.window.activate("win.book", target: "\(year)") }
    }
  }
}
