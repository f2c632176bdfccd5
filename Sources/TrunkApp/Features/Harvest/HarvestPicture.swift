import CairoKit
import GtkKit
import TreePicture
import TrunkKit
import TrunkModel

/// The leaf with a harvested sprout's new leaflet, on its limb.
final class HarvestPicture {
  /// Decorative: the page says the same in words.
  let widget = drawing(width: 0, height: 190)

  private var content: (state: TreeState, twig: Node)?
  private var picture: (look: Look, tree: TreePicture)?

  private struct Look: Equatable {
    var state: TreeState
    var palette: Palette
  }

  /// The width and height of the tree of which a part is shown, in pixels.
  private static let treeSize = 900.0

  init() {
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.hexpand().keeps(self)
  }

  func show(_ sprout: Sprout, in garden: Garden, now: Instant) {
    content = sprout.node.map { (TreeState(garden, at: now), $0) }
    widget.visible(content != nil).redraw()
  }

  private func draw(on canvas: Canvas) {
    guard let content, let branch = content.twig.branch else { return }
    let look = Look(state: content.state, palette: canvas.palette)
    let size = HarvestPicture.treeSize
    let tree =
      picture.flatMap { $0.look == look ? $0.tree : nil }
      ?? TreePicture(look.state, width: size, height: size, palette: look.palette)
    picture = (look, tree)
    let camera = tree.camera(for: content.twig, width: canvas.width, height: canvas.height)
    Painter(canvas.cairo).paint(tree.drawing(of: branch), scale: camera.scale, offset: camera.offset)
  }
}
