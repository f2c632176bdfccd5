import CairoKit
import TrunkKit

/// The pages of a journal as a book: a title page, its back, and the text.
///
/// It is a value that can be made on any thread; `BookPainter` draws it.
public struct BookPages: Sendable {
  /// A text at a position on a page.
  struct Placement: Sendable, Equatable {
    let text: TypesetText
    /// The lines of the text on this page; `nil` for all.
    let lines: Range<Int>?
    let x: Double
    let y: Double
  }

  /// A picture on the vertical axis of a page.
  enum Ornament: Sendable, Equatable {
    /// The sprout of the program's icon, with the y position of its foot.
    case sprout(foot: Double)
    /// The trunk of a year in growth, with the y position of its middle and its radius with the bark.
    case rings(JournalBook.Rings, middle: Double, radius: Double)
  }

  /// A line of the table of contents.
  struct Heading: Sendable, Equatable {
    let title: String
    /// 1 for a part, 2 for a section.
    let level: Int
    let page: Int
  }

  /// One page.
  struct Page: Sendable {
    var placements: [Placement] = []
    /// The picture on the title page; `nil` on other pages.
    var ornament: Ornament?
    /// The lines of blocks on this page.
    var runs: [PageBreaks.Run] = []
  }

  public let paper: Paper
  let title: String
  let author: String
  let pages: [Page]
  let headings: [Heading]
  /// The blocks to which the runs of the pages refer.
  let blocks: [BookBlock]

  /// The number of pages.
  public var count: Int { pages.count }

  public init(_ book: JournalBook, on paper: Paper) {
    let typesetter = Typesetter()
    let geometry = PageGeometry(paper)
    let styles = BookStyles(size: geometry.size)
    (self.paper, title, author) = (paper, book.title, book.author)
    let blocks = BookBlocks(book, geometry, styles, typesetter).blocks
    let runs = PageBreaks.pages(blocks.map(\.breaks), height: geometry.textHeight)
    let front = FrontMatter(book, geometry, styles, typesetter)
    var pages = [front.titlePage, front.back]
    var headings: [Heading] = []
    for runs in runs {
      let number = pages.count + 1
      pages.append(TextPage(number, runs, blocks, of: book, geometry, styles).page)
      for run in runs where run.lines.lowerBound == 0 {
        let block = blocks[run.block]
        if let level = block.level { headings.append(Heading(title: block.text.text, level: level, page: number)) }
      }
    }
    (self.blocks, self.pages, self.headings) = (blocks, pages, headings)
  }
}

/// Places the lines of a page, with the running head, the page number and the dates in the margin.
private struct TextPage {
  private(set) var page = BookPages.Page()
  private let number: Int
  private let geometry: PageGeometry
  private let styles: BookStyles

  init(
    _ number: Int, _ runs: [PageBreaks.Run], _ blocks: [BookBlock], of book: JournalBook, _ geometry: PageGeometry,
    _ styles: BookStyles
  ) {
    (self.number, self.geometry, self.styles) = (number, geometry, styles)
    page.runs = runs
    var lastMark: String?
    for run in runs {
      let block = blocks[run.block]
      let y = geometry.top + run.y
      page.placements.append(.init(text: block.text, lines: run.lines, x: geometry.textLeft(page: number), y: y))
      guard run.lines.lowerBound == 0, let mark = block.mark, mark != lastMark else { continue }
      // The mark shares the baseline of the line beside it.
      addMark(mark, styles.mark, y: y + (block.text.style.leading - styles.mark.leading) * 0.74)
      lastMark = mark
    }
    guard let first = runs.first.map({ blocks[$0.block] }) else { return }
    addMark("\(number)", styles.number, y: geometry.headTop)
    // A page that begins with a heading needs no running head.
    if first.level == nil { addHead(geometry.isRight(number) ? first.section : book.title) }
  }

  private mutating func addHead(_ text: String) {
    var style = styles.head
    if geometry.isRight(number) { style.alignment = .right }
    page.placements.append(
      .init(
        text: TypesetText(text, style, width: geometry.measure, maxLines: 1), lines: nil,
        x: geometry.textLeft(page: number), y: geometry.headTop))
  }

  private mutating func addMark(_ text: String, _ style: TextStyle, y: Double) {
    var style = style
    if !geometry.isRight(number) { style.alignment = .right }
    page.placements.append(
      .init(
        text: TypesetText(text, style, width: geometry.markWidth, maxLines: 1), lines: nil,
        x: geometry.markLeft(page: number), y: y))
  }
}
