import CairoKit
import Localization
import TreePicture
import TrunkKit
import VectorGraphics

/// The cover of a book for a print shop: back, spine and front on one sheet with bleed, cut and fold marks.
public struct BookCover {
  private let book: JournalBook
  private let geometry: PageGeometry
  private let styles: BookStyles
  /// The width of the spine.
  let spine: Double

  private static let bleed = 3 * Paper.millimetre
  /// Around the bleed, for marks.
  private static let margin = 10 * Paper.millimetre
  /// In millimetres, of the paper of most print shops.
  public static let leafThickness = 0.11
  /// A narrower spine has no text.
  private static let narrowest = 6 * Paper.millimetre

  /// - Parameter thickness: of a leaf, in millimetres.
  public init(_ pages: BookPages, leafThickness thickness: Double = leafThickness) {
    (book, geometry) = (pages.book, pages.geometry)
    styles = BookStyles(geometry)
    spine = (Double(pages.count / 2) * thickness + 0.6) * Paper.millimetre
  }

  /// - Returns: the file; `nil` for a book without a cover.
  public func pdf() throws(Surface.Failure) -> [UInt8]? {
    guard let whole = book.whole else { return nil }
    let (page, edge) = (geometry.paper, BookCover.bleed + BookCover.margin)
    let (width, height) = (2 * page.width + spine, page.height)
    let surface = try Surface(.pdf, width: width + 2 * edge, height: height + 2 * edge)
    surface.setTitle(book.title)
    let painter = Painter(surface.cairo)
    let bleed = BookCover.bleed
    painter.paint(
      BookPainter.coverPaper(width: width + 2 * bleed, height: height + 2 * bleed),
      offset: Point(BookCover.margin, BookCover.margin))
    painter.moved(by: Point(edge, edge)) {
      var band = Drawing()
      let (left, right) = (page.width, page.width + spine)
      let corners = [
        Point(left, -bleed), Point(right, -bleed), Point(right, height + bleed), Point(left, height + bleed),
      ]
      band.fill(.polygon(corners), Palette.spine(whole.years.upperBound))
      painter.paint(band)
      drawBack(whole, on: surface.cairo)
      if spine >= BookCover.narrowest { drawSpine(on: surface.cairo) }
      let front = FrontMatter(book, geometry, styles, Typesetter()).cover(whole)
      painter.moved(by: Point(right, 0)) { draw(front, on: surface.cairo) }
      painter.paint(marks(width: width, height: height))
    }
    surface.showPage()
    return try surface.finish()
  }

  private func draw(_ page: BookPages.Page, on cairo: OpaquePointer) {
    let typesetter = Typesetter()
    for illustration in page.illustrations { BookPainter.draw(illustration, on: cairo) }
    for text in page.placements { typesetter.draw(text.text, x: text.x, y: text.y, on: cairo) }
  }

  /// The ring and a sentence.
  private func drawBack(_ whole: JournalBook.Whole, on cairo: OpaquePointer) {
    let (width, height) = (geometry.paper.width, geometry.paper.height)
    var page = BookPages.Page()
    page.illustrations.append(
      .init(picture: .ring(whole.gains, marked: whole.ring), x: width / 2, y: height * 0.33, width: width * 0.34))
    let typesetter = Typesetter()
    var y = height * 0.55
    let quote = whole.quote.isEmpty ? "" : tr("“{text}”", ["text": whole.quote])
    for (text, style) in [(quote, styles.dedication), (whole.quoteDay, styles.small)] where !text.isEmpty {
      let text = typesetter.balanced(TypesetText(text, style, width: width * 0.66, maxLines: 4))
      page.placements.append(.init(text: text, lines: nil, x: (width - text.width) / 2, y: y))
      y += Double(typesetter.lineCount(of: text)) * style.leading + 6
    }
    draw(page, on: cairo)
  }

  /// The year and the name, read from the top as the book lies on its back.
  private func drawSpine(on cairo: OpaquePointer) {
    let typesetter = Typesetter()
    var style = styles.author.aligned(.start)
    (style.size, style.leading, style.color) = (min(style.size, spine * 0.55), spine, Color(0xFFFFFF))
    let (height, inset) = (geometry.paper.height, 16 * geometry.unit)
    Painter(cairo).moved(by: Point(geometry.paper.width + spine, 0), turn: .pi / 2) {
      let width = height - 2 * inset
      typesetter.draw(TypesetText(book.title, style, width: width, maxLines: 1), x: inset, y: 0, on: cairo)
      let author = TypesetText(book.author, style.aligned(.right), width: width, maxLines: 1)
      if !book.author.isEmpty { typesetter.draw(author, x: inset, y: 0, on: cairo) }
    }
  }

  /// Lines outside the bleed, where the sheet is cut and folded.
  private func marks(width: Double, height: Double) -> Drawing {
    let (near, far) = (BookCover.bleed + 1, BookCover.bleed + BookCover.margin * 0.8)
    let (page, spine) = (geometry.paper.width, spine)
    var lines: [Path] = []
    for x in [0, page, page + spine, width] {
      lines.append(.line(from: Point(x, -far), to: Point(x, -near)))
      lines.append(.line(from: Point(x, height + near), to: Point(x, height + far)))
    }
    for y in [0, height] {
      lines.append(.line(from: Point(-far, y), to: Point(-near, y)))
      lines.append(.line(from: Point(width + near, y), to: Point(width + far, y)))
    }
    var drawing = Drawing()
    drawing.stroke(Path(lines), Color(0x000000), width: 0.4)
    return drawing
  }
}

extension Palette {
  /// The colour of a spine: one of the leaves', by the number of the year.
  static func spine(_ year: Int32) -> Color {
    let colors: [UInt32] = [
      0x2F7D3C, 0xD9822B, 0x6B8A92, 0x6AA744, 0xC2452D, 0xB08A2A, 0xA8652B, 0x4A9A45, 0x5F7F7C, 0x286B39,
    ]
    return Color(colors[abs(Int(year)) % colors.count])
  }
}
