import Glibc
import VectorGraphics

/// Draws limbs, twigs and the cross-section of the trunk. Each kind of line of a limb is one mark, because many small
/// marks take longer to paint.
struct Wood {
  let palette: Palette
  let plan: TreePlan

  /// Twigs that are thinner have no light and shade, in pixels.
  private static let thin = 2.2

  // MARK: - Limbs

  func twigs(of branch: Int, besides moving: Int? = nil) -> Drawing {
    let twigs = plan.limbs[branch].twigs
    return draw(moving.map { Array(twigs[..<$0] + twigs[($0 + 1)...]) } ?? twigs)
  }

  func draw(_ twigs: [Spine]) -> Drawing {
    var drawing = Drawing()
    drawing.fill(Path(twigs.map(\.outline)), palette.wood)
    let thick = twigs.filter { $0.widths[0] > Wood.thin }
    drawing.fill(Path(thick.map { lightBand(of: $0) }), palette.woodLight.faded(to: 0.5))
    return drawing
  }

  func limb(_ branch: Int) -> Drawing {
    var drawing = Drawing()
    let spine = plan.limbs[branch].spine
    drawing.fill(spine.outline, palette.wood)
    drawing.fill(lightBand(of: spine), palette.woodLight.faded(to: 0.5))
    drawing.fill(darkBand(of: spine), palette.woodDark.faded(to: 0.35))
    drawBark(spine, "bark-\(branch)", into: &drawing)
    return drawing
  }

  /// Shoots without leaves, and the buds at their tips. An old tree has more of them.
  /// - Parameter moving: a twig that an act moves: it has none now.
  func shoots(of branch: Int, _ state: TreeState.Branch, age: Double, besides moving: Int? = nil) -> Drawing {
    let limb = plan.limbs[branch]
    let unit = plan.frame.unit
    var shoots = bareShoots(age: age)
    let count = Wood.shoots(state, age: age)
    shoots.grow(
      on: limb.spine, count: count > 0 ? count + 1 : 0, from: 0.36, length: unit * 0.07, id: "branch-\(branch)")
    for (number, twig) in limb.twigs.enumerated() where number != moving {
      grow(&shoots, on: twig, 0..<Wood.shoots(state.twigs[number], of: count), branch, number)
    }
    return draw(shoots)
  }

  /// The shoots of one twig, which may have more of them than before.
  /// - Parameter growth: how far the twig has become what it is now, 0…1.
  func shoots(
    of branch: Int, _ state: TreeState.Branch, age: Double, on spine: Spine, twig: Int, former: TreeState.Twig,
    growth: Double
  ) -> Drawing {
    var shoots = bareShoots(age: age)
    let count = Wood.shoots(state, age: age)
    let (before, after) = (Wood.shoots(former, of: count), Wood.shoots(state.twigs[twig], of: count))
    grow(&shoots, on: spine, 0..<after, branch, twig)
    if before > after, growth < 1 { grow(&shoots, on: spine, after..<before, branch, twig, size: 1 - growth) }
    return draw(shoots)
  }

  private func bareShoots(age: Double) -> BareShoots {
    BareShoots(width: max(plan.frame.unit * 0.005, 0.9), bud: plan.frame.unit * 0.0056 * (1 + exp(-age / 2)))
  }

  private static func shoots(_ state: TreeState.Branch, age: Double) -> Int {
    let full = age < 1.5 ? 1 : age < 4 ? 2 : age < 12 ? 3 : 4
    return Int((Double(full) * state.life).rounded())
  }

  /// A leaf needs the space around its twig.
  private static func shoots(_ twig: TreeState.Twig, of count: Int) -> Int { twig.isBare ? count : min(count, 1) }

  private func grow(
    _ shoots: inout BareShoots, on twig: Spine, _ numbers: Range<Int>, _ branch: Int, _ number: Int, size: Double = 1
  ) {
    shoots.grow(
      on: twig, count: numbers.upperBound, after: numbers.lowerBound, from: 0.3,
      length: plan.frame.unit * 0.055 * size, id: "branch-\(branch)-twig-\(number)")
  }

  private func draw(_ shoots: BareShoots) -> Drawing {
    var drawing = Drawing()
    if shoots.wood.elements.isEmpty { return drawing }
    drawing.fill(shoots.wood, palette.wood)
    drawing.fill(shoots.buds, palette.bud)
    return drawing
  }

  /// The side that the light falls on: it comes from the top left.
  private func litSide(of spine: Spine) -> Double {
    let across = spine.direction(at: 0.4).normal
    return across.x * -0.6 + across.y * -0.8 > 0 ? 1 : -1
  }

  private func lightBand(of spine: Spine) -> Path {
    litSide(of: spine) > 0 ? spine.band(from: 0.25, to: 0.85) : spine.band(from: -0.85, to: -0.25)
  }

  private func darkBand(of spine: Spine) -> Path {
    litSide(of: spine) > 0 ? spine.band(from: -1, to: -0.45) : spine.band(from: 0.45, to: 1)
  }

  private func drawBark(_ spine: Spine, _ id: String, into drawing: inout Drawing) {
    var variation = Variation(id)
    let width = spine.width(at: 0.3)
    let lines = (0..<Int(min(width * 1.8, 26))).map { _ in
      let from = variation.between(0.08, 0.6)
      return spine.line(at: variation.signed() * 0.75, from: from, to: from + variation.between(0.07, 0.18))
    }
    drawing.stroke(Path(lines), palette.woodDark.faded(to: 0.4), width: max(0.5, width * 0.035))
  }

  // MARK: - Lichen

  /// The days after which a lobe begins to turn into bark, and how long that takes.
  private static let (goldDays, turningDays) = (365.0, 60.0)

  /// A lobe of lichen for each of the latest reflections, on the bark where its twig leaves the limb. It is gold for a
  /// year; then the bark takes it in from its edge.
  func lichen(of branch: Int, _ state: TreeState.Branch) -> Drawing {
    var aged = Path()
    var gold = Path()
    let limb = plan.limbs[branch]
    for (number, twig) in state.twigs.enumerated() {
      let (place, side) = (limb.places[number], limb.side(ofTwig: number))
      for sun in twig.suns {
        let goldShare = 1 - min(max((Double(sun.age) - Wood.goldDays) / Wood.turningDays, 0), 1)
        if goldShare < 1 { aged.append(lobe(sun, at: place, side, on: limb.spine, size: 1)) }
        if goldShare > 0 { gold.append(lobe(sun, at: place, side, on: limb.spine, size: goldShare)) }
      }
    }
    var drawing = Drawing()
    if !aged.elements.isEmpty { drawing.fill(aged, palette.agedGold) }
    if !gold.elements.isEmpty { drawing.fill(gold, palette.gold) }
    return drawing
  }

  /// The lobes of the latest reflections of each twig.
  func reflections(of branch: Int, _ state: TreeState.Branch) -> [EntryMark] {
    let limb = plan.limbs[branch]
    return state.twigs.enumerated().flatMap { number, twig in
      twig.suns.reversed().enumerated().compactMap { age, sun in
        lobe(sun, at: limb.places[number], limb.side(ofTwig: number), on: limb.spine, size: 1).bounds.map {
          EntryMark(
            entry: .reflection(age: age), twig: .twig(branch: branch, twig: number), center: $0.center,
            radius: max($0.width, $0.height) / 2)
        }
      }
    }
  }

  /// The lobe of a twig's latest reflection.
  func newestLobe(of branch: Int, twig: Int, _ state: TreeState.Branch, size: Double) -> Path? {
    let limb = plan.limbs[branch]
    return state.twigs[twig].suns.last.map {
      lobe($0, at: limb.places[twig], limb.side(ofTwig: twig), on: limb.spine, size: size)
    }
  }

  /// - Parameters:
  ///   - place: of the twig, as a share of the limb.
  ///   - side: of the limb, on which the twig grows.
  ///   - size: 0…1.
  private func lobe(
    _ sun: TreeState.Sun, at place: Double, _ side: Double, on spine: Spine, size: Double
  ) -> Path {
    let unit = plan.frame.unit
    var variation = Variation(seed: sun.seed)
    // Most lobes are near the middle of the group.
    let along = (variation.signed() + variation.signed()) * 0.013 * unit / spine.length
    let share = min(max(min(place, 0.93) + along, 0.05), 0.97)
    let wood = spine.width(at: share)
    let natural = unit * 0.009 * variation.between(0.75, 1.15)
    // Flat and inside the wood: longer where the limb is thin.
    let across = min(natural, wood * 0.34)
    let length = max(across * 1.3, min(natural, 2.2))
    let offset = (side * 0.35 + variation.signed() * 0.65) * max(wood / 2 - across, 0)
    let direction = spine.direction(at: share)
    let center = spine.point(at: share) + direction.normal * offset
    return .ellipse(center, direction * (length * size), direction.normal * (across * size))
  }

  // MARK: - Trunk

  func trunk(_ state: TreeState) -> Drawing {
    CrossSection(state.rings, months: state.months, center: plan.frame.center, radius: plan.trunkRadius).drawing(
      palette, lineWidth: max(0.6, plan.frame.unit * 0.0022))
  }
}

/// Thin shoots on both sides of a piece of wood.
private struct BareShoots {
  /// At their base, in pixels.
  let width: Double
  /// The length of a bud, in pixels.
  let bud: Double
  private(set) var wood = Path()
  private(set) var buds = Path()

  init(width: Double, bud: Double) { (self.width, self.bud) = (width, bud) }

  /// - Parameters:
  ///   - from: the share of the wood below which no shoots grow.
  ///   - length: of a shoot, in pixels.
  ///   - first: the number of shoots that aren't drawn, from the oldest on.
  mutating func grow(
    on spine: Spine, count: Int, after first: Int = 0, from: Double, length: Double, id: String
  ) {
    var variation = Variation(id + "-shoots")
    var side = variation.side()
    for number in 0..<count {
      // Later shoots grow between the earlier ones, which keep their places.
      let share = (0.45 + Double(number) * 0.618).truncatingRemainder(dividingBy: 1)
      let place = from + (0.94 - from) * share + variation.signed() * 0.03
      let size = length * variation.between(0.55, 1) * (1.15 - 0.55 * place)
      let turn = side * variation.between(0.5, 0.85)
      side = -side
      if number < first { continue }
      let base = spine.point(at: place)
      let along = spine.direction(at: place)
      let leaving = along.turned(by: turn)
      let tip = base + leaving * (size * 0.6) + along.turned(by: turn * 0.3) * (size * 0.4)
      add(from: base, towards: leaving, to: tip, size, width: min(width, spine.width(at: place) * 0.8))
    }
  }

  private mutating func add(from base: Point, towards leaving: Point, to tip: Point, _ size: Double, width: Double) {
    let half = leaving.normal * (width / 2)
    let bend = base + leaving * (size * 0.5)
    wood.move(to: base - half)
    wood.curve(base + leaving * (size * 0.2) - half, bend - half * 0.6, to: tip)
    wood.curve(bend + half * 0.6, base + leaving * (size * 0.2) + half, to: base + half)
    wood.close()
    let along = (tip - bend).unit
    let (end, side) = (tip + along * (bud * 1.6), along.normal * (bud * 0.7))
    buds.move(to: tip - along * (bud * 0.3))
    buds.curve(tip + side, tip + along * bud + side, to: end)
    buds.curve(tip + along * bud - side, tip - side, to: tip - along * (bud * 0.3))
    buds.close()
  }
}
