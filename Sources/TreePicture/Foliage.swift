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
  /// How many times the window enlarges the branch, if it shows all of its marks; `nil` in the whole tree, where
  /// leaves give way to others.
  let closeUp: Double?
  /// The moment of an act about something on a twig; `nil` for the still picture.
  var moment: Moment?
  /// The drawings behind the wood and in front of it.
  private(set) var behind = Drawing()
  private(set) var front = Drawing()
  /// The growing and ready sprouts that were drawn.
  private(set) var shoots: [Shoot] = []
  /// Points at the edges of the leaflets that were drawn.
  private(set) var edges: [Point] = []
  /// The leaves of waterings and harvests that were drawn; `nil` if they aren't wanted.
  var marks: [EntryMark]?

  init(_ palette: Palette, in sector: Sector, unit: Double, isResting: Bool, closeUp: Double? = nil) {
    (self.palette, self.sector, self.unit, self.isResting) = (palette, sector, unit, isResting)
    self.closeUp = closeUp
  }

  /// - Parameter moving: a twig that an act moves, which isn't drawn now.
  /// - Returns: points of the twigs and their leaves, by twig.
  mutating func draw(
    _ branch: TreeState.Branch, number: Int, on limb: TreePlan.Limb, besides moving: Int? = nil
  ) -> [[Point]] {
    branch.twigs.indices.filter { $0 != moving }.map { twig in
      draw(
        branch.twigs[twig], of: .twig(branch: number, twig: twig), on: limb.twigs[twig],
        growing: Sector.Growth(side: limb.side(ofTwig: twig), twig: twig))
    }
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
    for seedling in twig.seedlings { drawBerry(seedling, on: spine, size: moment?.size(ofBerry: seedling) ?? 1) }
    if twig.leaves.isEmpty {
      drawBud(
        at: spine.tip, spine.direction(at: 1), length: unit * Foliage.bud,
        color: twig.suns.isEmpty ? palette.bud : palette.bud.mixed(with: palette.gold, moment?.pose.gold ?? 1))
    }
    return points
  }

  /// The length of the bud of a bare twig, as a multiple of the unit.
  static let bud = 0.17

  // MARK: - A leaf

  /// The greatest length of the first leaf of a twig and of the others, as a multiple of the unit.
  private static let greatestLength = (first: 3.0, other: 2.1)
  /// The points of the longest rachis.
  private static let steps = 12
  /// What a shoot gets of the space of a long leaf, as a multiple of the unit.
  private static let reserve = 0.9

  /// Where the parts of a leaf are.
  private struct Layout {
    /// That of the leaf and of what continues it.
    var line: [Point]
    /// Between the points of the line, in pixels.
    var step: Double
    /// How far leaflets go beyond the line, in pixels.
    var reach: Double
    /// The length of the rachis, in pixels.
    var length: Double
    /// The size as a share of the natural size.
    var scale: Double
    /// Those that don't grow any more.
    var leaflets: [(leaflet: TreeState.Leaflet, place: Place)]

    /// Where a leaflet leaves the rachis, as a share of it; -1 or 1 beside the rachis, 0 at its tip; in pixels.
    struct Place { var share, side, length: Double }

    /// The layout on the way to a later one.
    func mixed(with later: Layout, _ share: Double) -> Layout {
      func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
      var result = later
      if line.count > later.line.count { result.line = line }
      (result.length, result.scale) = (mix(length, later.length), mix(scale, later.scale))
      result.leaflets = later.leaflets.map { leaflet, place in
        guard let old = leaflets.first(where: { $0.leaflet.sproutID.hasSameBytes(as: leaflet.sproutID) })?.place else {
          return (leaflet, place)
        }
        return (
          leaflet,
          Place(
            share: mix(old.share, place.share), side: mix(old.side, place.side), length: mix(old.length, place.length))
        )
      }
      return result
    }
  }

  private mutating func draw(
    _ leaf: TreeState.Leaf, of node: Node, number: Int, on spine: Spine, growing growth: Sector.Growth
  ) -> [Point] {
    var variation = Variation(leaf.id)
    // The first leaf continues the twig. The others keep their positions when more leaves are added, and are smaller.
    let place = number == 0 ? 1 : 0.95 - 0.7 * Double(number) / (Double(number) + 1.6)
    let turn = number == 0 ? variation.signed() * 0.08 : turn(of: number, growth.side, &variation)
    let (start, along, isFirst) = (spine.point(at: place), spine.direction(at: place), number == 0)
    if isResting {
      drawResting(leaf, of: node, at: start, along.turned(by: turn))
      return []
    }
    let twist = variation.signed() * 0.1
    func layout(_ leaf: TreeState.Leaf) -> Layout {
      self.layout(leaf, from: start, along, growth, turn: turn, twist: twist, isFirst: isFirst)
    }
    var layout = layout(leaf)
    if let moment, let former = moment.former(of: leaf) {
      layout = self.layout(former, from: start, along, growth, turn: turn, twist: twist, isFirst: isFirst)
        .mixed(with: layout, moment.pose.settling)
    } else if let moment {
      // A new leaf comes out of its twig.
      layout.length *= max(moment.pose.settling, 0.02)
    }
    let rachis = Spine.part(
      of: layout.line, length: layout.length, step: layout.step, direction: spine.direction(at: 1))
    let growing = moment?.growing(on: leaf) ?? leaf.leaflets.filter(\.stage.isActive)
    let stems = stems(of: growing, from: rachis, layout, growth)
    var drawing = draw(layout, of: node, on: rachis, beside: stems)
    for stem in stems { drawing.append(draw(stem, of: node)) }
    if variation.share() < 0.3 { behind.append(drawing) } else { front.append(drawing) }
    return rachis.points
  }

  private func layout(
    _ leaf: TreeState.Leaf, from start: Point, _ along: Point, _ growth: Sector.Growth, turn: Double, twist: Double,
    isFirst: Bool
  ) -> Layout {
    let form = CompoundLeaf(leaf, unit: unit * (isFirst ? 1 : 0.85))
    let growing = leaf.leaflets.filter(\.stage.isActive)
    let longest = form.positions.map(\.length).max() ?? 0
    let reach = max(longest * (leaf.leaflets.count > 5 ? 0.35 : 0.5), growing.isEmpty ? 0 : unit * Foliage.shootReach)
    // A side leaf turns into the direction of the twig's first leaf. A first leaf begins in that of the twig.
    let beginning = sector.direction(at: start, growth)
    let change = isFirst ? (along.angle - beginning.angle).remainder(dividingBy: 2 * .pi) + turn : turn
    let limit = unit * (isFirst ? Foliage.greatestLength.first : Foliage.greatestLength.other)
    let shoot = growing.map { SproutShoot.length($0.season, unit: unit) }.max() ?? 0
    let step = limit / Double(Foliage.steps)
    let steps = Int(((limit + shoot) / step).rounded(.up))
    let line = sector.line(
      from: start, growth, length: Double(steps) * step, steps: steps, reach: reach,
      turn: {
        let share = min($0 * Double(steps) / Double(Foliage.steps), 1)
        return change * (isFirst ? max(1 - share * 3, 0) : 1 - 0.7 * share) + twist * share
      })
    let free = Double(line.count - 1) * step
    let room = max(min(limit, free - min(shoot, unit * Foliage.reserve)), unit * 0.5)
    // A long story gets smaller leaflets instead of growing into its neighbours.
    let scale = Foliage.scale(form.length, in: room)
    return Layout(
      line: line, step: step, reach: reach, length: form.length * scale, scale: scale,
      leaflets: zip(leaf.leaflets.lazy.filter { !$0.stage.isActive }, form.positions).map {
        ($0, .init(share: min($1.distance / form.length, 1), side: $1.side, length: $1.length * scale))
      })
  }

  /// The share of its length that something keeps in a room of another length.
  private static func scale(_ length: Double, in room: Double) -> Double {
    let ratio = length / room
    return pow(1 + ratio * ratio * ratio, -1.0 / 3)
  }

  private typealias Stem = (leaflet: TreeState.Leaflet, line: Spine, scale: Double)

  /// The lines of growing sprouts. The youngest continues the leaf; the others grow beside it.
  private func stems(
    of growing: [TreeState.Leaflet], from rachis: Spine, _ layout: Layout, _ growth: Sector.Growth
  ) -> [Stem] {
    let step = layout.step
    return growing.enumerated().map { index, leaflet in
      let number = growing.count - 1 - index
      let natural = SproutShoot.length(leaflet.season, unit: unit)
      let steps = max(Int((natural / step).rounded(.up)), 1)
      let turn = (number % 2 == 1 ? 1 : -1) * (0.5 + 0.25 * Double((number - 1) / 2))
      let (way, start) =
        number == 0
        ? (layout.line, rachis.length)
        : (
          sector.line(
            from: rachis.tip, growth, length: Double(steps) * step, steps: steps, reach: layout.reach,
            turn: { turn * (1 - 0.6 * $0) }), 0
        )
      let scale = Foliage.scale(natural, in: max(Double(way.count - 1) * step - start, unit * 0.6))
      let line = Spine.part(
        of: way, from: start, length: natural * scale, step: step, direction: rachis.direction(at: 1), count: 16)
      return (leaflet, line, scale)
    }
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
    drawBud(at: point, direction, length: unit * 0.28, color: palette.bud)
    // A sprout that rests can still be opened.
    for leaflet in leaf.leaflets where leaflet.stage.isActive {
      shoots.append(
        Shoot(
          id: leaflet.sproutID, twig: node, stem: [point + direction * (unit * 0.14)], radius: unit * 0.2, newest: nil))
    }
  }

  private mutating func draw(_ layout: Layout, of node: Node, on rachis: Spine, beside stems: [Stem]) -> Drawing {
    let scale = layout.scale
    var drawing = Drawing()
    drawing.stroke(
      .open(through: rachis.points), palette.wood.mixed(with: palette.fresh, 0.35),
      width: unit * 0.042 * scale.squareRoot())
    let brush = LeafletBrush(palette: palette, unit: unit, closeUp: closeUp)
    var veins = LeafletBrush.Veins()
    for (leaflet, position) in layout.leaflets {
      let (point, direction) = (rachis.point(at: position.share), rachis.direction(at: position.share))
      let place = LeafletBrush.Place(
        point: point, along: direction, side: position.side, opening: 1.16 - 0.3 * position.share,
        length: position.length, scale: scale)
      if let moment, moment.isAbout(leaflet) {
        let stem = stems.first { $0.leaflet.sproutID.hasSameBytes(as: leaflet.sproutID) }?.line
        brush.draw(leaflet, at: place, unfolding: moment.pose, from: stem ?? rachis, into: &drawing)
      } else {
        brush.draw(leaflet, at: place, into: &drawing, &veins)
      }
      if case .harvested = leaflet.stage {
        edges += place.edges
        marks?.append(
          EntryMark(
            entry: .harvest(sproutID: leaflet.sproutID), twig: node, center: place.middle, radius: place.length / 2))
      }
    }
    brush.draw(veins, scale: scale, into: &drawing)
    return drawing
  }

  // MARK: - A growing sprout

  /// How far a shoot reaches beyond its line, as a multiple of the unit.
  private static let shootReach = 0.2
  /// The least distance between two leaves of a side in the whole tree, in pixels.
  private static let leafSpacing = 3.0

  private mutating func draw(_ stem: Stem, of node: Node) -> Drawing {
    let (leaflet, line, scale) = stem
    let moment = moment.flatMap { $0.isAbout(leaflet) ? $0 : nil }
    let shoot = SproutShoot(
      leaflet: leaflet, line: line, unit: unit * scale.squareRoot(), spacing: closeUp == nil ? Foliage.leafSpacing : 0,
      palette: palette, moment: moment)
    var drawing = shoot.drawing()
    var radius = shoot.reach
    if leaflet.stage == .ready {
      let size = unit * max(scale, 0.8) * (0.5 + 0.5 * leaflet.season.size)
      let center = line.tip + line.direction(at: 1) * (size * 0.1)
      drawing.append(palette.flower(of: leaflet, at: center, size: size, falling: moment?.pose.falling))
      radius = max(radius, size * 0.42)
    }
    marks? += shoot.leaves.enumerated().map { position, leaf in
      EntryMark(
        entry: .watering(sproutID: leaflet.sproutID, position: position), twig: node, center: leaf.middle,
        radius: leaf.length / 2)
    }
    let count = 8
    shoots.append(
      Shoot(
        id: leaflet.sproutID, twig: node,
        stem: (0...count).map { line.point(at: shoot.end * Double($0) / Double(count)) },
        radius: radius, newest: shoot.newestLeaf))
    return drawing
  }

  // MARK: - Buds and berries

  /// A twig without leaves may get some, and a resting one has its leaves in its buds.
  private mutating func drawBud(at base: Point, _ direction: Point, length: Double, color: Color) {
    let blade = Blade(base: base, direction: direction, length: length, width: length * 0.53, curl: 0)
    front.fill(blade.outline, color)
  }

  /// Its id determines its place, so that a new one moves no other.
  private mutating func drawBerry(_ id: String, on spine: Spine, size: Double) {
    guard size > 0 else { return }
    var variation = Variation(id)
    let place = variation.between(0.2, 0.95)
    let side = variation.side()
    let direction = spine.direction(at: place).turned(by: side * 1.2)
    let base = spine.point(at: place)
    let unit = unit * size
    let center = base + direction * (unit * variation.between(0.12, 0.18))
    front.stroke(.open(through: [base, center]), palette.wood, width: unit * 0.03)
    front.fill(.circle(center, radius: unit * 0.075), palette.berry)
    front.fill(
      .circle(center + Point(-0.02, -0.025) * unit, radius: unit * 0.022), Color(0xFFFFFF, alpha: 0.55))
  }
}
