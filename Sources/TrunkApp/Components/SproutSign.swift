import CairoKit
import GtkKit
import TreePicture
import TrunkModel

/// The shoot of a sprout with a leaf for each watering, as on the tree; after the harvest its leaflet.
final class SproutSign {
  /// Decorative: the row's accessible name has the same information.
  let widget: Widget

  private var leaflet: TreeState.Leaflet?
  /// The position of the watering whose leaf is marked, from the oldest on; `nil` for none.
  private var marked: Int?

  /// It doesn't grow with the text, which needs the width of a narrow window.
  /// - Parameter width: in pixels, like the height.
  init(width: Int = 56, height: Int = 30) {
    widget = drawing(width: width, height: height).css("shoot")
    widget.valign(.center).halign(.center).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  /// - Parameter marked: the position of the watering whose leaf is marked, from the oldest on; `nil` for none.
  func show(_ sprout: Sprout, marked: Int? = nil, in garden: Garden, now: Instant) {
    show(TreeState.Leaflet(sprout, garden, garden.zone.dayKey(now)), marked: marked)
  }

  func show(_ leaflet: TreeState.Leaflet, marked: Int? = nil) {
    guard leaflet != self.leaflet || marked != self.marked else { return }
    (self.leaflet, self.marked) = (leaflet, marked)
    widget.redraw()
  }

  private func draw(on canvas: Canvas) {
    guard let leaflet else { return }
    let picture = SproutPicture(leaflet, width: canvas.width, height: canvas.height, palette: canvas.palette)
    Painter(canvas.cairo).paint(picture.drawing)
    if let marked { canvas.mark(marked, of: picture) }
  }
}

extension Canvas {
  /// Draws a ring around the leaf of a watering.
  func mark(_ watering: Int, of picture: SproutPicture) {
    guard picture.waterings.indices.contains(watering) else { return }
    let place = picture.waterings[watering]
    circle(place.x, place.y, radius: 11)
    stroke(widget.color("wood"), width: 2)
  }

  /// The colours of plants outside the tree, which have no season.
  var palette: Palette {
    Palette(widget.isOnDark ? .dark : .light, yearShare: nil, isHighContrast: StyleSheet.isHighContrast)
  }
}
