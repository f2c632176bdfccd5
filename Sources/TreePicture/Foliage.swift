import Glibc
import TrunkModel
import VectorGraphics

/// Draws the leaves, flowers, berries and scars of one twig.
struct Foliage {
  let palette: Palette
  let frame: TreePlan.Frame
  /// The length of the leaflet of a whole year, in pixels.
  let unit: Double
  /// Whether the tree rests: each leaf is then a closed bud.
  let isResting: Bool
  /// The drawings behind the wood and in front of it.
  private(set) var behind = Drawing()
  private(set) var front = Drawing()
  /// The growing and ready sprouts that were drawn.
  private(set) var shoots: [Shoot] = []

  init(_ palette: Palette, in frame: TreePlan.Frame, unit: Double, isResting: Bool) {
    (self.palette, self.frame, self.unit, self.isResting) = (palette, frame, unit, isResting)
  }

  /// - Parameters:
  ///   - node: the twig.
  ///   - side: the side of the limb on which it grows: -1, 1, or 0 at the limb's tip.
  /// - Returns: points of the twig and its leaves.
  mutating func draw(_ twig: TreeState.Twig, of node: Node, on spine: Spine, side: Double) -> [Point] {
    var points = spine.points
    for (number, leaf) in twig.leaves.enumerated() {
      points += draw(leaf, of: node, number: number, on: spine, outwards: side)
    }
    for (number, seedling) in twig.seedlings.enumerated() { drawBerry(seedling, number: number, on: spine) }
    if twig.leaves.isEmpty { drawBud(at: spine.tip, spine.direction(at: 1), length: unit * 0.17) }
    return points
  }

  // MARK: - A leaf

  /// - Parameter outwards: the side on which the limb isn't.
  private mutating func draw(
    _ leaf: TreeState.Leaf, of node: Node, number: Int, on spine: Spine, outwards: Double
  ) -> [Point] {
    var variation = Variation(leaf.id)
    // The first leaf continues the twig. The others keep their positions when more leaves are added.
    let place = 1 - 0.8 * Double(number) / (Double(number) + 2.2)
    let side: Double = number == 0 ? 0 : number % 2 == 1 ? 1 : -1
    // The later leaves of a side leave at a wider angle, so that they don't lie on the earlier ones.
    let fan = min(0.3 * Double((number - 1) / 2), 0.9)
    let away = number == 0 ? outwards * openness(at: spine.tip) : side
    let direction = spine.direction(at: place).turned(
      by: side * (variation.between(0.75, 1) + fan) + variation.signed() * 0.12
        + (number == 0 ? away * Foliage.opening : 0))
    if isResting {
      let bud = spine.point(at: place)
      drawBud(at: bud, direction, length: unit * 0.28)
      // A sprout that rests can still be opened.
      for leaflet in leaf.leaflets where leaflet.stage.isActive {
        shoots.append(
          Shoot(id: leaflet.sproutID, twig: node, center: bud + direction * (unit * 0.14), radius: unit * 0.2))
      }
      return []
    }
    let rachis: Spine = curve(
      of: leaf, from: spine.point(at: place), towards: direction, side: away, &variation)
    var drawing = Drawing()
    drawing.stroke(.open(through: rachis.points), palette.wood.mixed(with: palette.fresh, 0.35), width: unit * 0.05)
    for (index, leaflet) in leaf.leaflets.enumerated() {
      let share = Double(index + 1) / Double(leaf.leaflets.count)
      let isTip = index == leaf.leaflets.count - 1
      let (point, direction) = (rachis.point(at: 0.12 + 0.88 * share), rachis.direction(at: share))
      draw(leaflet, at: point, along: direction, side: index % 2 == 0 ? -1 : 1, isTip: isTip, into: &drawing)
      if let shoot = shoot(leaflet, of: node, at: point, along: direction) { shoots.append(shoot) }
    }
    if variation.share() < 0.35 { behind.append(drawing) } else { front.append(drawing) }
    return rachis.points
  }

  /// How far the leaf at the tip of a twig turns away from the limb, in radians.
  private static let opening = 0.4

  /// How much a leaf may turn away from its limb, 0…1: near the trunk, the neighbouring limb is close.
  private func openness(at point: Point) -> Double {
    let (x, y) = ((point.x - frame.center.x) / frame.radiusX, (point.y - frame.center.y) / frame.radiusY)
    return min(max((Point(x, y).length - 0.45) / 0.25, 0), 1)
  }

  private func curve(
    of leaf: TreeState.Leaf, from start: Point, towards direction: Point, side: Double, _ variation: inout Variation
  ) -> Spine {
    let lengths = leaf.leaflets.map { size(of: $0) }
    let natural = lengths.reduce(unit * 0.22) { $0 + $1 * 0.3 }
    // Curl a long story instead of growing into its neighbours.
    let limit = max(unit, frame.room(from: start, towards: direction, limit: unit * 4) - unit * 0.5)
    let length = limit * (1 - exp(-natural / limit))
    // A leaf bends away from its twig or limb.
    let bend = variation.signed()
    let curl = (bend * (1 - abs(side)) + abs(bend) * side) * (0.25 + 0.5 * length / limit)
    let end = start + direction.turned(by: curl * 0.5) * length
    return Spine(
      start, start + direction * (length * 0.4), end - direction.turned(by: curl * 1.2) * (length * 0.35), end,
      count: 10, width: { _ in 0 })
  }

  private func size(of leaflet: TreeState.Leaflet) -> Double {
    switch leaflet.season {
    case .twoWeeks: unit * 0.46
    case .oneMonth: unit * 0.56
    case .threeMonths: unit * 0.7
    case .sixMonths: unit * 0.84
    case .oneYear: unit
    }
  }

  // MARK: - A leaflet

  private func draw(
    _ leaflet: TreeState.Leaflet, at point: Point, along direction: Point, side: Double, isTip: Bool,
    into drawing: inout Drawing
  ) {
    var variation = Variation(leaflet.sproutID)
    let length = size(of: leaflet) * variation.between(0.92, 1.08)
    let opening = isTip ? variation.signed() * 0.15 : side * variation.between(0.62, 0.95)
    switch leaflet.stage {
    case .harvested(let result):
      let color = palette.tint(result: result, &variation)
      let shape = Blade(
        base: point, direction: direction.turned(by: opening), length: length,
        width: length * [0.2, 0.3, 0.42, 0.5, 0.56][min(max(result, 1), 5) - 1],
        curl: result < 3 ? side * Double(3 - result) * 0.45 : side * 0.12)
      drawBlade(shape, color, into: &drawing)
    case .uprooted:
      let mark = point + direction.turned(by: side * 1.4) * (unit * 0.06)
      drawing.stroke(.circle(mark, radius: unit * 0.045), palette.scar, width: unit * 0.03)
    case .growing(let progress):
      drawPair(at: point, direction, length: length, progress: progress, into: &drawing)
    case .ready:
      drawFlower(at: point + direction * (unit * 0.18), into: &drawing, &variation)
    }
  }

  /// The place of a growing sprout or of a flower.
  private func shoot(
    _ leaflet: TreeState.Leaflet, of node: Node, at point: Point, along direction: Point
  ) -> Shoot? {
    switch leaflet.stage {
    case .harvested, .uprooted: return nil
    case .growing(let progress):
      let reach = size(of: leaflet) * (0.5 + 0.5 * progress) * 0.55
      return Shoot(id: leaflet.sproutID, twig: node, center: point + direction * reach, radius: reach)
    case .ready:
      return Shoot(id: leaflet.sproutID, twig: node, center: point + direction * (unit * 0.18), radius: unit * 0.42)
    }
  }

  private func drawBlade(_ blade: Blade, _ color: Color, into drawing: inout Drawing) {
    // The light comes from the top left.
    let light = Point(-0.6, -0.8)
    let leftIsLit = blade.direction.normal.x * light.x + blade.direction.normal.y * light.y < 0
    drawing.fill(blade.outline, color.mixed(with: palette.woodDark, 0.1))
    drawing.fill(leftIsLit ? blade.leftHalf : blade.rightHalf, color.mixed(with: Color(0xFFFFFF), 0.13))
    if let outline = palette.outline { drawing.stroke(blade.outline, outline, width: unit * 0.02) }
    drawing.stroke(blade.midrib, color.mixed(with: palette.woodDark, 0.35).faded(to: 0.7), width: unit * 0.018)
  }

  /// Two fresh leaflets that open with the season.
  private func drawPair(
    at point: Point, _ direction: Point, length: Double, progress: Double, into drawing: inout Drawing
  ) {
    let size = length * (0.5 + 0.5 * progress)
    for side in [-1.0, 1.0] {
      let blade = Blade(
        base: point, direction: direction.turned(by: side * (0.14 + 0.62 * progress)), length: size,
        width: size * (0.3 + 0.2 * progress), curl: -side * 0.25)
      drawBlade(blade, palette.fresh, into: &drawing)
    }
  }

  private func drawFlower(at center: Point, into drawing: inout Drawing, _ variation: inout Variation) {
    let turn = variation.between(0, 1.2)
    for petal in 0..<5 {
      let direction = Point(angle: turn + Double(petal) * 2 * .pi / 5)
      let blade = Blade(
        base: center + direction * (unit * 0.04), direction: direction, length: unit * 0.36, width: unit * 0.3, curl: 0,
        isRound: true)
      drawing.fill(blade.outline, petal % 2 == 0 ? palette.petal : palette.petal.mixed(with: Color(0xFFFFFF), 0.18))
      drawing.stroke(
        blade.outline, palette.outline ?? palette.petal.mixed(with: palette.woodDark, 0.3).faded(to: 0.6),
        width: unit * (palette.outline == nil ? 0.015 : 0.02))
    }
    drawing.fill(.circle(center, radius: unit * 0.1), palette.pollen)
  }

  /// A twig without leaves may get some, and a resting one has its leaves in its buds.
  private mutating func drawBud(at base: Point, _ direction: Point, length: Double) {
    let blade = Blade(base: base, direction: direction, length: length, width: length * 0.53, curl: 0)
    front.fill(blade.outline, palette.fresh.mixed(with: palette.wood, 0.25))
  }

  private mutating func drawBerry(_ id: String, number: Int, on spine: Spine) {
    var variation = Variation(id)
    let place = 0.2 + 0.75 * Double(number) / (Double(number) + 4) + variation.signed() * 0.03
    let side = variation.side()
    let direction = spine.direction(at: place).turned(by: side * 1.2)
    let base = spine.point(at: place)
    let center = base + direction * (unit * variation.between(0.12, 0.18))
    front.stroke(.open(through: [base, center]), palette.wood, width: unit * 0.03)
    front.fill(.circle(center, radius: unit * 0.075), palette.berry)
    front.fill(
      .circle(center + Point(-0.02, -0.025) * unit, radius: unit * 0.022), Color(0xFFFFFF, alpha: 0.55))
  }
}
