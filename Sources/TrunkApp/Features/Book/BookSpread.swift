import CairoKit
import GtkKit
import Localization
import TrunkPrint
import VectorGraphics

/// An open book: two facing pages, or in a narrow window one. Keys, the wheel and clicks turn them.
final class BookSpread {
  /// A slider for screen readers, whose value are the pages.
  let widget = sliderDrawing(height: BookSpread.leastHeight, name: tr("Pages"))

  /// Called when other pages are shown.
  var onTurn: (() -> Void)?

  private(set) var open = OpenPages(count: 0)
  var pages: BookPages? { painter?.pages }
  private var painter: BookPainter?
  /// The pages that are shown, as they were painted at a width.
  private var painted: (pages: [Int: Snapshot], width: Double) = ([:], 0)

  private static let leastHeight = 240
  /// Around the paper, in pixels.
  private static let margin = 16.0
  /// A narrower place shows one page, in pixels.
  private static let singleWidth = 440.0

  init() {
    widget.css("book").focusable(true).hexpand().vexpand()
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.onKey { [weak self] in self?.take($0) ?? false }
    widget.onWheel { [weak self] turns in
      self?.turn(forward: turns > 0)
      return true
    }
    widget.onClick { [weak self] _, x, _ in
      guard let self else { return }
      widget.focus()
      turn(forward: x > Double(widget.width) / 2)
    }
    // This runs during size allocation, when no text may change.
    widget.on("resize") { [weak self] in Task { self?.fit() } }
    widget.keeps(self)
  }

  /// Shows a book at the place where the one before was open.
  /// - Parameter page: is shown instead, from 0.
  func show(_ pages: BookPages, at page: Int? = nil) {
    painter = BookPainter(pages)
    painted = ([:], 0)
    let moved = open.count == 0 ? OpenPages(count: pages.count, isSingle: open.isSingle) : open.moved(to: pages.count)
    show(page.map { moved.opened(at: $0) } ?? moved)
  }

  func turn(forward: Bool) { show(open.turned(forward: forward)) }

  /// Turns the pages for a key.
  /// - Returns: whether it does so.
  func take(_ press: KeyPress) -> Bool {
    guard press.modifiers.isEmpty, painter != nil else { return false }
    switch press.key {
    case .left, .pageUp: turn(forward: false)
    case .right, .pageDown: turn(forward: true)
    case .home: show(open.opened(at: 0))
    case .end: show(open.opened(at: open.count - 1))
    default: return false
    }
    return true
  }

  private func fit() {
    let isSingle = Double(widget.width) < BookSpread.singleWidth
    guard isSingle != open.isSingle else { return }
    var open = open
    open.isSingle = isSingle
    show(open)
  }

  private func show(_ open: OpenPages) {
    self.open = open
    widget.redraw()
    onTurn?()
  }

  private func draw(on canvas: Canvas) {
    guard let painter else { return }
    let (paper, across, margin) = (painter.pages.paper, open.isSingle ? 1.0 : 2, BookSpread.margin)
    let scale = min(
      (canvas.width - 2 * margin) / (paper.width * across), (canvas.height - 2 * margin) / paper.height)
    guard scale > 0 else { return }
    let (width, height) = ((paper.width * scale).rounded(), (paper.height * scale).rounded())
    let (x, y) = (((canvas.width - width * across) / 2).rounded(), ((canvas.height - height) / 2).rounded())
    if painted.width != width { painted = ([:], width) }
    painted.pages = painted.pages.filter { open.shown?.contains($0.key) == true }
    for page in open.shown.map(Array.init) ?? [] {
      let isRight = OpenPages.isRight(page)
      let left = isRight && !open.isSingle ? x + width : x
      let picture =
        painted.pages[page] ?? paint(page, painter, (width, height), scale, Double(canvas.widget.scaleFactor))
      painted.pages[page] = picture
      canvas.shadow(left, y, width, height)
      picture.show(on: canvas.cairo, x: left, y: y, scale: 1)
      Painter(canvas.cairo).paint(BookSpread.gutter(width, height, isRight: isRight), offset: Point(left, y))
    }
  }

  private func paint(
    _ page: Int, _ painter: BookPainter, _ size: (width: Double, height: Double), _ scale: Double, _ pixels: Double
  ) -> Snapshot {
    Snapshot(width: size.width, height: size.height, scale: pixels) { cairo in
      var sheet = Drawing()
      sheet.fill(.rectangle(width: size.width, height: size.height), Color(0xFFFEFB))
      Painter(cairo).paint(sheet)
      Painter(cairo).scaled(by: scale) { painter.draw(page: page, on: cairo) }
    }
  }

  /// The shadow beside the spine.
  private static func gutter(_ width: Double, _ height: Double, isRight: Bool) -> Drawing {
    let (spine, away) = (Point(isRight ? 0 : width, 0), Point(isRight ? width * 0.07 : width * 0.93, 0))
    var drawing = Drawing()
    drawing.fill(
      .rectangle(width: width, height: height),
      .linear(
        from: spine, to: away, first: Color(0x2B1A0C).faded(to: 0.16), last: Color(0x2B1A0C).faded(to: 0)))
    return drawing
  }
}

extension Path {
  fileprivate static func rectangle(width: Double, height: Double) -> Path {
    .polygon([Point(0, 0), Point(width, 0), Point(width, height), Point(0, height)])
  }
}

extension Canvas {
  /// A soft shadow around a sheet of paper.
  fileprivate func shadow(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    for edge in stride(from: 1.0, through: 7, by: 1.5) {
      rounded(x - edge, y - edge + 3, width + 2 * edge, height + 2 * edge, radius: edge + 2)
      fill(Color(0x2B1A0C).faded(to: 0.035))
    }
  }
}
