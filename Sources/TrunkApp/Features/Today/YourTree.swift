import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The limb of the latest act; in a wide window the whole tree. A click opens it in the view Tree.
final class YourTree {
  let widget: Widget

  private let context: WindowContext
  private let header = sectionHeader(tr("Your tree"))
  private let picture = drawing(width: 240, height: YourTree.height).hexpand()
  private let link: Widget
  private var shown: (place: Node, name: String, isSouthern: Bool)?
  private var state: TreeState?
  private var painted: (snapshot: Snapshot, look: Look)?
  /// Whether the rest of the window is painted: the tree takes longer than all of it.
  private var isReady = false

  /// Everything that determines the picture.
  private struct Look: Equatable {
    let state: TreeState
    let place: Node
    let name: String
    let width, height, textScale: Double
    let palette: Palette
    let isWhole: Bool
  }

  /// Of the limb, in pixels.
  private static let height = 190
  /// Of the whole tree: it fills its width, and what is below it stays in sight.
  private static let wholeHeights = 430...560
  /// The size of the name, in pixels at the usual size of texts.
  private static let fontSize = 13.0

  init(_ context: WindowContext) {
    self.context = context
    link = contentButton(picture).css("tree-link")
    widget = column(spacing: 4, header, link)
    widget.keeps(self)
    picture.onDraw { [weak self] in self?.draw(on: $0) }
    picture.followTextScale { [weak self] _ in self?.picture.redraw() }
    widget.onFirstFrame { [weak self] in
      self?.isReady = true
      self?.picture.redraw()
    }
  }

  /// The width that the whole tree has, in pixels; `nil` to show the limb.
  var wholeWidth: Int? {
    didSet {
      guard wholeWidth != oldValue else { return }
      let heights = YourTree.wholeHeights
      picture.size(height: wholeWidth.map { min(max($0 * 3 / 4, heights.lowerBound), heights.upperBound) } ?? -1)
      describe()
    }
  }

  private var isWhole: Bool { wholeWidth != nil }

  func show(_ garden: Garden, _ now: Instant) {
    let place = garden.latestPlace
    widget.visible(place != nil)
    guard let place else { return }
    shown = (place, garden.label(of: place), garden.zone.isSouthern)
    state = nil
    describe()
    picture.redraw()
  }

  private func describe() {
    guard let shown, let branch = shown.place.branch else { return }
    let limb = context.model.garden.label(of: .branch(branch))
    header.setNote(isWhole ? "" : limb)
    link.accessibleName(
      isWhole ? tr("Your tree") : tr("Your tree, {limb} · {twig}", ["limb": limb, "twig": shown.name]))
    let command = isWhole ? ("win.view", Route.tree.view) : ("win.branch", "\(branch)")
    link.action(command.0, target: command.1)
  }

  private func draw(on canvas: Canvas) {
    guard isReady, let shown else { return }
    let state = self.state ?? context.treeState
    self.state = state
    let look = Look(
      state: state, place: shown.place, name: shown.name, width: canvas.width, height: canvas.height,
      textScale: textScale, palette: context.treePalette(on: canvas.widget, isSouthern: shown.isSouthern),
      isWhole: isWhole)
    if painted?.look != look {
      let lettering = Lettering(context: canvas.widget.textContext)
      let snapshot = Snapshot(
        width: look.width, height: look.height, scale: Double(canvas.widget.scaleFactor)
      ) { YourTree.paint(look, lettering, on: $0) }
      painted = (snapshot, look)
    }
    painted?.snapshot.show(on: canvas.cairo, x: 0, y: 0, scale: 1)
  }

  private static func paint(_ look: Look, _ lettering: Lettering, on cairo: OpaquePointer) {
    guard !look.isWhole, case .twig(let branch, let twig) = look.place else {
      let tree = TreePicture(look.state, width: look.width, height: look.height, palette: look.palette)
      let camera = Camera(filling: tree)
      return Painter(cairo).paint(tree.drawing, scale: camera.scale, offset: camera.offset)
    }
    let style = Lettering.Style(size: fontSize * look.textScale)
    let size = lettering.measure(look.name, style, maxWidth: look.width / 2)
    let limb = LimbPicture(
      look.state, branch: branch, width: look.width, height: look.height,
      reserve: Point(fontSize * look.textScale * 2, size.height * 0.7), palette: look.palette)
    Painter(cairo).paint(limb.drawing, scale: limb.scale, offset: limb.offset)
    guard let place = limb.label(ofTwig: twig, size: LabelSize(width: size.width, height: size.height)) else { return }
    lettering.draw(
      look.name, style, at: Point(place.x, place.y), color: look.palette.second,
      halo: look.palette.paper.faded(to: 0.9), maxWidth: look.width / 2, on: cairo)
  }
}
