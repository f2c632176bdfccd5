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

    /// How far a straight line can go before it leaves the frame, at most `limit`.
    func room(from start: Point, towards direction: Point, limit: Double) -> Double {
      let steps = 24
      for step in 1...steps {
        let point = start + direction * (limit * Double(step) / Double(steps))
        let (x, y) = ((point.x - center.x) / radiusX, (point.y - center.y) / radiusY)
        if x * x + y * y > 1 || labels.contains(where: { $0.contains(point) }) {
          return limit * Double(step - 1) / Double(steps)
        }
      }
      return limit
    }
  }

  struct Limb {
    var spine: Spine
    var twigs: [Spine]

    /// The side of the limb on which a twig grows: -1 or 1; 0 for the twig that continues the limb.
    func side(ofTwig index: Int) -> Double {
      guard index < twigs.count - 1 else { return 0 }
      let (axis, twig) = (spine.tip - spine.points[0], twigs[index].tip - twigs[index].points[0])
      return axis.x * twig.y - axis.y * twig.x < 0 ? -1 : 1
    }
  }

  let frame: Frame
  let limbs: [Limb]

  /// The middle angle of a branch: the first at the top, the others clockwise.
  static func angle(_ branch: Int) -> Double { (Double(branch) * 45 - 90) * .pi / 180 }

  init(_ state: TreeState, in frame: Frame) {
    self.frame = frame
    limbs = state.branches.enumerated().map { TreePlan.limb($0, $1, in: frame) }
  }

  private static func limb(_ index: Int, _ branch: TreeState.Branch, in frame: Frame) -> Limb {
    var variation = Variation("branch-\(index)")
    let direction = Point(angle: angle(index))
    // The leaves need the remaining space.
    let reach = variation.between(0.72, 0.8)
    let tip = frame.center + Point(direction.x * frame.radiusX, direction.y * frame.radiusY) * reach
    let start = frame.center + direction * (frame.unit * 0.02)
    let length = (tip - start).length
    let side = variation.side()
    let (bow, wave, phase) = (
      side * variation.between(0.10, 0.2), variation.between(0.012, 0.022), variation.between(0, 6)
    )
    let outwards = (tip - frame.center).unit
    let thickness = frame.unit * (0.02 + 0.036 * branch.invested / (branch.invested + 160))
    let spine = Spine(
      start, start + direction * (length * 0.4) + direction.normal * (length * bow * 0.4),
      tip - outwards.turned(by: -bow * 1.9) * (length * 0.4), tip, count: 40,
      bend: { sin($0 * 9 + phase) * wave * length * $0 * (1 - $0 * 0.5) },
      width: { t in
        let flare = 1 + 1.5 * exp(-t * 11)
        return thickness * (flare * pow(1 - t, 0.8) * 0.9 + 0.1)
      })
    let twigs = branch.twigs.indices.map { twig in
      TreePlan.twig(twig, of: index, branch.twigs[twig], on: spine, side: side, in: frame)
    }
    return Limb(spine: spine, twigs: twigs)
  }

  private static func twig(
    _ index: Int, of branch: Int, _ twig: TreeState.Twig, on limb: Spine, side firstSide: Double, in frame: Frame
  ) -> Spine {
    var variation = Variation("branch-\(branch)-twig-\(index)")
    let isLast = index == 7
    let place = isLast ? 0.985 : 0.32 + 0.62 * Double(index) / 6.6 + variation.signed() * 0.015
    let side = isLast ? 0 : firstSide * (index % 2 == 0 ? 1 : -1)
    let start = limb.point(at: place)
    let along = limb.direction(at: place)
    // Near the trunk, the neighbouring limb is also near.
    let space = (start - frame.center).length * 0.34
    let opening = side * variation.between(0.72, 0.98)
    let leaving = along.turned(by: opening)
    let full = min(space, frame.unit * 0.19) * (isLast ? 0.5 : 1) * variation.between(0.85, 1.1)
    // Half of the space is for the leaves.
    let used = min(full, frame.room(from: start, towards: leaving, limit: full * 2) * 0.5)
    let length = twig.isBare ? used * variation.between(0.34, 0.5) : used
    let arriving = along.turned(by: opening * 0.35 + variation.signed() * 0.25)
    let tip = start + leaving * (length * 0.55) + arriving * (length * 0.45)
    let thickness = min(limb.width(at: place) * 0.55, frame.unit * (twig.isBare ? 0.009 : 0.013))
    return Spine(
      start, start + leaving * (length * 0.45), tip - arriving * (length * 0.4), tip, count: 12,
      width: { t in thickness * (1 + 0.8 * exp(-t * 9)) * (1 - t * 0.8) })
  }
}
