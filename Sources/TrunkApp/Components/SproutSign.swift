import CairoKit
import GtkKit
import TreePicture
import TrunkModel

/// The shoot of a sprout with a leaf for each watering, as on the tree; after the harvest its leaflet.
final class SproutSign {
  /// Decorative: the row's accessible name has the same information.
  let widget: Widget

  private var leaflet: TreeState.Leaflet?

  /// It doesn't grow with the text, which needs the width of a narrow window.
  /// - Parameter width: in pixels, like the height.
  init(width: Int = 56, height: Int = 30) {
    widget = drawing(width: width, height: height).css("shoot")
    widget.valign(.center).halign(.center).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  func show(_ sprout: Sprout, in garden: Garden, now: Instant) {
    show(TreeState.Leaflet(sprout, garden, garden.zone.dayKey(now)))
  }

  func show(_ leaflet: TreeState.Leaflet) {
    guard leaflet != self.leaflet else { return }
    self.leaflet = leaflet
    widget.redraw()
  }

  private func draw(on canvas: Canvas) {
    guard let leaflet else { return }
    let picture = SproutPicture(leaflet, width: canvas.width, height: canvas.height, palette: canvas.palette)
    Painter(canvas.cairo).paint(picture.drawing)
  }
}

extension Canvas {
  /// The colours of plants outside the tree, which have no season.
  var palette: Palette {
    Palette(widget.isOnDark ? .dark : .light, yearShare: nil, isHighContrast: StyleSheet.isHighContrast)
  }
}
