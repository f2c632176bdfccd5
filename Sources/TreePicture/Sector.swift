import Glibc
import VectorGraphics

/// The space of one branch: from its limb to halfway to the limbs beside it. Twigs and leaves follow lines that leave
/// the limb and turn outwards, the first ones near the edge of the space, the later ones nearer to the limb. These
/// lines don't cross, so leaves of different twigs stay apart although none of them knows of the others.
struct Sector {
  /// Where a twig and its leaves grow.
  struct Growth {
    /// The side of the limb: -1 or 1; 0 for growth straight outwards.
    let side: Double
    /// Where the line turns outwards, as a share of the way from the limb to the edge.
    let lane: Double
    /// The angle to the direction outwards beside the limb, in radians.
    let opening: Double

    /// - Parameter twig: the number of the twig, 0…7. Twigs alternate between the sides.
    init(side: Double, twig: Int) {
      self.side = side
      (lane, opening) = Growth.lanes[min(twig / 2, Growth.lanes.count - 1)]
    }

    private static let lanes = [(1.0, 1.75), (0.62, 0.72), (0.42, 0.68), (0.3, 0.7)]
  }

  private let frame: TreePlan.Frame
  private let axis: Double
  /// The angle of the limb from the axis, at equal distances from the center.
  private let limb: [Double]

  /// How far the line in the middle of a leaf stays away from the edge, as a share of the frame's unit.
  private static let margin = 0.034
  /// The angle from the axis to the edge, in radians: between neighbouring limbs are 45°.
  private static let halfAngle = Double.pi / 8
  private static let steps = 60

  /// - Parameter limb: the middle line of the limb, from the center outwards.
  init(_ branch: Int, along limb: Spine, in frame: TreePlan.Frame) {
    self.frame = frame
    let axis = frame.angle(branch)
    self.axis = axis
    let points = limb.points.map { frame.flat($0) }
    self.limb = (0...Sector.steps).map { step in
      let distance = Double(step) / Double(Sector.steps)
      let point = points.first { $0.length >= distance } ?? points[points.count - 1]
      return (point.angle - axis).remainder(dividingBy: 2 * .pi)
    }
  }

  /// The direction of growth at a point.
  func direction(at point: Point, _ growth: Growth) -> Point {
    let flat = frame.flat(point)
    let side = growth.side
    let angle = (flat.angle - axis).remainder(dividingBy: 2 * .pi)
    let edge = Point(angle: axis + (side == 0 ? 1 : side) * Sector.halfAngle)
    // The distance from the axis to the edge, in pixels.
    let along = Point(edge.x * frame.radiusX, edge.y * frame.radiusY).unit
    let (x, y) = (cos(axis) * flat.length * frame.radiusX, sin(axis) * flat.length * frame.radiusY)
    let space = abs(along.x * y - along.y * x)
    let end = Sector.halfAngle * max(1 - Sector.margin * frame.unit / max(space, 1e-9), 0.5)
    let start = min(side * limb[min(Int(flat.length * Double(Sector.steps)), Sector.steps)], end * 0.75)
    // 0 beside the limb, 1 where the line turns outwards.
    let place = max(side * angle - start, 0) / ((end - start) * growth.lane)
    let outwards = flat.unit.turned(by: side * growth.opening * min(max(1 - place, -0.4), 1))
    return Point(outwards.x * frame.radiusX, outwards.y * frame.radiusY).unit
  }

  /// A line of growth with points at equal distances. It ends where a leaf would leave the frame or cover a name.
  /// - Parameters:
  ///   - turn: how far the line turns away from the direction of growth, by the share of its length, in radians.
  ///   - length: its greatest length, in pixels.
  ///   - reach: how far leaflets go beyond the line, in pixels.
  func line(
    from start: Point, _ growth: Growth, length: Double, steps: Int, reach: Double,
    turn: (Double) -> Double = { _ in 0 }
  ) -> [Point] {
    var points = [start]
    let step = length / Double(steps)
    for number in 0..<steps {
      let last = points[points.count - 1]
      let next =
        last
        + direction(at: last, growth).turned(by: turn(Double(number) / Double(steps))) * step
      guard frame.contains(next, reach: reach) else { break }
      points.append(next)
    }
    return points
  }
}
