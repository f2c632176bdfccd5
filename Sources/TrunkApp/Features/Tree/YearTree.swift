import CairoKit
import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint

/// The tree at the end of a year, in the colours of autumn.
final class YearTree {
  /// Decorative: the page has the year in words.
  let widget = drawing(width: YearTree.size.width, height: YearTree.size.height)

  private let context: WindowContext
  private var state: TreeState?
  /// The tree as it was last painted, and for what.
  private var painted: (picture: Snapshot, look: TreeCanvas.Look)?

  private static let size = (width: 310, height: 270)

  init(_ context: WindowContext) {
    self.context = context
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.keeps(self)
  }

  func show(_ garden: Garden, _ year: Int32) {
    guard let end = Day(year: year, month: 12, day: 31).map({ min($0, context.today) }) else { return }
    let state = Life(garden).state(on: end)
    guard state != self.state else { return }
    (self.state, painted) = (state, nil)
    widget.redraw()
  }

  private func draw(on canvas: Canvas) {
    guard let state else { return }
    let share = context.settings.hasSeasons ? PosterSeason.autumn.yearShare : nil
    let palette = context.treePalette(on: widget, yearShare: share)
    let look = TreeCanvas.Look(width: canvas.width, height: canvas.height, palette: palette, fontSize: 0)
    if painted?.look != look { painted = nil }
    let picture =
      painted?.picture
      ?? Snapshot(width: look.width, height: look.height, scale: Double(widget.scaleFactor)) { cairo in
        let tree = TreePicture(state, width: look.width, height: look.height, palette: palette, fontSize: nil)
        Painter(cairo).paint(tree.drawing)
      }
    painted = (picture, look)
    picture.show(on: canvas.cairo, x: 0, y: 0, scale: 1)
  }
}

extension Widget {
  /// Whether the widget's text is light on dark.
  @MainActor var isOnDark: Bool { color("ink").red > 0.5 }
}
