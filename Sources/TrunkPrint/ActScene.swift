import CairoKit
import TreePicture
import VectorGraphics

/// Paints an act. What stays still is painted once, so that a frame only paints the few marks that move.
public final class ActScene {
  public let stage: ActStage
  /// What is seen at any time, in pixels of the still picture.
  private let area: Rectangle
  /// Painted with the first frame.
  private var still: (under: Snapshot, over: Snapshot, scale: Double)?

  /// - Parameter width: of the picture, in pixels, like the height.
  public init(_ stage: ActStage, width: Double, height: Double) {
    self.stage = stage
    let corners = [Point(0, 0), Point(width, height)]
    // The camera of the still picture is the closest one.
    let first = corners.map { stage.camera.place(of: stage.camera(at: 0).point(at: $0)) }
    let (left, top) = (min(first[0].x.rounded(.down), 0), min(first[0].y.rounded(.down), 0))
    let (right, bottom) = (max(first[1].x.rounded(.up), width), max(first[1].y.rounded(.up), height))
    area =
      stage.camera(at: 0) == stage.camera
      ? Rectangle(x: 0, y: 0, width: width, height: height)
      : Rectangle(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Paints the frame of a time, in milliseconds.
  /// - Parameter scale: the number of the screen's pixels per unit.
  public func paint(on cairo: OpaquePointer, at time: Double, scale: Double = 1) {
    let (under, over) = snapshots(scale)
    let (marks, painter, camera) = (stage.marks(at: time), Painter(cairo), stage.camera(at: time))
    let share = camera.scale / stage.camera.scale
    let corner =
      share == 1 ? Point(area.x, area.y) : camera.place(of: stage.camera.point(at: Point(area.x, area.y)))
    under.show(on: cairo, x: corner.x, y: corner.y, scale: share)
    painter.paint(marks.under, scale: camera.scale, offset: camera.offset)
    over.show(on: cairo, x: corner.x, y: corner.y, scale: share)
    painter.paint(marks.over, scale: camera.scale, offset: camera.offset)
  }

  private func snapshots(_ scale: Double) -> (under: Snapshot, over: Snapshot) {
    if let still, still.scale == scale { return (still.under, still.over) }
    let zoom = stage.camera.scale
    let offset = stage.camera.offset - Point(area.x, area.y)
    let under = Snapshot(width: area.width, height: area.height, scale: scale) { cairo in
      let painter = Painter(cairo)
      painter.paint(stage.around, scale: zoom, offset: offset)
      painter.fade(to: TreeScene.pale)
      painter.paint(stage.under, scale: zoom, offset: offset)
    }
    let over = Snapshot(width: area.width, height: area.height, scale: scale) { cairo in
      Painter(cairo).paint(stage.over, scale: zoom, offset: offset)
    }
    still = (under, over, scale)
    return (under, over)
  }
}
