import CairoKit
import Localization
import TrunkKit

/// The pages before the text.
struct FrontMatter {
  /// The title page of a book of a part of the journal, and its back.
  private(set) var titlePage = BookPages.Page()
  private(set) var back = BookPages.Page()

  private let book: JournalBook
  private let geometry: PageGeometry
  private let styles: BookStyles
  private let typesetter: Typesetter

  private static let titleLines = 5

  init(_ book: JournalBook, _ geometry: PageGeometry, _ styles: BookStyles, _ typesetter: Typesetter) {
    (self.book, self.geometry, self.styles, self.typesetter) = (book, geometry, styles, typesetter)
    guard book.whole == nil else { return }
    let (width, height) = (geometry.paper.width, geometry.paper.height)
    var y = height * 0.24
    titlePage.illustrations.append(.init(picture: .sprout, x: width / 2, y: y - width / 24, width: width / 12))
    y += height * 0.06
    y += place(book.subtitle, styles.subtitle, at: y, on: &titlePage) + geometry.leading * 0.4
    y += place(book.title, styles.title, at: y, on: &titlePage, maxLines: FrontMatter.titleLines)
    place(book.dates, styles.dates, at: y + geometry.leading * 0.6, on: &titlePage)
    place(book.author, styles.author, at: height * 0.82, on: &titlePage, maxLines: 1)
    let count = trn("{n} entry", "{n} entries", book.count)
    let colophon = tr("{entries}, kept with Trunk", ["entries": count])
    place(colophon, styles.colophon.aligned(.centre), at: height * 0.86, on: &back)
  }

  /// The front of the cover: the name, the tree and the year.
  func cover(_ whole: JournalBook.Whole) -> BookPages.Page {
    var page = BookPages.Page(isCover: true)
    let (width, height) = (geometry.paper.width, geometry.paper.height)
    place(book.author, styles.author, at: height * 0.052, on: &page, maxLines: 1)
    let size = min(width * 0.92, height * 0.68)
    page.illustrations.append(.init(picture: .tree(whole.coverTree), x: width / 2, y: height * 0.45, width: size))
    place(book.title, styles.title, at: height * 0.81, on: &page, maxLines: 1)
    place(subtitle, styles.dedication, at: height * 0.905, on: &page, maxLines: 1)
    return page
  }

  func titlePage(_ whole: JournalBook.Whole) -> BookPages.Page {
    var page = BookPages.Page()
    let (width, height) = (geometry.paper.width, geometry.paper.height)
    var y = geometry.top + 8 * geometry.unit
    y += place(book.author, styles.author, at: y, on: &page, maxLines: 1) + 4 * geometry.unit
    y += place(book.title, styles.title, at: y, on: &page, maxLines: 1)
    place(subtitle, styles.dedication, at: y, on: &page, maxLines: 1)
    page.illustrations.append(
      .init(picture: .tree(whole.titleTree), x: width / 2, y: height * 0.62, width: min(width * 0.5, height * 0.4)))
    return page
  }

  /// The back of the title page, with the colophon at its foot.
  func dedication(_ whole: JournalBook.Whole) -> BookPages.Page {
    var page = BookPages.Page()
    var y = geometry.paper.height * 0.38
    for line in whole.dedication { y += place(line, styles.dedication, at: y, on: &page) }
    var lines = whole.colophon.map { TypesetText($0, styles.colophon, width: geometry.measure, maxLines: 3) }
    y = geometry.bottom
    while let line = lines.popLast() {
      y -= Double(typesetter.lineCount(of: line)) * line.style.leading
      page.placements.append(.init(text: line, lines: nil, x: geometry.textLeft(page: 2), y: y))
    }
    return page
  }

  private var subtitle: String { book.subtitle.prefix(1).lowercased() + book.subtitle.dropFirst() }

  /// - Returns: the height of the text; 0 for an empty one.
  @discardableResult
  private func place(
    _ text: String, _ style: TextStyle, at y: Double, on page: inout BookPages.Page, maxLines: Int = 2
  ) -> Double {
    guard !text.isEmpty else { return 0 }
    // Centred on the page, not between its uneven margins.
    let width = geometry.paper.width * 0.72
    let text = TypesetText(text, style, width: width, maxLines: maxLines)
    page.placements.append(.init(text: text, lines: nil, x: (geometry.paper.width - width) / 2, y: y))
    return Double(typesetter.lineCount(of: text)) * style.leading
  }
}
