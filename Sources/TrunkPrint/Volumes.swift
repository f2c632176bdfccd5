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
    var volumes: [BookPages] = []
    var first: Int32?
    for year in years {
      progress(year)
      let range = (first ?? year)...year
      let book = try await book(BookSelection(years: range), author: author, choices)
      if book.whole == nil { continue }
      let pages = await GardenModel.pages(book, paper, edition)
      if pages.count < GardenModel.fewestPages, range.count < GardenModel.mostYears, year < years.upperBound {
        first = range.lowerBound
      } else {
        volumes.append(pages)
        first = nil
      }
    }
    let count = volumes.count
    var numbered: [BookPages] = []
    for (position, pages) in volumes.enumerated() {
      numbered.append(await GardenModel.pages(pages.book.volume(position + 1, of: count), paper, edition))
    }
    return numbered
  }

  @concurrent private nonisolated static func pages(
    _ book: JournalBook, _ paper: Paper, _ edition: BookEdition
  ) async -> BookPages {
    BookPages(book, on: paper, for: edition)
  }
}
