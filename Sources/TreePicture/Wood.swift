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

  func twigs(of branch: Int) -> Drawing {
    var drawing = Drawing()
    let twigs = plan.limbs[branch].twigs
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
  func shoots(of branch: Int, _ state: TreeState.Branch, age: Double) -> Drawing {
    let limb = plan.limbs[branch]
    let unit = plan.frame.unit
    var shoots = BareShoots(width: max(unit * 0.005, 0.9), bud: unit * 0.0056 * (1 + exp(-age / 2)))
    let count = age < 4 ? 2 : age < 12 ? 3 : 4
    shoots.grow(on: limb.spine, count: count + 1, from: 0.36, length: unit * 0.07, id: "branch-\(branch)")
    for (number, twig) in limb.twigs.enumerated() {
      // A leaf needs the space around its twig.
      shoots.grow(
        on: twig, count: state.twigs[number].isBare ? count : 1, from: 0.3, length: unit * 0.055,
        id: "branch-\(branch)-twig-\(number)")
    }
    var drawing = Drawing()
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

  // MARK: - Trunk

  func trunk(_ state: TreeState) -> Drawing {
    CrossSection(state.rings, center: plan.frame.center, radius: plan.trunkRadius).drawing(
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
  mutating func grow(on spine: Spine, count: Int, from: Double, length: Double, id: String) {
    var variation = Variation(id + "-shoots")
    var side = variation.side()
    for number in 0..<count {
      // Later shoots grow between the earlier ones, which keep their places.
      let share = (0.45 + Double(number) * 0.618).truncatingRemainder(dividingBy: 1)
      let place = from + (0.94 - from) * share + variation.signed() * 0.03
      let size = length * variation.between(0.55, 1) * (1.15 - 0.55 * place)
      let turn = side * variation.between(0.5, 0.85)
      side = -side
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
