import CairoKit
import Localization
import TrunkKit

/// The cover, and the pages before the text.
struct FrontMatter {
  let book: JournalBook
  let geometry: PageGeometry
  let styles: BookStyles
  let typesetter: Typesetter

  private static let titleLines = 5

  /// The front of the cover: the name, the tree and the year.
  func cover(_ whole: JournalBook.Whole) -> BookPages.Page {
    let (width, height) = (geometry.paper.width, geometry.paper.height)
    var column = column(at: height * 0.052)
    column.page.isCover = true
    column.add(book.author, styles.author)
    column.add(.tree(whole.coverTree), at: height * 0.45, width: min(width * 0.92, height * 0.68))
    column.y = height * 0.81
    column.add(book.title, styles.title)
    column.y = height * 0.905
    column.add(book.subtitle, styles.dedication)
    return column.page
  }

  /// Its back: the ring and a sentence.
  func coverBack(_ whole: JournalBook.Whole) -> BookPages.Page {
    let (width, height) = (geometry.paper.width, geometry.paper.height)
    var column = column(at: height * 0.55)
    column.add(.ring(whole.gains, marked: whole.ring), at: height * 0.33, width: width * 0.34)
    if !whole.quote.isEmpty { column.add(tr("“{text}”", ["text": whole.quote]), styles.dedication, maxLines: 4) }
    column.y += 6
    column.add(whole.quoteDay, styles.small)
    return column.page
  }

  /// What comes before the contents. A print shop gets the cover as another file.
  func pages(for edition: BookEdition) -> [BookPages.Page] {
    guard edition != .printShop, let whole = book.whole else { return [titlePage, back] }
    return [cover(whole), BookPages.Page(), titlePage, back]
  }

  private var titlePage: BookPages.Page {
    let (width, height) = (geometry.paper.width, geometry.paper.height)
    var column = column(at: geometry.top + 8 * geometry.unit)
    column.add(book.author, styles.author)
    column.y += 4 * geometry.unit
    column.add(book.title, styles.title, maxLines: FrontMatter.titleLines)
    column.add(book.subtitle, styles.dedication, maxLines: 2)
    column.add(book.dates, styles.dedication)
    if let tree = book.whole?.titleTree {
      column.add(.tree(tree), at: height * 0.62, width: min(width * 0.5, height * 0.4))
    } else {
      column.add(.leaf(season: 0.5), at: height * 0.72, width: width / 6)
    }
    return column.page
  }

  /// The back of the title page: the dedication, and the colophon at its foot.
  private var back: BookPages.Page {
    var column = column(at: geometry.paper.height * 0.38)
    for line in book.whole?.dedication ?? [] { column.add(line, styles.dedication, maxLines: 2) }
    let colophon = book.colophon.map {
      TypesetText($0, styles.small.aligned(.centre), width: column.width, maxLines: 3)
    }
    column.y = geometry.bottom - colophon.reduce(0) { $0 + typesetter.height(of: $1) }
    for line in colophon { column.add(line) }
    return column.page
  }

  /// A column in the middle of the page, not between its uneven margins.
  private func column(at y: Double) -> PageColumn {
    let width = geometry.paper.width * 0.72
    return PageColumn(
      left: (geometry.paper.width - width) / 2, width: width, y: y, alignment: .centre, typesetter: typesetter)
  }
}
