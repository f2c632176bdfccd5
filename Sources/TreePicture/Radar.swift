import VectorGraphics

/// The scores of the branches as a polygon over the tree: one corner on the axis of each branch. A score of 0 is at the
/// bark of the trunk, a score of 1 where limbs end.
public struct Radar: Equatable, Sendable {
  /// One for each branch.
  public let corners: [Point]
  /// The marks on the axes for 25, 50, 75 and 100 %, by branch.
  private let guides: [[Point]]

  private static let steps = [0.25, 0.5, 0.75, 1]

  /// - Parameters:
  ///   - scores: one for each branch, 0…1.
  ///   - frame: the area of the tree.
  ///   - start: the distance of a score of 0 from the center, in pixels.
  init(_ scores: [Double], in frame: TreePlan.Frame, start: Double) {
    func point(_ branch: Int, _ score: Double) -> Point {
      let direction = Point(angle: frame.angle(branch))
      let end = frame.center + Point(direction.x * frame.radiusX, direction.y * frame.radiusY) * Radar.reach
      return (frame.center + direction * start).mixed(with: end, min(max(score, 0), 1))
    }
    corners = scores.enumerated().map { point($0, $1) }
    guides = scores.indices.map { branch in Radar.steps.map { point(branch, $0) } }
  }

  /// The mean length of a limb, as a share of the frame.
  private static let reach = 0.76

  /// - Parameters:
  ///   - palette: the colours of the tree below.
  ///   - color: the colour of the polygon.
  ///   - selected: the branch whose corner is larger.
  public func drawing(_ palette: Palette, color: Color, selected: Int? = nil) -> Drawing {
    var drawing = Drawing()
    let outline = Path { path in
      guard let first = corners.first else { return }
      path.move(to: first)
      for corner in corners.dropFirst() { path.line(to: corner) }
      path.close()
    }
    drawing.fill(outline, color.faded(to: 0.1))
    for axis in guides {
      for (point, step) in zip(axis, Radar.steps) {
        drawing.fill(.circle(point, radius: step == 1 ? 3.2 : 2.4), palette.paper.faded(to: 0.8))
        drawing.fill(.circle(point, radius: step == 1 ? 2.2 : 1.4), palette.second.faded(to: 0.75))
      }
    }
    // The line has to stand out from leaves and from paper.
    drawing.stroke(outline, palette.paper.faded(to: 0.85), width: 4.5)
    drawing.stroke(outline, color, width: 1.6)
    for (branch, corner) in corners.enumerated() {
      let radius = branch == selected ? 5.5 : 3.0
      drawing.fill(.circle(corner, radius: radius + 1.5), palette.paper)
      drawing.fill(.circle(corner, radius: radius), color)
    }
    return drawing
  }

  /// The branch whose corner is nearest to a point.
  /// - Parameter distance: how far the corner may be away, in pixels.
  public func branch(at point: Point, within distance: Double) -> Int? {
    corners.indices.min { (corners[$0] - point).length < (corners[$1] - point).length }
      .flatMap { (corners[$0] - point).length <= distance ? $0 : nil }
  }
}
