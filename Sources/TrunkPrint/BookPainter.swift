import CairoKit
import TreePicture
import TrunkKit
import VectorGraphics

/// Draws the pages of a book.
public final class BookPainter {
  public let pages: BookPages
  /// The pages on each side of the sheets, from 0: two in a booklet. Numbers beyond the last page are blank.
  public let sides: [[Int]]
  private let typesetter = Typesetter()

  public init(_ pages: BookPages) {
    self.pages = pages
    sides = pages.edition == .booklet ? BookPainter.bookletSides(pages: pages.count) : (0..<pages.count).map { [$0] }
  }

  /// What is printed on: in a booklet, twice as wide as a page.
  public var sheet: Paper {
    Paper(width: pages.paper.width * (pages.edition == .booklet ? 2 : 1), height: pages.paper.height)
  }

  /// Draws a side of a sheet, from 0.
  public func draw(side: Int, on cairo: OpaquePointer) {
    for (position, page) in sides[side].enumerated() {
      Painter(cairo).moved(by: Point(pages.paper.width * Double(position), 0)) { draw(page: page, on: cairo) }
    }
  }

  /// Draws a page.
  /// - Parameters:
  ///   - index: from 0. A page after the last one is blank.
  ///   - cairo: a context in points, with its origin in the page's upper left corner.
  public func draw(page index: Int, on cairo: OpaquePointer) {
    guard pages.pages.indices.contains(index) else { return }
    let page = pages.pages[index]
    if page.isCover {
      Painter(cairo).paint(BookPainter.coverPaper(width: pages.paper.width, height: pages.paper.height))
    } else {
      drawCorner(index, on: cairo)
    }
    draw(page, on: cairo)
  }

  func draw(_ page: BookPages.Page, on cairo: OpaquePointer) {
    for illustration in page.illustrations { BookPainter.draw(illustration, on: cairo) }
    for text in page.placements { typesetter.draw(text.text, lines: text.lines, x: text.x, y: text.y, on: cairo) }
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
    guard pages.edition != .screen, index % 2 == 0, let trees = pages.book.whole?.flipTrees, !trees.isEmpty
    else { return }
    let (size, edge) = (16 * Paper.millimetre, 7 * Paper.millimetre)
    let tree = trees[min(index * trees.count / pages.count, trees.count - 1)]
    // A picture of 300 dots an inch is smaller than the outlines of a tree.
    let snapshot = Snapshot(width: size, height: size, scale: 300.0 / 72) { cairo in
      Painter(cairo).paint(tree.drawing(size: size))
    }
    let corner = Point(pages.paper.width - edge - size, pages.paper.height - edge - size)
    snapshot.show(on: cairo, x: corner.x, y: corner.y, scale: 1)
  }

  private static func draw(_ illustration: BookPages.Illustration, on cairo: OpaquePointer) {
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
    case .sun: painter.paint(sun, scale: width / 2, offset: center)
    case .drop: painter.paint(drop, scale: 3.4, offset: center)
    case .rule:
      var rule = Drawing()
      rule.stroke(.line(from: Point(0, 0), to: Point(width, 0)), Color(0xC9A77C), width: 0.6)
      painter.paint(rule, offset: Point(corner.x, center.y))
    }
  }

  /// The pages as a PDF file. Single pages have a table of contents for its reader. The sheets of a booklet are turned
  /// on their short edge, folded in the middle and nested.
  /// - Parameter progress: called before each side with the finished share, 0…1; throws to cancel.
  public func pdf(progress: (Double) throws -> Void = { _ in }) throws -> [UInt8] {
    let surface = try Surface(.pdf, width: sheet.width, height: sheet.height)
    surface.setTitle(pages.book.title)
    if !pages.book.author.isEmpty { surface.setAuthor(pages.book.author) }
    for side in sides.indices {
      try progress(Double(side) / Double(sides.count))
      draw(side: side, on: surface.cairo)
      surface.showPage()
    }
    var parents: [Int: Int32] = [:]
    for heading in pages.headings where pages.edition != .booklet {
      parents[heading.level] = surface.addOutline(
        heading.title, page: heading.page, below: parents[heading.level - 1])
    }
    return try surface.finish()
  }

  /// The sides of sheets in sections of four.
  static func bookletSides(pages count: Int) -> [[Int]] {
    let all = (count + 3) / 4 * 4
    var sides: [[Int]] = []
    for first in stride(from: 0, to: all, by: 16) {
      let last = min(first + 16, all) - 1
      for side in 0..<(last - first + 1) / 2 {
        sides.append(side % 2 == 0 ? [last - side, first + side] : [first + side, last - side])
      }
    }
    return sides
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
