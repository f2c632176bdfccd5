import TrunkModel
import VectorGraphics

/// Draws the leaflets of sprouts that don't grow any more.
struct LeafletBrush {
  let palette: Palette
  /// The length of the leaflet of a whole year, in pixels.
  let unit: Double
  /// How many times the window enlarges the leaf; `nil` in the whole tree.
  var closeUp: Double?

  /// The thin lines of a leaf, which are painted together.
  struct Veins {
    var ofLeaflets = Path()
    /// One for each watering.
    var ofWaterings = Path()
    /// The outlines and veins of leaflets that winter has bared.
    var ofBareLeaflets = Path()
  }

  /// Where a leaflet grows.
  struct Place {
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

    private var direction: Point { along.turned(by: side * opening) }

    /// The middle of the leaflet.
    var middle: Point { point + direction * (length / 2) }

    /// The tip of the leaflet, and points at its sides, near enough to each other for the names beside the tree.
    var edges: [Point] {
      let across = direction.turned(by: .pi / 2) * (length / 4)
      let sides = [0.3, 0.55, 0.8].flatMap { share in
        [1.0, -1].map { point + direction * (length * share) + across * ($0 * (1.3 - share)) }
      }
      return [point + direction * length] + sides
    }

    /// The side to which the leaflet curls.
    var curlSide: Double { side == 0 ? 1 : side }
  }

  func draw(
    _ leaflet: TreeState.Leaflet, at place: Place, into drawing: inout Drawing, _ veins: inout Veins
  ) {
    var variation = Variation(leaflet.sproutID)
    let length = place.length * variation.between(0.94, 1.06)
    let direction = place.along.turned(by: place.side * place.opening + variation.signed() * 0.07)
    switch leaflet.stage {
    case .harvested(let result):
      drawHarvested(
        leaflet, result: result, at: place, direction, length: length, variation: &variation, into: &drawing, &veins)
    case .uprooted: drawScar(at: place, size: 1, into: &drawing)
    case .growing, .ready: break
    }
  }

  /// A leaflet that has just ended. Until it has its own shape, it is like the stem that it was.
  func draw(
    _ leaflet: TreeState.Leaflet, at place: Place, unfolding pose: Pose, from stem: Spine,
    into drawing: inout Drawing
  ) {
    var variation = Variation(leaflet.sproutID)
    let length = place.length * variation.between(0.94, 1.06)
    let direction = place.along.turned(by: place.side * place.opening + variation.signed() * 0.07)
    guard case .harvested(let result) = leaflet.stage else {
      guard case .uprooted = leaflet.stage, pose.scar > 0 else { return }
      return drawScar(at: place, size: pose.scar, into: &drawing)
    }
    guard pose.unfolding > 0 else { return }
    let open = min(pose.unfolding, 1)
    let color = palette.tint(result: result, isSpared: palette.isSpared(leaflet), &variation)
    let own = blade(result: result, at: place, direction, length: length)
    let turn = (own.direction.angle - stem.direction(at: 0.5).angle).remainder(dividingBy: 2 * .pi)
    let shape = Blade(
      base: stem.point(at: 0).mixed(with: own.base, open),
      direction: stem.direction(at: 0.5).turned(by: turn * open),
      length: stem.length * 0.5 + (own.length - stem.length * 0.5) * open,
      width: own.width * max(pose.unfolding, 0.05), curl: own.curl * open)
    let isBare = palette.isBare(&variation) && !palette.isSpared(leaflet)
    let (blade, bare) = isBare ? (1 - pose.colouring, pose.colouring) : (1, 0)
    var veins = Veins()
    if blade > 0 {
      drawBlade(
        shape, palette.green.mixed(with: color, pose.colouring).faded(to: blade), into: &drawing, &veins)
      drawVeins(of: leaflet, on: shape, into: &veins)
    }
    if bare > 0 {
      drawing.fill(shape.outline, color.faded(to: 0.25 * bare))
      veins.ofBareLeaflets.append(shape.outline)
      veins.ofBareLeaflets.append(shape.midrib)
    }
    draw(veins, scale: place.scale, opacity: open * (isBare ? max(blade, bare) : 1), into: &drawing)
  }

  private func drawScar(at place: Place, size: Double, into drawing: inout Drawing) {
    let mark = place.point + place.along.turned(by: place.curlSide * 1.4) * (unit * 0.07 * place.scale)
    drawing.stroke(
      .circle(mark, radius: unit * 0.045 * place.scale * size), palette.scar, width: unit * 0.03 * place.scale * size)
  }

  private func blade(result: Int, at place: Place, _ direction: Point, length: Double) -> Blade {
    Blade(
      base: place.point, direction: direction, length: length,
      width: length * [0.2, 0.3, 0.42, 0.5, 0.56][min(max(result, 1), 5) - 1],
      curl: result < 3 ? place.curlSide * Double(3 - result) * 0.45 : -place.side * 0.14)
  }

  private func drawHarvested(
    _ leaflet: TreeState.Leaflet, result: Int, at place: Place, _ direction: Point, length: Double,
    variation: inout Variation, into drawing: inout Drawing, _ veins: inout Veins
  ) {
    let color = palette.tint(result: result, isSpared: palette.isSpared(leaflet), &variation)
    let shape = blade(result: result, at: place, direction, length: length)
    if palette.isBare(&variation), !palette.isSpared(leaflet) {
      drawing.fill(shape.outline, color.faded(to: 0.25))
      veins.ofBareLeaflets.append(shape.outline)
      veins.ofBareLeaflets.append(shape.midrib)
    } else {
      drawBlade(shape, color, into: &drawing, &veins)
      drawVeins(of: leaflet, on: shape, into: &veins)
    }
  }

  /// The shortest leaflet with a vein for each watering, in pixels on the screen.
  private static let veinedLength = 24.0
  /// The least distance between two veins of a side, in pixels on the screen.
  private static let veinSpacing = 1.6

  /// Adds a vein for each watering, at its part of the season. Where veins would be too close, some give way.
  private func drawVeins(of leaflet: TreeState.Leaflet, on blade: Blade, into veins: inout Veins) {
    let length = blade.length * (closeUp ?? 1)
    guard length >= LeafletBrush.veinedLength else { return }
    let least = LeafletBrush.veinSpacing / (length * 0.78)
    var last = [-1.0, -1.0]
    for watering in leaflet.waterings {
      let row = Int(watering.day.magnitude % 2)
      let share = Double(watering.share)
      guard share - last[row] >= least else { continue }
      last[row] = share
      veins.ofWaterings.append(blade.vein(at: share, side: row == 0 ? 1 : -1))
    }
  }

  private func drawBlade(_ blade: Blade, _ color: Color, into drawing: inout Drawing, _ veins: inout Veins) {
    drawing.fill(blade.outline, color.mixed(with: palette.woodDark.faded(to: color.alpha), 0.1))
    drawing.fill(blade.litHalf, color.mixed(with: Color(0xFFFFFF, alpha: color.alpha), 0.13))
    if let outline = palette.outline { drawing.stroke(blade.outline, outline, width: unit * 0.02) }
    veins.ofLeaflets.append(blade.midrib)
  }

  func draw(_ veins: Veins, scale: Double, opacity: Double = 1, into drawing: inout Drawing) {
    for (path, color, width) in [
      (veins.ofLeaflets, palette.woodDark.faded(to: 0.3), unit * 0.02 * scale),
      (veins.ofWaterings, palette.woodDark.faded(to: 0.34), max(unit * 0.009, 0.45 / (closeUp ?? 1))),
      (veins.ofBareLeaflets, palette.bareVein, max(unit * 0.022 * scale, 0.6)),
    ] where !path.elements.isEmpty {
      drawing.stroke(path, color.faded(to: opacity), width: width)
    }
  }

  /// A harvested leaflet outside the tree.
  /// - Parameter unit: its length, in pixels.
  static func drawing(
    of leaflet: TreeState.Leaflet, at base: Point, _ direction: Point, unit: Double, _ palette: Palette
  ) -> Drawing {
    let brush = LeafletBrush(palette: palette, unit: unit, closeUp: 1)
    var drawing = Drawing()
    var veins = Veins()
    let place = Place(point: base, along: direction, side: 0, opening: 0, length: unit, scale: 1)
    brush.draw(leaflet, at: place, into: &drawing, &veins)
    brush.draw(veins, scale: 1, into: &drawing)
    return drawing
  }
}

extension Palette {
  /// The flower of a sprout that can be harvested.
  /// - Parameters:
  ///   - unit: five quarters of its diameter, in pixels.
  ///   - time: the milliseconds since its petals began to fall; `nil` for a flower in bloom.
  func flower(of leaflet: TreeState.Leaflet, at center: Point, size unit: Double, falling time: Double? = nil)
    -> Drawing
  {
    var drawing = Drawing()
    var variation = Variation(leaflet.sproutID)
    let turn = variation.between(0, 1.2)
    let petals = (0..<5).map { number in
      let direction = Point(angle: turn + Double(number) * 2 * .pi / 5)
      return Blade(
        base: center + direction * (unit * 0.04), direction: direction, length: unit * 0.36, width: unit * 0.3, curl: 0,
        isRound: true
      )
    }
    let light = petal.mixed(with: Color(0xFFFFFF), 0.18)
    let line = (color: outline ?? petal.mixed(with: woodDark, 0.3).faded(to: 0.6), outline == nil ? 0.015 : 0.02)
    if let time {
      for (number, petal) in petals.enumerated() {
        let fall = Fall(time - variation.between(0, 150), weight: 1.9, &variation)
        guard fall.opacity > 0 else { continue }
        let fallen = Blade(
          base: petal.base + Point(fall.aside, fall.down) * unit, direction: petal.direction.turned(by: fall.turn),
          length: petal.length * (1 - 0.3 * (1 - fall.opacity)), width: petal.width * (1 - 0.3 * (1 - fall.opacity)),
          curl: 0, isRound: true
        ).outline
        drawing.fill(fallen, (number % 2 == 1 ? light : self.petal).faded(to: fall.opacity))
        drawing.stroke(fallen, line.color.faded(to: fall.opacity), width: unit * line.1)
      }
      let left = 1 - Ease.inOut(time, from: 60, to: 380)
      if left > 0 { drawing.fill(.circle(center, radius: unit * 0.1 * left), pollen) }
      return drawing
    }
    drawing.fill(Path(petals.map(\.outline)), petal)
    drawing.fill(Path([petals[1].outline, petals[3].outline]), light)
    drawing.stroke(Path(petals.map(\.outline)), line.color, width: unit * line.1)
    drawing.fill(.circle(center, radius: unit * 0.1), pollen)
    return drawing
  }
}
