import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import TrunkPrint

/// A part of the tree on which an act plays, and which then shows what remains of it.
final class ActPicture {
  /// Decorative: what gets the focus says what has happened.
  let widget: Widget
  /// The time of the act, in milliseconds; after its end, the picture is still.
  var time = Double.infinity { didSet { if time != oldValue { widget.redraw() } } }

  /// Makes the picture for a size in pixels.
  typealias Make = (_ width: Double, _ height: Double, Palette) -> ActStage?

  private let context: WindowContext
  private let isSouthern: Bool
  private let isPartOfTree: Bool
  private var make: Make?
  private var painted: (scene: ActScene, look: TreeCanvas.Look)?

  /// - Parameters:
  ///   - height: in pixels; the width is what there is.
  ///   - isPartOfTree: whether it is cut out of the tree.
  init(_ context: WindowContext, height: Int, isPartOfTree: Bool = true) {
    (self.context, self.isPartOfTree) = (context, isPartOfTree)
    isSouthern = context.model.garden.zone.isSouthern
    widget = drawing(width: 0, height: height).css("shoot")
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.keeps(self)
  }

  func show(at time: Double = .infinity, _ make: @escaping Make) {
    (self.make, painted) = (make, nil)
    self.time = time
    widget.redraw()
  }

  private func draw(on canvas: Canvas) {
    let look = TreeCanvas.Look(
      width: canvas.width, height: canvas.height,
      palette: context.treePalette(on: canvas.widget, isSouthern: isSouthern),
      fontSize: 0)
    if painted?.look != look {
      let stage = make?(look.width, look.height, look.palette)
      painted = stage.map { (ActScene($0, width: look.width, height: look.height), look) }
    }
    painted?.scene.paint(on: canvas.cairo, at: time, scale: Double(canvas.widget.scaleFactor))
    if isPartOfTree { canvas.softenEdges() }
  }
}

extension ActPicture {
  /// The widest strip with a shoot, in pixels.
  private static let stripWidth = 340.0

  /// Shows the shoot of a sprout, or a watering of it.
  /// - Parameter before: the sprout before the watering; `nil` for the still picture.
  func show(_ leaflet: TreeState.Leaflet, watered act: Act = .watering, from before: TreeState.Leaflet? = nil) {
    show(at: before == nil ? .infinity : 0) { width, height, palette in
      ActStage(
        watering: act, from: before ?? leaflet, to: leaflet, width: min(width, ActPicture.stripWidth), height: height,
        palette: palette)
    }
  }

  /// Shows a twig, or an act on it.
  /// - Parameters:
  ///   - before: the tree before the act.
  ///   - sproutID: the sprout of the act; `nil` for a reflection.
  func show(
    _ act: Act, from before: TreeState, to after: TreeState, twig: Node, sproutID: String? = nil,
    at time: Double = .infinity
  ) {
    show(at: time) { width, height, palette in
      ActStage(
        act, from: before, to: after, twig: twig, sproutID: sproutID, width: width, height: height, palette: palette)
    }
  }
}
