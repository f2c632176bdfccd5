import Glibc
import VectorGraphics

/// The positions of the tree's wood. They depend on the garden's age and, for each branch and twig, only on its own
/// data, so that a new event moves only the wood that it concerns.
struct TreePlan {
  /// The area that the tree and its leaves may fill: an ellipse without the rectangles of the labels.
  struct Frame: Equatable {
    var center: Point
    var radiusX, radiusY: Double
    var labels: [Rectangle] = []

    /// The scale of everything that is independent of the direction.
    var unit: Double { (radiusX * radiusY).squareRoot() }

    /// The position in the frame: the frame's edge is at a distance of 1 from the origin.
    func flat(_ point: Point) -> Point {
      Point((point.x - center.x) / radiusX, (point.y - center.y) / radiusY)
    }

    /// Whether something that reaches this far around a point stays in the frame and off the names.
    func contains(_ point: Point, reach: Double) -> Bool {
      flat(point).length <= max(1 - reach / unit, 0.3) && !labels.contains { $0.contains(point) }
    }
  }

  struct Limb {
    var spine: Spine
    var twigs: [Spine]

    let sector: Sector

    /// The side of the limb on which a twig grows: -1 or 1; 0 for the twig that continues the limb.
    func side(ofTwig index: Int) -> Double {
      guard index < twigs.count - 1 else { return 0 }
      let (axis, twig) = (spine.tip - spine.points[0], twigs[index].tip - twigs[index].points[0])
      return axis.x * twig.y - axis.y * twig.x < 0 ? -1 : 1
    }
  }

  let frame: Frame
  let limbs: [Limb]
  /// Without the bark, in pixels.
  let trunkRadius: Double

  /// The middle angle of a branch: the first at the top, the others clockwise.
  static func angle(_ branch: Int) -> Double { (Double(branch) * 45 - 90) * .pi / 180 }

  init(_ state: TreeState, in frame: Frame) {
    self.frame = frame
    let gained = state.rings.reduce(0, +)
    let trunkRadius = frame.unit * (0.034 + 0.078 * (gained / 110).squareRoot())
    self.trunkRadius = trunkRadius
    limbs = state.branches.enumerated().map {
      TreePlan.limb($0, $1, in: frame, trunkRadius: trunkRadius, age: state.age)
    }
  }

  private static func limb(
    _ index: Int, _ branch: TreeState.Branch, in frame: Frame, trunkRadius: Double, age: Double
  ) -> Limb {
    var variation = Variation("branch-\(index)")
    let direction = Point(angle: angle(index))
    // The leaves need the remaining space: more of it when stories have become long.
    let reach = variation.between(0.66, 0.74) + 0.1 * exp(-age / 6)
    let tip = frame.center + Point(direction.x * frame.radiusX, direction.y * frame.radiusY) * reach
    let start = frame.center + direction * (frame.unit * 0.02)
    let length = (tip - start).length
    let side = variation.side()
    let (bow, wave, phase) = (
      side * variation.between(0.06, 0.17), variation.between(0.012, 0.024), variation.between(0, 6)
    )
    let turns = variation.between(7, 11)
    let outwards = (tip - frame.center).unit
    let thickness = frame.unit * (0.027 + 0.036 * branch.invested / (branch.invested + 140))
    // Where a limb meets the trunk it is as wide as an eighth of the bark.
    let foot = max(trunkRadius * 0.72 - thickness, 0)
    let spine = Spine(
      start, start + direction * (length * 0.4) + direction.normal * (length * bow * 0.4),
      tip - outwards.turned(by: -bow * 1.9) * (length * 0.4), tip, count: 30,
      bend: { sin($0 * turns + phase) * wave * length * $0 * (1 - $0 * 0.5) },
      width: { t in
        let flare = foot * exp(-max(t * length - trunkRadius, 0) / (trunkRadius * 0.75))
        return thickness * (pow(1 - t, 0.85) * 0.92 + 0.08) * (1 + 0.35 * exp(-t * 5)) + flare
      })
    let sector = Sector(index, along: spine, in: frame)
    let twigs = branch.twigs.indices.map { twig in
      TreePlan.twig(twig, of: index, branch.twigs[twig], on: spine, side: side, in: sector, frame)
    }
    return Limb(spine: spine, twigs: twigs, sector: sector)
  }

  private static func twig(
    _ index: Int, of branch: Int, _ twig: TreeState.Twig, on limb: Spine, side firstSide: Double, in sector: Sector,
    _ frame: Frame
  ) -> Spine {
    var variation = Variation("branch-\(branch)-twig-\(index)")
    let isLast = index == 7
    let place = isLast ? 0.985 : 0.3 + 0.62 * Double(index) / 6.6 + variation.signed() * 0.015
    let side = isLast ? 0 : firstSide * (index % 2 == 0 ? 1 : -1)
    let start = limb.point(at: place)
    let along = limb.direction(at: place)
    // Near the trunk, the neighbouring limb is also near.
    let space = (start - frame.center).length * 0.36
    let full = min(space, frame.unit * 0.15) * (isLast ? 0.5 : 1) * variation.between(0.85, 1.1)
    let length = full * (twig.isBare ? variation.between(0.55, 0.75) : 1)
    let growth = Sector.Growth(side: side, twig: index)
    let wave = variation.signed() * 0.2
    // A twig leaves its limb in the limb's direction.
    let bend = sector.direction(at: start, growth)
    let turn = (along.angle - bend.angle).remainder(dividingBy: 2 * .pi)
    // The leaves need the rest of the line.
    let points = sector.line(
      from: start, growth, length: length, steps: 8, reach: frame.unit * 0.07,
      turn: { turn * 0.4 * max(1 - $0 * 2.5, 0) + wave * ($0 - 0.3) })
    let thickness = min(limb.width(at: place) * 0.6, frame.unit * (twig.isBare ? 0.0105 : 0.014))
    return Spine(
      through: points.count > 2 ? points : [start, start + along * (length * 0.15), start + along * (length * 0.3)],
      width: { t in thickness * (1 + 0.7 * exp(-t * 8)) * (1 - t * (twig.isBare ? 0.78 : 0.6)) })
  }
}
