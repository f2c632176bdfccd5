import VectorGraphics

/// Draws limbs, twigs and the cross-section of the trunk.
struct Wood {
  let palette: Palette
  let plan: TreePlan

  // MARK: - Limbs

  func twigs(of branch: Int) -> Drawing {
    var drawing = Drawing()
    for spine in plan.limbs[branch].twigs { draw(spine, into: &drawing) }
    return drawing
  }

  func limb(_ branch: Int) -> Drawing {
    var drawing = Drawing()
    let spine = plan.limbs[branch].spine
    draw(spine, into: &drawing)
    drawBark(spine, "bark-\(branch)", into: &drawing)
    return drawing
  }

  private func draw(_ spine: Spine, into drawing: inout Drawing) {
    drawing.fill(spine.outline, palette.wood)
    // The light comes from the top left.
    let across = spine.direction(at: 0.4).normal
    let side = across.x * -0.6 + across.y * -0.8 > 0 ? 1.0 : -1.0
    drawing.fill(
      side > 0 ? spine.band(from: 0.25, to: 0.85) : spine.band(from: -0.85, to: -0.25), palette.woodLight.faded(to: 0.5)
    )
    drawing.fill(
      side > 0 ? spine.band(from: -1, to: -0.45) : spine.band(from: 0.45, to: 1), palette.woodDark.faded(to: 0.35))
  }

  private func drawBark(_ spine: Spine, _ id: String, into drawing: inout Drawing) {
    var variation = Variation(id)
    let width = spine.width(at: 0.2)
    for _ in 0..<Int(min(width * 1.6, 26)) {
      let from = variation.between(0.03, 0.6)
      drawing.stroke(
        spine.line(at: variation.signed() * 0.7, from: from, to: from + variation.between(0.06, 0.16)),
        palette.woodDark.faded(to: 0.4), width: max(0.5, width * 0.03))
    }
  }

  // MARK: - Trunk

  func trunk(_ state: TreeState) -> Drawing {
    CrossSection(state.rings, center: plan.frame.center, radius: trunkRadius(state)).drawing(
      palette, lineWidth: max(0.6, plan.frame.unit * 0.0022))
  }

  /// The radius of the trunk without its bark, in pixels.
  func trunkRadius(_ state: TreeState) -> Double {
    let gained = state.rings.reduce(0, +)
    return plan.frame.unit * (0.03 + 0.075 * (gained / 110).squareRoot())
  }
}
