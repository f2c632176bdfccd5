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
    if page.isCover { Painter(cairo).paint(BookPainter.coverPaper(width: paper.width, height: paper.height)) }
    for illustration in page.illustrations { BookPainter.draw(illustration, on: cairo) }
    if !page.isCover { drawCorner(index, on: cairo) }
    for placement in page.placements {
      typesetter.draw(placement.text, lines: placement.lines, x: placement.x, y: placement.y, on: cairo)
    }
  }

  /// The paper of a cover.
  static func coverPaper(width: Double, height: Double) -> Drawing {
    var drawing = Drawing()
    let corners = [Point(0, 0), Point(width, 0), Point(width, height), Point(0, height)]
    drawing.fill(.polygon(corners), Color(0xF8F2E6))
    return drawing
  }

  /// A tree of 16 mm at the lower outer corner of a right page, 7 mm from both edges. While the pages are flipped, it
  /// grows through the book's time.
  private func drawCorner(_ index: Int, on cairo: OpaquePointer) {
    guard pages.edition != .screen, index % 2 == 0, let trees = pages.book.whole?.flipTrees, !trees.isEmpty else {
      return
    }
    let (size, edge) = (16 * Paper.millimetre, 7 * Paper.millimetre)
    let tree = trees[min(index * trees.count / pages.count, trees.count - 1)]
    // A picture of 300 dots an inch is smaller than the outlines of a tree.
    let snapshot = Snapshot(width: size, height: size, scale: 300.0 / 72) { cairo in
      Painter(cairo).paint(tree.drawing(size: size))
    }
    snapshot.show(on: cairo, x: paper.width - edge - size, y: paper.height - edge - size, scale: 1)
  }

  static func draw(_ illustration: BookPages.Illustration, on cairo: OpaquePointer) {
    let (painter, width) = (Painter(cairo), illustration.width)
    let center = Point(illustration.x, illustration.y)
    let corner = center - Point(width / 2, width / 2)
    switch illustration.picture {
    case .tree(let tree): painter.paint(tree.drawing(size: width), offset: corner)
    case .ring(let gains, let marked):
      let section = CrossSection(gains, center: center, radius: width / 2 / CrossSection.bark)
      // Seasons colour leaves, not wood.
      painter.paint(section.drawing(Palette(.light, yearShare: nil), lineWidth: 0.4, marked: marked))
    case .leaflet(let leaflet, let season):
      let height = width * 0.6
      let palette = Palette(.light, yearShare: season)
      let picture = SproutPicture(leaflet, width: width, height: height, palette: palette)
      painter.paint(picture.drawing, offset: center - Point(width / 2, height / 2))
    case .leaf(let season):
      var leaflet = TreeState.Leaflet(
        sproutID: "leaf", season: .oneYear, stage: .harvested(result: 5),
        waterings: (0..<14).map { .init(share: Float($0) / 14, day: $0) })
      leaflet.daysSinceHarvest = 0
      let picture = SproutPicture(
        leaflet, width: width, height: width * 0.6, palette: Palette(.light, yearShare: season))
      painter.moved(by: center + Point(-width * 0.57, width * 0.12), turn: -0.75) { painter.paint(picture.drawing) }
    case .sprout: painter.paint(sprout, scale: width / 2, offset: center + Point(0, width / 2))
    case .sun: painter.paint(sun, scale: width / 2, offset: center)
    case .drop: painter.paint(drop, scale: 3.4, offset: center)
    case .rule:
      var rule = Drawing()
      rule.stroke(.line(from: Point(0, 0), to: Point(width, 0)), Color(0xC9A77C), width: 0.6)
      painter.paint(rule, offset: Point(corner.x, center.y))
    }
  }

  /// All pages as a PDF file, with a table of contents for its reader.
  /// - Parameter progress: called before each page with the finished share, 0…1; throws to cancel.
  public func pdf(progress: (Double) throws -> Void = { _ in }) throws -> [UInt8] {
    let surface = try surface(width: paper.width)
    for index in pages.pages.indices {
      try progress(Double(index) / Double(count))
      draw(page: index, on: surface.cairo)
      surface.showPage()
    }
    var parents: [Int: Int32] = [:]
    for heading in pages.headings {
      parents[heading.level] = surface.addOutline(
        heading.title, page: heading.page, below: parents[heading.level - 1])
    }
    return try surface.finish()
  }

  /// Two pages on each side of a sheet of twice their size, in sections of four sheets. The sheets are turned on their
  /// short edge, folded in the middle and put into each other.
  public func booklet() throws(Surface.Failure) -> [UInt8] {
    let surface = try surface(width: paper.width * 2)
    for side in BookPainter.bookletSides(pages: count) {
      for (index, x) in [(side.left, 0), (side.right, paper.width)] {
        Painter(surface.cairo).moved(by: Point(x, 0)) { draw(page: index, on: surface.cairo) }
      }
      surface.showPage()
    }
    return try surface.finish()
  }

  /// The pages on each side of the sheets, from 0; numbers beyond the last one are blank.
  static func bookletSides(pages count: Int) -> [(left: Int, right: Int)] {
    let all = (count + 3) / 4 * 4
    return stride(from: 0, to: all, by: 16).flatMap { first in
      let last = min(first + 16, all) - 1
      return (0..<(last - first + 1) / 2).map { side in
        side % 2 == 0 ? (last - side, first + side) : (first + side, last - side)
      }
    }
  }

  private func surface(width: Double) throws(Surface.Failure) -> Surface {
    let surface = try Surface(.pdf, width: width, height: paper.height)
    surface.setTitle(pages.book.title)
    if !pages.book.author.isEmpty { surface.setAuthor(pages.book.author) }
    return surface
  }
}

extension JournalBook.Tree {
  /// In a square.
  func drawing(size: Double) -> Drawing {
    let palette = Palette(.light, yearShare: season)
    return TreePicture(state, width: size, height: size, palette: palette, fontSize: nil).drawing
  }
}

/// A disc with rays; its radius is 1.
private let sun: Drawing = {
  var drawing = Drawing()
  let color = Color(0xC9952B)
  drawing.fill(.circle(Point(0, 0), radius: 0.45), color)
  let rays = (0..<8).map { number in
    let direction = Point(angle: Double(number) * .pi / 4)
    return Path.line(from: direction * 0.62, to: direction * 0.95)
  }
  drawing.stroke(Path(rays), color, width: 0.12)
  return drawing
}()

/// A hollow drop; its height is about 2.
private let drop: Drawing = {
  var drawing = Drawing()
  let outline = Path { path in
    path.move(to: Point(0, -1))
    path.curve(Point(0.3, -0.4), Point(0.62, -0.1), to: Point(0.62, 0.38))
    path.curve(Point(0.62, 1.2), Point(-0.62, 1.2), to: Point(-0.62, 0.38))
    path.curve(Point(-0.62, -0.1), Point(-0.3, -0.4), to: Point(0, -1))
    path.close()
  }
  drawing.stroke(outline, Color(0x736357), width: 0.16)
  return drawing
}()

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
