import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint
import VectorGraphics

/// The planting of a sprout in the picture of the tree, on the limb that was chosen.
final class PlantingAct {
  var time = 0.0

  private let sproutID: String
  private let twig: Node
  private let before, after: TreeState
  /// The picture until then: its names fade.
  private let scene: TreeScene?
  private let names: TreeScene.NameStyle
  private let look: TreeCanvas.Look?
  private var painted: (act: ActScene, look: TreeCanvas.Look)?

  init(
    of sproutID: String, on twig: Node, from before: TreeState, to after: TreeState, scene: TreeScene?,
    names: TreeScene.NameStyle, look: TreeCanvas.Look?
  ) {
    (self.sproutID, self.twig, self.before, self.after) = (sproutID, twig, before, after)
    (self.scene, self.names, self.look) = (scene, names, look)
  }

  /// - Parameter camera: that of the picture until then.
  func draw(on canvas: Canvas, _ look: TreeCanvas.Look, camera: Camera) {
    if painted?.look != look {
      // A picture of the same size stays in its place.
      let stage = ActStage(
        .planting, from: before, to: after, twig: twig, sproutID: sproutID, width: look.width, height: look.height,
        palette: look.palette, limb: (look.fontSize ?? 0, self.look == look && camera != .whole ? camera : nil))
      painted = stage.map { (ActScene($0, width: look.width, height: look.height), look) }
    }
    painted?.act.paint(on: canvas.cairo, at: time, scale: Double(canvas.widget.scaleFactor))
    canvas.softenEdges()
    guard self.look == look else { return }
    scene?.paintNames(on: canvas.cairo, branch: twig.branch, names, opacity: 1 - time / 200)
  }
}

extension TreeCanvas {
  /// Shows the planting of a sprout from now on.
  /// - Parameters:
  ///   - before: the tree before it.
  ///   - title: the words below the picture.
  func begin(planting sprout: Sprout, from before: TreeState, title: String) {
    guard let twig = sprout.node else { return }
    act = PlantingAct(
      of: sprout.id, on: twig, from: before, to: context.treeState, scene: branch == twig.branch ? scene : nil,
      names: nameStyle, look: painted?.look)
    outwards.visible(false)
    readout.css("moment-title").setText(title)
    showAct(at: 0)
  }

  /// Shows a moment of the act, in milliseconds.
  func showAct(at time: Double) {
    act?.time = time
    readout.opacity(Act.planting.words(at: time))
    picture.redraw()
  }
}
