import Glibc
import VectorGraphics

/// The positions of the tree's wood. They depend on the garden's age and, for each branch and twig, only on its own
/// data, so that a new event moves only the wood that it concerns.
struct TreePlan {
  /// The area that the tree and its leaves may fill: an ellipse without the rectangles of the labels. That of a young
  /// tree is larger than the view.
  struct Frame: Equatable {
    var center: Point
    var radiusX, radiusY: Double
    var view: Rectangle
    /// By which the whole tree is turned clockwise, in radians, so that a limb can lie on its side.
    var turn = 0.0
    /// The greatest length of a limb as a share of the radius: the leaves at its tip need the rest.
    var limbs = 1.0
    var labels: [Rectangle] = []

    /// The scale of everything that is independent of the direction.
    var unit: Double { (radiusX * radiusY).squareRoot() }

    /// The middle angle of a branch: without a turn, the first is at the top, the others follow clockwise.
    func angle(_ branch: Int) -> Double { (Double(branch) * 45 - 90) * .pi / 180 + turn }

    /// The position in the frame: the frame's edge is at a distance of 1 from the origin.
    func flat(_ point: Point) -> Point {
      Point((point.x - center.x) / radiusX, (point.y - center.y) / radiusY)
    }

    /// Whether something that reaches this far around a point stays in the frame and off the names.
    func contains(_ point: Point, reach: Double) -> Bool {
      flat(point).length <= max(1 - reach / unit, 0.3) && view.grown(by: -reach).contains(point)
        && !labels.contains { $0.contains(point) }
    }
  }

  struct Limb {
    var spine: Spine
    var twigs: [Spine]
    /// Where the twigs leave the limb, as shares of its length.
    var places: [Double]
    /// The side of the first twig; the others alternate.
    let firstSide: Double

    let sector: Sector

    /// The side of the limb on which a twig grows: -1 or 1; 0 for the twig that continues the limb.
    func side(ofTwig index: Int) -> Double { Limb.side(ofTwig: index, first: firstSide) }

    fileprivate static func side(ofTwig index: Int, first: Double) -> Double {
      index == 7 ? 0 : index % 2 == 0 ? first : -first
    }
  }

  let frame: Frame
  let limbs: [Limb]
  /// Without the bark, in pixels.
  let trunkRadius: Double

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
    let direction = Point(angle: frame.angle(index))
    // The leaves need the remaining space: more of it when stories have become long.
    let share = variation.between(0.66, 0.74)
    let reach = share + 0.1 * exp(-age / 6) + 0.2 * exp(-age / 0.5)
    let edge = Point(direction.x * frame.radiusX, direction.y * frame.radiusY)
    // An untouched limb is half as long outside the trunk.
    let natural = trunkRadius + (edge.length * reach - trunkRadius) * (0.5 + 0.5 * branch.life)
    let length = min(natural, edge.length * frame.limbs * share / 0.74)
    // No two trees are alike: the first sprout of a limb bends it, to the side where it was bent before.
    let side = variation.side()
    if let oldest = branch.oldestSprout { variation = Variation("limb-" + oldest) }
    let spine = bent(
      to: side, &variation, from: frame.center + direction * (frame.unit * 0.02),
      to: frame.center + edge.unit * length, direction,
      thickness: frame.unit * (0.021 + 0.006 * branch.life + 0.036 * branch.invested / (branch.invested + 140)),
      trunkRadius: trunkRadius, life: branch.life)
    let sector = Sector(index, along: spine, in: frame)
    // The trunk of an old tree would cover the first twigs of a short limb.
    let first = min(max(0.3, trunkRadius * 1.5 / length), 0.6)
    let places = branch.twigs.indices.map { place(ofTwig: $0, of: index, first: first) }
    let twigs = branch.twigs.indices.map { twig in
      TreePlan.twig(twig, of: index, branch, at: places[twig], on: spine, side: side, in: sector, frame)
    }
    return Limb(spine: spine, twigs: twigs, places: places, firstSide: side, sector: sector)
  }

  /// The middle line of a limb.
  /// - Parameters:
  ///   - side: of the bow: -1 or 1.
  ///   - direction: in which it leaves the trunk.
  ///   - life: 0…1; a short limb has a smaller bow.
  private static func bent(
    to side: Double, _ variation: inout Variation, from start: Point, to tip: Point, _ direction: Point,
    thickness: Double, trunkRadius: Double, life: Double
  ) -> Spine {
    let length = (tip - start).length
    let (bow, wave, phase) = (
      side * variation.between(0.05, 0.165) * (0.6 + 0.4 * life), variation.between(0.012, 0.024),
      variation.between(0, 6)
    )
    let turns = variation.between(7, 11)
    let outwards = (tip - start).unit
    // Where a limb meets the trunk it is as wide as an eighth of the bark.
    let foot = max(trunkRadius * 0.72 - thickness, 0)
    return Spine(
      start, start + direction * (length * 0.4) + direction.normal * (length * bow * 0.4),
      tip - outwards.turned(by: -bow * 1.9) * (length * 0.4), tip, count: 30,
      bend: { sin($0 * turns + phase) * wave * length * $0 * (1 - $0 * 0.5) },
      width: { t in
        let flare = foot * exp(-max(t * length - trunkRadius, 0) / (trunkRadius * 0.75))
        return thickness * (pow(1 - t, 0.85) * 0.92 + 0.08) * (1 + 0.35 * exp(-t * 5)) + flare
      })
  }

  private static func place(ofTwig index: Int, of branch: Int, first: Double) -> Double {
    var variation = Variation("branch-\(branch)-place-\(index)")
    return index == 7 ? 0.985 : first + (0.92 - first) * Double(index) / 6.6 + variation.signed() * 0.015
  }

  private static func twig(
    _ index: Int, of number: Int, _ branch: TreeState.Branch, at place: Double, on limb: Spine, side firstSide: Double,
    in sector: Sector, _ frame: Frame
  ) -> Spine {
    var variation = Variation("branch-\(number)-twig-\(index)")
    let twig = branch.twigs[index]
    let isLast = index == 7
    let side = Limb.side(ofTwig: index, first: firstSide)
    let start = limb.point(at: place)
    let along = limb.direction(at: place)
    // Near the trunk, the neighbouring limb is also near.
    let space = (start - frame.center).length * 0.36
    let full = min(space, frame.unit * 0.15) * (isLast ? 0.5 : 1) * variation.between(0.85, 1.1)
    // On a short limb, bare twigs are no more than buds.
    let length = full * (twig.isBare ? variation.between(0.55, 0.75) * (0.22 + 0.78 * branch.life) : 1)
    let growth = Sector.Growth(side: side, twig: index)
    let wave = variation.signed() * 0.2
    // A twig leaves its limb in the limb's direction.
    let bend = sector.direction(at: start, growth)
    let turn = (along.angle - bend.angle).remainder(dividingBy: 2 * .pi)
    // The leaves need the rest of the line.
    let points = sector.line(
      from: start, growth, length: length, steps: 8, reach: frame.unit * 0.07,
      turn: { turn * 0.4 * max(1 - $0 * 2.5, 0) + wave * ($0 - 0.3) })
    let written = Double(twig.entries)
    let thickness = min(
      limb.width(at: place) * 0.6, frame.unit * (twig.isBare ? 0.0105 : 0.012 + 0.01 * written / (written + 30)))
    return Spine(
      through: points.count > 2 ? points : [start, start + along * (length * 0.15), start + along * (length * 0.3)],
      width: { t in thickness * (1 + 0.7 * exp(-t * 8)) * (1 - t * (twig.isBare ? 0.78 : 0.6)) })
  }
}
