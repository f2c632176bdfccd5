import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint
import VectorGraphics

/// Picking a twig in the form for planting.
extension TreeCanvas {
  /// In milliseconds.
  static let pickingZoomTime = 220
  /// The least width and height of the picture in a form, in pixels.
  static let leastSide = 260

  /// Shows the picked twig, and its branch; `nil` for none.
  func show(_ twig: Node?) {
    picked = twig
    if let branch = twig?.branch { enter(branch) }
    describe()
    picture.redraw()
  }

  /// The name of a part of the tree, and what belongs there.
  func meaning(of target: TreeTarget, in garden: Garden) -> String {
    guard target.node != .trunk else { return branch == nil ? pickingHint : tr("The trunk: back to the whole tree.") }
    return dotted([garden.label(of: target.node), garden.note(of: target.node)])
  }

  /// What to do in the picture if nothing is pointed at.
  var pickingHint: String {
    if picked != nil { return pickedText }
    return branch == nil ? tr("Each limb is a part of a life. Choose one to see its twigs.") : tr("Choose a twig.")
  }

  /// The picked twig for screen readers; empty if there is none.
  var pickedText: String {
    picked.map { tr("Chosen: {place}", ["place": context.model.garden.path(ofTwig: $0.id)]) } ?? ""
  }

  /// Draws a ring around the tip of the picked twig.
  func drawPicked(_ scene: TreeScene, _ canvas: Canvas) {
    guard let picked else { return }
    var mark = Drawing()
    let color = canvas.widget.color("green")
    for outline in scene.picture.outline(of: picked) {
      mark.fill(outline, color.faded(to: 0.6))
      guard let bounds = outline.bounds else { continue }
      let radius = max(bounds.width, bounds.height) / 2 + 7 / camera.scale
      mark.stroke(.circle(bounds.center, radius: radius), color, width: 2 / camera.scale)
    }
    Painter(canvas.cairo).paint(mark, scale: camera.scale, offset: camera.offset)
  }

  /// Draws a line below the name of the picked twig.
  func drawPickedName(_ scene: TreeScene, _ canvas: Canvas) {
    guard case .twig(let branch, let twig) = picked, branch == self.branch else { return }
    let place = scene.rectangles(of: branch)[twig]
    canvas.move(place.x, place.bottom + 2)
    canvas.line(place.right, place.bottom + 2)
    canvas.stroke(canvas.widget.color("green"), width: 2)
  }
}
