import CairoKit
import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint
import VectorGraphics

extension TreeCanvas {
  func draw(on canvas: Canvas) {
    guard isReady else { return }
    let look = Look(
      width: canvas.width, height: canvas.height,
      palette: past.map { context.treePalette(on: canvas.widget, yearShare: $0.yearShare) }
        ?? context.treePalette(on: canvas.widget, isSouthern: isSouthern),
      fontSize: TreeCanvas.fontSize * textScale)
    if let past { return draw(past, look, on: canvas) }
    if let act { return act.draw(on: canvas, look, camera: camera) }
    if painted?.look != look { scene = nil }
    let scene = scene ?? makeScene(look, canvas)
    if zoom?.isRunning != true { camera = branch.map(scene.picture.camera) ?? .whole }
    let snapshot = snapshot(of: scene, look, canvas)
    show(snapshot.picture, of: snapshot.camera, on: canvas)
    if let fading { show(fading.snapshot, of: fading.camera, on: canvas, opacity: max(0, 1 - 2 * zoomShare)) }
    // In the form, the picture is a part of the page.
    if onPick != nil, camera != .whole { canvas.softenEdges() }
    drawRing(scene, canvas)
    drawMark(scene, canvas)
    let isMoving = zoom?.isRunning == true
    if isMoving { return }
    scene.paintNames(on: canvas.cairo, branch: branch, nameStyle)
    drawFocus(scene, canvas)
  }

  /// Shows a picture that was painted for another camera as the present one sees it.
  private func show(_ picture: Snapshot, of painted: Camera, on canvas: Canvas, opacity: Double = 1) {
    let scale = camera.scale / painted.scale
    let offset = camera.offset - painted.offset * scale
    picture.show(on: canvas.cairo, x: offset.x, y: offset.y, scale: scale, opacity: opacity)
  }

  private func makeScene(_ look: Look, _ canvas: Canvas) -> TreeScene {
    let scene = TreeScene(
      content, width: look.width, height: look.height, palette: look.palette,
      lettering: Lettering(context: canvas.widget.textContext), fontSize: look.fontSize)
    self.scene = scene
    painted = nil
    return scene
  }

  /// While the camera moves, the last painted picture is scaled; when it stops, the picture is painted again. When the
  /// camera begins to move out, the whole tree is painted.
  private func snapshot(of scene: TreeScene, _ look: Look, _ canvas: Canvas) -> (picture: Snapshot, camera: Camera) {
    if let painted, zoom?.isRunning == true || painted.camera == camera { return (painted.snapshot, painted.camera) }
    let camera = fading == nil ? camera : .whole
    let (scene, branch) = (scene, branch)
    let snapshot = Snapshot(
      width: look.width, height: look.height, scale: Double(canvas.widget.scaleFactor)
    ) { scene.paintTree(on: $0, camera: camera, branch: branch) }
    painted = (snapshot, camera, look)
    return (snapshot, camera)
  }

  /// Shows the tree of the past that was painted last, at first today's, and has that of the chosen day painted.
  private func draw(_ past: PastTree, _ look: Look, on canvas: Canvas) {
    pastPainter.paint(past, look, scale: Double(canvas.widget.scaleFactor))
    let shown: (scene: TreeScene, snapshot: Snapshot, look: Look)
    if let (picture, snapshot, order) = pastPainter.painted {
      let (look, lettering) = (order.look, Lettering(context: canvas.widget.textContext))
      let scene = TreeScene(
        order.tree.content, picture, width: look.width, height: look.height, palette: look.palette, lettering: lettering
      )
      shown = (scene, snapshot, look)
    } else if let scene, let painted, painted.camera == .whole {
      shown = (scene, painted.snapshot, painted.look)
    } else {
      return
    }
    // The strip slides in below the tree.
    let scale = min(look.width / shown.look.width, look.height / shown.look.height)
    let margin = Point(look.width - shown.look.width * scale, look.height - shown.look.height * scale) * 0.5
    shown.snapshot.show(on: canvas.cairo, x: margin.x, y: margin.y, scale: scale)
    let painter = Painter(canvas.cairo)
    painter.moved(by: margin) { painter.scaled(by: scale) { shown.scene.paintNames(on: canvas.cairo, nameStyle) } }
  }

  /// In the form, only the picked twig stands out.
  var nameStyle: TreeScene.NameStyle {
    .init(
      marked: markedNumber, color: picture.color("green"), isPlain: onPick != nil && branch != nil, shown: shownNames)
  }

  /// The number of the name of what is picked, or whose page is open.
  private var markedNumber: Int? {
    guard let marked = picked ?? opened, branch == nil || branch == marked.branch else { return nil }
    return branch == nil ? marked.branch : TreeCanvas.number(of: marked)
  }

  /// Draws a ring around the bud of the picked twig, or around the tip of what has its page beside the tree.
  private func drawRing(_ scene: TreeScene, _ canvas: Canvas) {
    guard let node = picked ?? opened, node != .trunk, zoom?.isRunning != true else { return }
    var mark = Drawing()
    mark.stroke(
      scene.picture.ring(around: node, scale: camera.scale), canvas.widget.color("green"), width: 2 / camera.scale)
    Painter(canvas.cairo).paint(mark, scale: camera.scale, offset: camera.offset)
  }

  /// Highlights the part under the pointer and the part chosen with the keys.
  private func drawMark(_ scene: TreeScene, _ canvas: Canvas) {
    var mark = Drawing()
    let color = canvas.widget.color("wood")
    for (target, opacity) in [(hovered, 0.45), (chosen, 0.9)] {
      switch target {
      case nil: continue
      case .node(.trunk):
        for outline in scene.picture.outline(of: .trunk) { mark.stroke(outline, color, width: 2.5 / camera.scale) }
      case .node(let node):
        for outline in scene.picture.outline(of: node) {
          mark.fill(outline, color.faded(to: opacity * 0.6))
          if target == chosen { mark.stroke(outline, color, width: 2 / camera.scale) }
        }
        if case .branch = node { mark.append(scene.picture.trunk) }
      case .sprout(let id, _):
        guard let shoot = scene.picture.shoots(inside: branch).first(where: { $0.id.hasSameBytes(as: id) }) else {
          continue
        }
        let ring = scene.picture.ring(around: shoot, scale: camera.scale)
        mark.stroke(ring, scene.palette.paper.faded(to: 0.9), width: 5 / camera.scale)
        mark.stroke(ring, color, width: (target == chosen ? 2.5 : 2) / camera.scale)
      case .entry(_, let entry):
        mark.stroke(scene.picture.ring(around: entry, scale: camera.scale), color, width: 2 / camera.scale)
      }
    }
    Painter(canvas.cairo).paint(mark, scale: camera.scale, offset: camera.offset)
  }

  /// Draws a frame around the name that was chosen with the keys.
  private func drawFocus(_ scene: TreeScene, _ canvas: Canvas) {
    guard let chosenNumber, chosen?.sproutID == nil else { return }
    let place = scene.rectangles(of: branch, shown: shownNames)[chosenNumber].grown(by: 3)
    canvas.rectangle(place.x, place.y, place.width, place.height)
    canvas.stroke(canvas.widget.color("wood"), width: 2)
  }
}
