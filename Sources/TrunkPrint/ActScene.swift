import CairoKit
import TreePicture
import VectorGraphics

/// Paints an act. What stays still is painted once, so that a frame only paints the few marks that move.
public final class ActScene {
  public let stage: ActStage
  private let width, height: Double
  /// Painted with the first frame.
  private var still: (under: Snapshot, over: Snapshot, scale: Double)?

  /// - Parameter width: of the picture, in pixels, like the height.
  public init(_ stage: ActStage, width: Double, height: Double) {
    (self.stage, self.width, self.height) = (stage, width, height)
  }

  /// Paints the frame of a time, in milliseconds.
  /// - Parameter scale: the number of the screen's pixels per unit.
  public func paint(on cairo: OpaquePointer, at time: Double, scale: Double = 1) {
    let (under, over) = snapshots(scale)
    let (marks, painter) = (stage.marks(at: time), Painter(cairo))
    under.show(on: cairo, x: 0, y: 0, scale: 1)
    painter.paint(marks.under, scale: stage.camera.scale, offset: stage.camera.offset)
    over.show(on: cairo, x: 0, y: 0, scale: 1)
    painter.paint(marks.over, scale: stage.camera.scale, offset: stage.camera.offset)
  }

  private func snapshots(_ scale: Double) -> (under: Snapshot, over: Snapshot) {
    if let still, still.scale == scale { return (still.under, still.over) }
    let camera = stage.camera
    let under = Snapshot(width: width, height: height, scale: scale) { cairo in
      let painter = Painter(cairo)
      painter.paint(stage.around, scale: camera.scale, offset: camera.offset)
      painter.fade(to: TreeScene.pale)
      painter.paint(stage.under, scale: camera.scale, offset: camera.offset)
    }
    let over = Snapshot(width: width, height: height, scale: scale) { cairo in
      Painter(cairo).paint(stage.over, scale: camera.scale, offset: camera.offset)
    }
    still = (under, over, scale)
    return (under, over)
  }
}
