import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The page of a branch: its name and note, its limb, and its twigs.
final class BranchPage {
  var widget: Widget { frame.widget }

  private let context: WindowContext
  private let branch: Int
  private let frame: PageFrame
  private let header: NodeHeader
  /// Decorative: the rows say what is there.
  private let limb = drawing(width: 0, height: 190)
  private let twigs: [NodeRow]

  /// - Parameters:
  ///   - branch: 0…7.
  ///   - onBack: called when the user wants to leave the page.
  init(
    _ context: WindowContext, _ branch: Int, siblings: PageFrame.Siblings,
    onBack: @escaping @MainActor () -> Void
  ) {
    (self.context, self.branch) = (context, branch)
    header = NodeHeader(context, .branch(branch))
    twigs = (0..<8).map { NodeRow(twig: .twig(branch: branch, twig: $0)) }
    let list = boxedList().accessibleName(tr("Twigs"))
    for twig in twigs { list.append(twig.widget) }
    frame = PageFrame(
      column(spacing: 14, header.widget, limb, list), heading: header.title, siblings: siblings, onBack: onBack)
    limb.onDraw { [weak self] in self?.draw(on: $0) }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  func focus() { frame.focus() }

  private func render() {
    let garden = context.model.garden
    let counts = garden.nodeCounts(at: context.model.now)
    widget.accessibleName(garden.label(of: .branch(branch)))
    header.show(garden)
    for twig in twigs { twig.show(garden, counts) }
    limb.redraw()
  }

  private func draw(on canvas: Canvas) {
    let palette = context.treePalette(on: canvas.widget, isSouthern: context.model.garden.zone.isSouthern)
    let picture = LimbPicture(
      context.treeState, branch: branch, width: canvas.width, height: canvas.height, reserve: Point(0, 0),
      palette: palette)
    Painter(canvas.cairo).paint(picture.drawing, scale: picture.scale, offset: picture.offset)
  }
}
