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
    case .uprooted:
      let mark = place.point + place.along.turned(by: place.curlSide * 1.4) * (unit * 0.07 * place.scale)
      drawing.stroke(.circle(mark, radius: unit * 0.045 * place.scale), palette.scar, width: unit * 0.03 * place.scale)
    case .growing, .ready: break
    }
  }

  private func drawHarvested(
    _ leaflet: TreeState.Leaflet, result: Int, at place: Place, _ direction: Point, length: Double,
    variation: inout Variation, into drawing: inout Drawing, _ veins: inout Veins
  ) {
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
    drawing.fill(blade.outline, color.mixed(with: palette.woodDark, 0.1))
    drawing.fill(blade.litHalf, color.mixed(with: Color(0xFFFFFF), 0.13))
    if let outline = palette.outline { drawing.stroke(blade.outline, outline, width: unit * 0.02) }
    veins.ofLeaflets.append(blade.midrib)
  }

  func draw(_ veins: Veins, scale: Double, into drawing: inout Drawing) {
    if !veins.ofLeaflets.elements.isEmpty {
      drawing.stroke(veins.ofLeaflets, palette.woodDark.faded(to: 0.3), width: unit * 0.02 * scale)
    }
    if !veins.ofWaterings.elements.isEmpty {
      drawing.stroke(
        veins.ofWaterings, palette.woodDark.faded(to: 0.34), width: max(unit * 0.009, 0.45 / (closeUp ?? 1)))
    }
    if !veins.ofBareLeaflets.elements.isEmpty {
      drawing.stroke(veins.ofBareLeaflets, palette.bareVein, width: max(unit * 0.022 * scale, 0.6))
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
  /// - Parameter unit: five quarters of its diameter, in pixels.
  func flower(of leaflet: TreeState.Leaflet, at center: Point, size unit: Double) -> Drawing {
    var drawing = Drawing()
    var variation = Variation(leaflet.sproutID)
    let turn = variation.between(0, 1.2)
    let petals = (0..<5).map { number in
      let direction = Point(angle: turn + Double(number) * 2 * .pi / 5)
      return Blade(
        base: center + direction * (unit * 0.04), direction: direction, length: unit * 0.36, width: unit * 0.3, curl: 0,
        isRound: true
      ).outline
    }
    drawing.fill(Path(petals), petal)
    drawing.fill(Path([petals[1], petals[3]]), petal.mixed(with: Color(0xFFFFFF), 0.18))
    drawing.stroke(
      Path(petals), outline ?? petal.mixed(with: woodDark, 0.3).faded(to: 0.6),
      width: unit * (outline == nil ? 0.015 : 0.02))
    drawing.fill(.circle(center, radius: unit * 0.1), pollen)
    return drawing
  }
}
