import CairoKit
import TreePicture
import TrunkKit
import VectorGraphics

/// The cover of a book for a print shop: back, spine and front on one sheet with bleed, cut and fold marks.
public struct BookCover {
  private let painter: BookPainter
  private let whole: JournalBook.Whole
  /// Of a page.
  private let width, height: Double
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
  /// - Returns: `nil` for a book of a part of the journal.
  init?(_ painter: BookPainter, leafThickness thickness: Double = leafThickness) {
    guard let whole = painter.pages.book.whole else { return nil }
    (self.painter, self.whole) = (painter, whole)
    (width, height) = (painter.pages.paper.width, painter.pages.paper.height)
    spine = (Double(painter.pages.count / 2) * thickness + 0.6) * Paper.millimetre
  }

  func pdf() throws(Surface.Failure) -> [UInt8] {
    let (book, geometry, bleed) = (painter.pages.book, painter.pages.geometry, BookCover.bleed)
    let (edge, sheet) = (bleed + BookCover.margin, 2 * width + spine)
    let surface = try Surface(.pdf, width: sheet + 2 * edge, height: height + 2 * edge)
    surface.setTitle(book.title)
    let front = FrontMatter(
      book: book, geometry: geometry, styles: BookStyles(geometry), typesetter: Typesetter())
    let canvas = Painter(surface.cairo)
    canvas.paint(
      BookPainter.coverPaper(width: sheet + 2 * bleed, height: height + 2 * bleed),
      offset: Point(BookCover.margin, BookCover.margin))
    canvas.moved(by: Point(edge, edge)) {
      painter.draw(front.coverBack(whole), on: surface.cairo)
      drawSpine(book, front.styles, on: surface.cairo)
      canvas.moved(by: Point(width + spine, 0)) { painter.draw(front.cover(whole), on: surface.cairo) }
      canvas.paint(marks)
    }
    surface.showPage()
    return try surface.finish()
  }

  /// The year and the name, read from the top as the book lies on its back.
  private func drawSpine(_ book: JournalBook, _ styles: BookStyles, on cairo: OpaquePointer) {
    let (bleed, inset) = (BookCover.bleed, 16 * painter.pages.geometry.unit)
    Painter(cairo).moved(by: Point(width + spine, 0), turn: .pi / 2) {
      var band = Drawing()
      let (top, bottom) = (-bleed, height + bleed)
      band.fill(
        .polygon([Point(top, 0), Point(bottom, 0), Point(bottom, spine), Point(top, spine)]),
        Palette.spine(whole.years.upperBound))
      Painter(cairo).paint(band)
      guard spine >= BookCover.narrowest else { return }
      var style = styles.author
      (style.size, style.leading, style.color) = (min(style.size, spine * 0.55), spine, Color(0xFFFFFF))
      var page = BookPages.Page()
      for (text, alignment) in [(book.title, TextStyle.Alignment.start), (book.author, .right)] where !text.isEmpty {
        let width = height - 2 * inset
        page.add(TypesetText(text, style.aligned(alignment), width: width, maxLines: 1), x: inset, y: 0)
      }
      painter.draw(page, on: cairo)
    }
  }

  /// Lines outside the bleed, where the sheet is cut and folded.
  private var marks: Drawing {
    let (near, far) = (BookCover.bleed + 1, BookCover.bleed + BookCover.margin * 0.8)
    let right = 2 * width + spine
    let upright = [0, width, width + spine, right].flatMap { x in
      [(Point(x, -far), Point(x, -near)), (Point(x, height + near), Point(x, height + far))]
    }
    let level = [0, height].flatMap { y in
      [(Point(-far, y), Point(-near, y)), (Point(right + near, y), Point(right + far, y))]
    }
    var drawing = Drawing()
    drawing.stroke(Path((upright + level).map { .line(from: $0, to: $1) }), Color(0x000000), width: 0.4)
    return drawing
  }
}

extension Palette {
  /// The colour of a spine: one of the leaves', by the number of the year.
  fileprivate static func spine(_ year: Int32) -> Color {
    let colors: [UInt32] = [
      0x2F7D3C, 0xD9822B, 0x6B8A92, 0x6AA744, 0xC2452D, 0xB08A2A, 0xA8652B, 0x4A9A45, 0x5F7F7C, 0x286B39,
    ]
    return Color(colors[abs(Int(year)) % colors.count])
  }
}
