import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint
import VectorGraphics

/// The picture of the tree. A click, Enter, the wheel, two fingers or a digit shows a branch closer; there, the same
/// opens a twig. The line below says what is under the pointer or the keys.
final class TreeCanvas {
  let widget: Widget

  private let context: WindowContext
  private let picture = drawing(width: 320, height: 320, name: tr("Tree")).css("tree")
  private let reading = paragraph("", "hint", "numeric").xalign(0.5)
  private var content: TreeScene.Content
  private var isSouthern = false
  private var scene: TreeScene?
  /// The tree as it was painted last, and for what.
  private var painted: (snapshot: Snapshot, camera: Camera, look: Look)?
  private var zoom: Animation?

  /// The branch that is shown closer; `nil` for the whole tree.
  private(set) var branch: Int?
  private var camera = Camera.whole
  private var zoomedFrom = Camera.whole
  private var target = Camera.whole
  /// What the keys have chosen.
  private var chosen: Node?
  /// What is under the pointer.
  private var hovered: Node?
  private var pointer: Point?

  /// What the picture depends on besides the garden.
  private struct Look: Equatable {
    var width, height: Double
    var palette: Palette
  }

  /// In milliseconds.
  private static let zoomTime = 360
  /// In pixels.
  private static let fontSize = 14.0

  init(_ context: WindowContext) {
    self.context = context
    content = .init(context.model.garden, at: context.model.now)
    widget = column(spacing: 0, picture.expand().expandDown(), reading.margin(top: 4, bottom: 16, start: 56, end: 56))
    picture.focusable(true)
    picture.onDraw { [weak self] in self?.draw(on: $0) }
    picture.onPointer { [weak self] place in self?.hover(place.map { Point($0.x, $0.y) }) }
    picture.onClick { [weak self] _, x, y in self?.click(Point(x, y)) }
    picture.onWheel { [weak self] down in self?.wheel(down) ?? false }
    picture.onPinch { [weak self] scale in self?.pinch(scale) }
    picture.onKey { [weak self] press in self?.take(press) ?? false }
    picture.onFocus { [weak self] isIn in if !isIn { self?.choose(nil) } }
    zoom = Animation(on: picture, milliseconds: TreeCanvas.zoomTime) { [weak self] in self?.move(to: $0) }
    widget.keeps(self)
    context.followShown(widget) { [weak self] in self?.render() }
  }

  /// Moves the focus to the picture.
  func focus() { picture.focus() }

  private func render() {
    let content = TreeScene.Content(context.model.garden, at: context.model.now)
    if content != self.content {
      self.content = content
      scene = nil
    }
    isSouthern = context.model.garden.zone.isSouthern
    describe()
    picture.redraw()
  }
}

// MARK: - Moving

extension TreeCanvas {
  /// Shows a branch closer.
  func enter(_ branch: Int) {
    guard let scene, (0..<8).contains(branch), branch != self.branch else { return }
    self.branch = branch
    hovered = nil
    choose(nil)
    fly(to: scene.picture.camera(for: branch))
  }

  /// Shows the whole tree again.
  /// - Returns: whether a branch was shown.
  @discardableResult
  func leave() -> Bool {
    guard let branch else { return false }
    self.branch = nil
    hovered = nil
    choose(picture.hasFocus ? .branch(branch) : nil)
    fly(to: .whole)
    return true
  }

  private func fly(to destination: Camera) {
    (zoomedFrom, target) = (camera, destination)
    zoom?.start()
  }

  private func move(to share: Double) {
    camera = share >= 1 ? target : zoomedFrom.mixed(with: target, share)
    picture.redraw()
  }
}

// MARK: - Pointer and keys

extension TreeCanvas {
  private func node(at place: Point) -> Node? {
    guard let scene else { return nil }
    let labels = branch.map(scene.twigLabels) ?? scene.picture.labels
    if let label = labels.firstIndex(where: { $0.grown(by: 4).contains(place) }) {
      return branch.map { .twig(branch: $0, twig: label) } ?? .branch(label)
    }
    return scene.picture.node(at: camera.point(at: place), inside: branch)
  }

  private func hover(_ place: Point?) {
    // GTK repeats the place of a pointer that rests when something is painted anew.
    guard place != pointer else { return }
    pointer = place
    let node = place.flatMap(node)
    guard node != hovered else { return }
    hovered = node
    picture.pointing(node != nil)
    describe()
    picture.redraw()
  }

  private func click(_ place: Point) {
    picture.focus()
    if let node = node(at: place) { open(node) }
  }

  private func open(_ node: Node) {
    switch node {
    case .trunk: leave()
    case .branch(let branch): enter(branch)
    case .twig: widget.activate("win.twig", target: node.id)
    }
  }

  private func wheel(_ down: Double) -> Bool {
    if zoom?.isRunning == true { return true }
    if down > 0 { return leave() }
    guard branch == nil, let node = hovered ?? chosen, case .branch(let branch) = node else { return false }
    enter(branch)
    return true
  }

  private func pinch(_ scale: Double) {
    if zoom?.isRunning == true { return }
    if scale < 0.8 { leave() }
    if scale > 1.25, branch == nil, let node = hovered ?? chosen, case .branch(let branch) = node { enter(branch) }
  }

  private func take(_ press: KeyPress) -> Bool {
    if press.modifiers == .alt { return cycle(press.key) }
    guard press.modifiers.isEmpty else { return false }
    switch press.key {
    case GDK_KEY_Right, GDK_KEY_Down: step(1)
    case GDK_KEY_Left, GDK_KEY_Up: step(-1)
    case GDK_KEY_Home: choose(node(0))
    case GDK_KEY_End: choose(node(7))
    case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space:
      guard let chosen else { return false }
      open(chosen)
    case GDK_KEY_Escape: return leave()
    default: return press.character.map(jump) ?? false
    }
    return true
  }

  /// Alt and an arrow: the branch beside the one that is shown.
  private func cycle(_ key: CInt) -> Bool {
    guard let branch, key == GDK_KEY_Left || key == GDK_KEY_Right else { return false }
    enter((branch + (key == GDK_KEY_Right ? 1 : 7)) % 8)
    return true
  }

  /// The branch or twig with a number, 0…7.
  private func node(_ number: Int) -> Node { branch.map { .twig(branch: $0, twig: number) } ?? .branch(number) }

  private var chosenNumber: Int? {
    switch chosen {
    case .branch(let branch): branch
    case .twig(_, let twig): twig
    case .trunk, nil: nil
    }
  }

  /// Around the ring, clockwise.
  private func step(_ step: Int) { choose(node(chosenNumber.map { ($0 + step + 8) % 8 } ?? 0)) }

  /// A digit opens, a letter chooses the next place with a name that begins with it.
  private func jump(to character: Character) -> Bool {
    if let number = character.wholeNumberValue {
      guard (1...8).contains(number) else { return false }
      open(node(number - 1))
      return true
    }
    let names = branch.map { content.twigs[$0] } ?? content.branches
    let first = (chosenNumber ?? -1) + 1
    let found = (0..<8).map { (first + $0) % 8 }.first { names[$0].title.lowercased().hasPrefix(String(character)) }
    guard let found else { return false }
    choose(node(found))
    return true
  }

  private func choose(_ node: Node?) {
    // The keys count until the pointer moves again.
    hovered = nil
    chosen = node
    describe()
    picture.redraw()
  }

  /// Says what is under the pointer or the keys.
  private func describe() {
    let garden = context.model.garden
    let text: String
    if let node = hovered ?? chosen, node != .trunk {
      let counts = garden.nodeCounts(at: context.model.now)[node] ?? NodeCounts()
      text = garden.title(of: node) + " · " + CountMarks.words(counts)
    } else if let branch {
      text = garden.note(of: .branch(branch))
    } else if garden.eventCount == 0 {
      text = tr("Eight branches wait for your first sprout. Choose one, or press N to plant.")
    } else {
      text = tr("Choose a branch with a click, the arrow keys or 1 to 8.")
    }
    reading.setText(text)
    picture.described(text)
  }
}

// MARK: - Drawing

extension TreeCanvas {
  private func draw(on canvas: Canvas) {
    let look = Look(width: canvas.width, height: canvas.height, palette: palette(canvas))
    if painted?.look != look { scene = nil }
    let scene = scene ?? makeScene(look, canvas)
    if zoom?.isRunning != true { camera = branch.map(scene.picture.camera) ?? .whole }
    let snapshot = snapshot(of: scene, look, canvas)
    let scale = camera.scale / snapshot.camera.scale
    let offset = camera.offset - snapshot.camera.offset * scale
    snapshot.picture.show(on: canvas.cairo, x: offset.x, y: offset.y, scale: scale)
    drawMark(scene, canvas)
    let isMoving = zoom?.isRunning == true
    if isMoving { return }
    scene.paintNames(on: canvas.cairo, branch: branch)
    drawFocus(scene, canvas)
  }

  private func makeScene(_ look: Look, _ canvas: Canvas) -> TreeScene {
    let scene = TreeScene(
      content, width: look.width, height: look.height, palette: look.palette,
      lettering: Lettering(context: canvas.widget.textContext), fontSize: TreeCanvas.fontSize)
    self.scene = scene
    painted = nil
    return scene
  }

  /// While the camera moves, the picture painted last is shown larger or smaller; at rest it is painted sharply.
  private func snapshot(of scene: TreeScene, _ look: Look, _ canvas: Canvas) -> (picture: Snapshot, camera: Camera) {
    if let painted, zoom?.isRunning == true || painted.camera == camera { return (painted.snapshot, painted.camera) }
    let (scene, camera, branch) = (scene, camera, branch)
    let snapshot = Snapshot(
      width: look.width, height: look.height, scale: Double(canvas.widget.scaleFactor)
    ) { scene.paintTree(on: $0, camera: camera, branch: branch) }
    painted = (snapshot, camera, look)
    return (snapshot, camera)
  }

  /// Darkens what is under the pointer or the keys.
  private func drawMark(_ scene: TreeScene, _ canvas: Canvas) {
    var mark = Drawing()
    let color = canvas.widget.color("wood")
    for (node, opacity) in [(hovered, 0.45), (chosen, 0.9)] {
      guard let node, node != .trunk else { continue }
      for outline in scene.picture.outline(of: node) {
        mark.fill(outline, color.faded(to: opacity * 0.6))
        if node == chosen { mark.stroke(outline, color, width: 2 / camera.scale) }
      }
    }
    Painter(canvas.cairo).paint(mark, scale: camera.scale, offset: camera.offset)
  }

  /// A ring around the name that the keys have chosen.
  private func drawFocus(_ scene: TreeScene, _ canvas: Canvas) {
    guard let chosenNumber else { return }
    let labels = branch.map(scene.twigLabels) ?? scene.picture.labels
    let place = labels[chosenNumber].grown(by: 3)
    canvas.rectangle(place.x, place.y, place.width, place.height)
    canvas.stroke(canvas.widget.color("wood"), width: 2)
  }

  private func palette(_ canvas: Canvas) -> Palette {
    let (zone, now) = (context.model.garden.zone, context.model.now)
    // Light ink is for dark paper.
    let isDark = canvas.widget.color("ink").red > 0.5
    return Palette(
      isDark ? .dark : .light, yearShare: zone.seasonShare(at: now, isSouthern: isSouthern),
      hour: (Double(zone.local(now).second) / 3600).rounded())
  }
}
