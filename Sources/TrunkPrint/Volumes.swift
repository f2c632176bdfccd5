import CairoKit
import TrunkKit

extension GardenModel {
  /// A volume with fewer pages than this is joined with the next year, but never more than `mostYears`.
  private static let fewestPages = 60
  private static let mostYears = 3

  /// A whole life: a book for each year, or for a few of them with little in them.
  /// - Parameter progress: called with each year before its book is made.
  public func volumes(
    on paper: Paper, for edition: BookEdition, author: String, _ choices: BookChoices,
    progress: (Int32) -> Void = { _ in }
  ) async throws -> [BookPages] {
    guard let years = garden.years else { return [] }
    var (volumes, first): ([BookPages], Int32?) = ([], nil)
    for year in years {
      progress(year)
      let range = (first ?? year)...year
      let book = try await book(BookSelection(years: range), author: author, choices)
      guard book.whole != nil else { continue }
      let pages = try await BookPages.made(book, on: paper, for: edition)
      let isShort = pages.count < GardenModel.fewestPages && range.count < GardenModel.mostYears
      if isShort, year < years.upperBound {
        first = range.lowerBound
      } else {
        volumes.append(pages)
        first = nil
      }
    }
    return volumes.enumerated().map { $1.volume($0 + 1, of: volumes.count) }
  }
}

extension BookPages {
  /// Lays out a book on another thread, because decades of entries take a second. Ends early if its task is cancelled.
  @concurrent public nonisolated static func made(
    _ book: JournalBook, on paper: Paper, for edition: BookEdition
  ) async throws -> BookPages {
    try BookPages(book, on: paper, for: edition) { _ in try Task.checkCancellation() }
  }

  /// The same pages as a volume of a life: its number is in the colophon.
  fileprivate func volume(_ number: Int, of count: Int) -> BookPages {
    var pages = self
    pages.book.setVolume(number, of: count)
    let front = FrontMatter(
      book: pages.book, geometry: geometry, styles: BookStyles(geometry), typesetter: Typesetter()
    )
    .pages(for: edition)
    pages.pages.replaceSubrange(0..<front.count, with: front)
    return pages
  }
}
