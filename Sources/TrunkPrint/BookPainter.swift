import CairoKit
import TreePicture
import TrunkKit
import VectorGraphics

/// Draws the pages of a book.
public final class BookPainter {
  private let pages: BookPages
  private let typesetter = Typesetter()

  public init(_ pages: BookPages) {
    self.pages = pages
  }

  /// The size of the pages.
  public var paper: Paper { pages.paper }

  /// The number of pages.
  public var count: Int { pages.count }

  /// Draws a page.
  /// - Parameters:
  ///   - index: from 0.
  ///   - cairo: a context in points, with its origin in the page's upper left corner.
  public func draw(page index: Int, on cairo: OpaquePointer) {
    guard pages.pages.indices.contains(index) else { return }
    let page = pages.pages[index]
    if let ornament = page.ornament { draw(ornament, on: cairo) }
    for placement in page.placements {
      typesetter.draw(placement.text, lines: placement.lines, x: placement.x, y: placement.y, on: cairo)
    }
  }

  private func draw(_ ornament: BookPages.Ornament, on cairo: OpaquePointer) {
    let middle = pages.paper.width / 2
    switch ornament {
    case .sprout(let foot): Painter(cairo).paint(sprout, scale: pages.paper.width / 24, offset: Point(middle, foot))
    case .rings(let rings, let y, let radius):
      let section = CrossSection(rings.gains, center: Point(middle, y), radius: radius / CrossSection.bark)
      // Seasons colour leaves, not wood.
      let palette = Palette(.light, yearShare: nil)
      Painter(cairo).paint(section.drawing(palette, lineWidth: 0.6, marked: rings.marked))
    }
  }

  /// All pages as a PDF file, with a table of contents for its reader.
  public func pdf() throws(Surface.Failure) -> [UInt8] {
    let surface = try Surface(.pdf, width: pages.paper.width, height: pages.paper.height)
    surface.setTitle(pages.title)
    if !pages.author.isEmpty { surface.setAuthor(pages.author) }
    for index in pages.pages.indices {
      draw(page: index, on: surface.cairo)
      surface.showPage()
    }
    var part: Int32?
    for heading in pages.headings {
      let entry = surface.addOutline(
        heading.title, page: heading.page, below: heading.level == 1 ? nil : part)
      if heading.level == 1 { part = entry }
    }
    return try surface.finish()
  }
}

/// A stem with two leaves, as on the program's icon: its foot is the origin, and its height about 2.
private let sprout: Drawing = {
  var drawing = Drawing()
  let stem = Path { path in
    path.move(to: Point(0, 0))
    path.curve(Point(-0.02, -0.4), Point(0.02, -0.7), to: Point(0, -0.95))
  }
  drawing.stroke(stem, BookStyles.wood, width: 0.07)
  let leaves = Path { path in
    path.move(to: Point(0, -0.95))
    path.curve(Point(0.1, -1.5), Point(0.55, -1.75), to: Point(1.05, -1.7))
    path.curve(Point(1, -1.2), Point(0.6, -0.9), to: Point(0, -0.95))
    path.move(to: Point(0, -0.6))
    path.curve(Point(-0.1, -1.05), Point(-0.45, -1.25), to: Point(-0.85, -1.2))
    path.curve(Point(-0.8, -0.8), Point(-0.5, -0.55), to: Point(0, -0.6))
  }
  drawing.fill(leaves, BookStyles.wood)
  return drawing
}()
