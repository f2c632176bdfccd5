import Glibc
import TrunkModel
import VectorGraphics

/// Draws the leaves, flowers, berries and scars of one branch.
struct Foliage {
  let palette: Palette
  let sector: Sector
  /// The length of the leaflet of a whole year, in pixels.
  let unit: Double
  /// Whether the tree rests: each leaf is then a closed bud.
  let isResting: Bool
  /// The drawings behind the wood and in front of it.
  private(set) var behind = Drawing()
  private(set) var front = Drawing()
  /// The growing and ready sprouts that were drawn.
  private(set) var shoots: [Shoot] = []

  init(_ palette: Palette, in sector: Sector, unit: Double, isResting: Bool) {
    (self.palette, self.sector, self.unit, self.isResting) = (palette, sector, unit, isResting)
  }

  /// - Parameters:
  ///   - node: the twig.
  ///   - growth: where it grows.
  /// - Returns: points of the twig and its leaves.
  mutating func draw(
    _ twig: TreeState.Twig, of node: Node, on spine: Spine, growing growth: Sector.Growth
  ) -> [Point] {
    var points = spine.points
    for (number, leaf) in twig.leaves.enumerated() {
      points += draw(leaf, of: node, number: number, on: spine, growing: growth)
    }
    for (number, seedling) in twig.seedlings.enumerated() { drawBerry(seedling, number: number, on: spine) }
    if twig.leaves.isEmpty { drawBud(at: spine.tip, spine.direction(at: 1), length: unit * 0.17) }
    return points
  }

  // MARK: - A leaf

  /// The greatest length of the first leaf of a twig and of the others, as a multiple of the unit.
  private static let greatestLength = (first: 3.0, other: 2.1)
  /// The points of a rachis.
  private static let steps = 12

  private mutating func draw(
    _ leaf: TreeState.Leaf, of node: Node, number: Int, on spine: Spine, growing growth: Sector.Growth
  ) -> [Point] {
    var variation = Variation(leaf.id)
    // The first leaf continues the twig. The others keep their positions when more leaves are added, and are smaller.
    let place = number == 0 ? 1 : 0.95 - 0.7 * Double(number) / (Double(number) + 1.6)
    let turn = number == 0 ? variation.signed() * 0.08 : turn(of: number, growth.side, &variation)
    let (start, isFirst) = (spine.point(at: place), number == 0)
    if isResting {
      drawResting(leaf, of: node, at: start, spine.direction(at: place).turned(by: turn))
      return []
    }
    let form = CompoundLeaf(leaf, unit: unit * (isFirst ? 1 : 0.85))
    let longest = form.positions.map(\.length).max() ?? 0
    let reach = longest * (leaf.leaflets.count > 5 ? 0.35 : 0.5)
    let twist = variation.signed() * 0.1
    // A side leaf turns into the direction of the twig's first leaf. A first leaf begins in that of the twig.
    let beginning = sector.direction(at: start, growth)
    let change =
      isFirst ? (spine.direction(at: place).angle - beginning.angle).remainder(dividingBy: 2 * .pi) + turn : turn
    let limit = unit * (isFirst ? Foliage.greatestLength.first : Foliage.greatestLength.other)
    let line = sector.line(
      from: start, growth, length: limit, steps: Foliage.steps, reach: reach,
      turn: { change * (isFirst ? max(1 - $0 * 3, 0) : 1 - 0.7 * $0) + twist * $0 })
    let room = max(limit * Double(line.count - 1) / Double(Foliage.steps), unit * 0.5)
    // A long story gets smaller leaflets instead of growing into its neighbours.
    let ratio = form.length / room
    let scale = pow(1 + ratio * ratio * ratio, -1.0 / 3)
    let rachis = Spine.beginning(
      of: line, length: form.length * scale, step: limit / Double(Foliage.steps), direction: spine.direction(at: 1))
    let drawing = draw(leaf, form, of: node, on: rachis, scale: scale)
    if variation.share() < 0.3 { behind.append(drawing) } else { front.append(drawing) }
    return rachis.points
  }

  /// How far a leaf beside the first one turns away from the twig. The later leaves of a side leave at a wider angle,
  /// so that they don't lie on the earlier ones.
  private func turn(of number: Int, _ outwards: Double, _ variation: inout Variation) -> Double {
    let fan = min(0.25 * Double((number - 1) / 2), 0.75)
    let away = outwards == 0 ? 1 : outwards
    // Towards the limb there is less space.
    return number % 2 == 1
      ? away * (variation.between(0.75, 0.95) + fan) : -away * (variation.between(0.6, 0.8) + fan * 0.7)
  }

  private mutating func drawResting(_ leaf: TreeState.Leaf, of node: Node, at point: Point, _ direction: Point) {
    drawBud(at: point, direction, length: unit * 0.28)
    // A sprout that rests can still be opened.
    for leaflet in leaf.leaflets where leaflet.stage.isActive {
      shoots.append(
        Shoot(id: leaflet.sproutID, twig: node, center: point + direction * (unit * 0.14), radius: unit * 0.2))
    }
  }

  private mutating func draw(
    _ leaf: TreeState.Leaf, _ form: CompoundLeaf, of node: Node, on rachis: Spine, scale: Double
  ) -> Drawing {
    var drawing = Drawing()
    drawing.stroke(
      .open(through: rachis.points), palette.wood.mixed(with: palette.fresh, 0.35),
      width: unit * 0.042 * scale.squareRoot())
    var veins = Veins()
    for (leaflet, position) in zip(leaf.leaflets, form.positions) {
      let share = min(position.distance / form.length, 1)
      let (point, direction) = (rachis.point(at: share), rachis.direction(at: share))
      let place = Place(
        point: point, along: direction, side: position.side, opening: 1.16 - 0.3 * share,
        length: position.length * scale, scale: scale)
      draw(leaflet, at: place, into: &drawing, &veins)
      if let shoot = shoot(leaflet, of: node, at: place) { shoots.append(shoot) }
    }
    if !veins.ofLeaflets.elements.isEmpty {
      drawing.stroke(veins.ofLeaflets, palette.woodDark.faded(to: 0.3), width: unit * 0.02 * scale)
    }
    if !veins.ofBareLeaflets.elements.isEmpty {
      drawing.stroke(veins.ofBareLeaflets, palette.bareVein, width: max(unit * 0.022 * scale, 0.6))
    }
    return drawing
  }

  // MARK: - A leaflet

  /// The thin lines of a leaf, which are painted together.
  private struct Veins {
    var ofLeaflets = Path()
    /// The outlines and veins of leaflets that winter has bared.
    var ofBareLeaflets = Path()
  }

  /// Where a leaflet grows.
  private struct Place {
    var point: Point
    /// The direction of the rachis.
    var along: Point
    /// -1 or 1 beside the rachis, 0 at its tip.
    var side: Double
    /// The angle between a leaflet and the rachis, in radians.
    var opening: Double
    var length: Double
    /// The size of the leaf as a share of its natural size.
    var scale: Double

    /// The side to which the leaflet curls.
    var curlSide: Double { side == 0 ? 1 : side }
  }

  private func draw(
    _ leaflet: TreeState.Leaflet, at place: Place, into drawing: inout Drawing, _ veins: inout Veins
  ) {
    var variation = Variation(leaflet.sproutID)
    let length = place.length * variation.between(0.94, 1.06)
    let direction = place.along.turned(by: place.side * place.opening + variation.signed() * 0.07)
    switch leaflet.stage {
    case .harvested(let result):
      let color = palette.tint(result: result, &variation)
      let shape = Blade(
        base: place.point, direction: direction, length: length,
        width: length * [0.2, 0.3, 0.42, 0.5, 0.56][min(max(result, 1), 5) - 1],
        curl: result < 3 ? place.curlSide * Double(3 - result) * 0.45 : -place.side * 0.14)
      if palette.isBare(&variation) {
        drawing.fill(shape.outline, color.faded(to: 0.25))
        veins.ofBareLeaflets.append(shape.outline)
        veins.ofBareLeaflets.append(shape.midrib)
      } else {
        drawBlade(shape, color, into: &drawing, &veins)
      }
    case .uprooted:
      let mark = place.point + place.along.turned(by: place.curlSide * 1.4) * (unit * 0.07 * place.scale)
      drawing.stroke(.circle(mark, radius: unit * 0.045 * place.scale), palette.scar, width: unit * 0.03 * place.scale)
    case .growing(let progress):
      drawPair(
        at: place.point, place.side == 0 ? place.along : direction, length: length, progress: progress, into: &drawing,
        &veins)
    case .ready:
      drawFlower(at: flower(place), size: unit * flowerScale(place), into: &drawing, &variation)
    }
  }

  /// Flowers stay large enough to be seen.
  private func flowerScale(_ place: Place) -> Double { max(place.scale, 0.8) }

  private func flower(_ place: Place) -> Point {
    place.point + place.along.turned(by: place.side * place.opening) * (unit * 0.18 * flowerScale(place))
  }

  /// The place of a growing sprout or of a flower.
  private func shoot(_ leaflet: TreeState.Leaflet, of node: Node, at place: Place) -> Shoot? {
    switch leaflet.stage {
    case .harvested, .uprooted: return nil
    case .growing(let progress):
      let reach = place.length * (0.5 + 0.5 * progress) * 0.55
      let direction = place.along.turned(by: place.side * place.opening)
      return Shoot(id: leaflet.sproutID, twig: node, center: place.point + direction * reach, radius: reach)
    case .ready:
      return Shoot(
        id: leaflet.sproutID, twig: node, center: flower(place), radius: unit * 0.42 * flowerScale(place))
    }
  }

  private func drawBlade(_ blade: Blade, _ color: Color, into drawing: inout Drawing, _ veins: inout Veins) {
    // The light comes from the top left.
    let light = Point(-0.6, -0.8)
    let leftIsLit = blade.direction.normal.x * light.x + blade.direction.normal.y * light.y < 0
    drawing.fill(blade.outline, color.mixed(with: palette.woodDark, 0.1))
    drawing.fill(leftIsLit ? blade.leftHalf : blade.rightHalf, color.mixed(with: Color(0xFFFFFF), 0.13))
    if let outline = palette.outline { drawing.stroke(blade.outline, outline, width: unit * 0.02) }
    veins.ofLeaflets.append(blade.midrib)
  }

  /// Two fresh leaflets that open with the season.
  private func drawPair(
    at point: Point, _ direction: Point, length: Double, progress: Double, into drawing: inout Drawing,
    _ veins: inout Veins
  ) {
    let size = length * (0.5 + 0.5 * progress)
    for side in [-1.0, 1.0] {
      let blade = Blade(
        base: point, direction: direction.turned(by: side * (0.14 + 0.62 * progress)), length: size,
        width: size * (0.3 + 0.2 * progress), curl: -side * 0.25)
      drawBlade(blade, palette.fresh, into: &drawing, &veins)
    }
  }

  private func drawFlower(
    at center: Point, size unit: Double, into drawing: inout Drawing, _ variation: inout Variation
  ) {
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
    front.fill(blade.outline, palette.bud)
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
