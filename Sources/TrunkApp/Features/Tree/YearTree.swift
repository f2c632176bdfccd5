import CairoKit
import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint

/// The tree at the end of a year, in the colours of autumn. It is made and painted on another thread, so that the words
/// of the year come first.
final class YearTree {
  /// Decorative: the page has the year in words.
  let widget = drawing(width: YearTree.size.width, height: YearTree.size.height)

  private let context: WindowContext
  private lazy var loader = Loader(context, for: widget)
  private var tree: PastTree?
  private lazy var painter = PastPainter { [weak self] in self?.widget.redraw() }

  private static let size = (width: 310, height: 270)

  init(_ context: WindowContext) {
    self.context = context
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.keeps(self)
  }

  func show(_ garden: Garden, _ year: Int32) {
    guard let end = Day(year: year, month: 12, day: 31).map({ min($0, context.today) }) else { return }
    let share = context.settings.hasSeasons ? PosterSeason.autumn.yearShare : nil
    loader.load {
      PastTree(content: await YearTree.content(of: garden, on: end), yearShare: share)
    } show: { [weak self] in
      self?.tree = $0
      self?.widget.redraw()
    }
  }

  @concurrent private nonisolated static func content(of garden: Garden, on day: Day) async -> TreeScene.Content {
    TreeScene.Content(Life(garden), on: day)
  }

  private func draw(on canvas: Canvas) {
    guard let tree else { return }
    let palette = context.treePalette(on: widget, yearShare: tree.yearShare)
    let look = TreeCanvas.Look(width: canvas.width, height: canvas.height, palette: palette, fontSize: nil)
    painter.paint(tree, look, scale: Double(widget.scaleFactor))
    painter.painted?.snapshot.show(on: canvas.cairo, x: 0, y: 0, scale: 1)
  }
}

extension Widget {
  /// Whether the widget's text is light on dark.
  @MainActor var isOnDark: Bool { color("ink").red > 0.5 }
}
