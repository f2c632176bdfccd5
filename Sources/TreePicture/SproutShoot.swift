import Glibc
import TrunkModel
import VectorGraphics

/// Draws a growing sprout: a stem that grows with the season, a small leaf for each watering at its own day, and a pair
/// of fresh leaflets or a flower at its tip. An instant has the place √(elapsed ÷ season) on the stem: fast in the
/// beginning, and at its end when the season is over.
struct SproutShoot {
  let leaflet: TreeState.Leaflet
  /// From the planting to the end of the season.
  let line: Spine
  /// The length of a one-year leaflet, in pixels; smaller for a shoot that has less room than it needs.
  let unit: Double
  /// The least distance between two leaves of a side, in pixels; 0 to draw each leaf.
  var spacing = 0.0
  let palette: Palette
  /// The moment of an act about this sprout; `nil` for the still picture.
  var moment: Moment?

  /// The length of a whole shoot, in pixels.
  /// - Parameter unit: the length of a one-year leaflet, in pixels.
  static func length(_ season: Season, unit: Double) -> Double { 2.7 * unit * season.size }

  /// The length of a leaflet at the tip, in pixels.
  static func tipLength(_ season: Season, unit: Double) -> Double { 0.27 * unit * max(season.slenderness, 0.75) }

  /// The shortest stem, as a share of the whole.
  private static let shortest = 0.16
  /// The angle between a leaf and the stem, in radians.
  private static let opening = 1.0
  /// The days after which a leaf is fully grown.
  private static let growth = 7.0

  /// The place of an instant, as a share of the line.
  /// - Parameter share: the elapsed part of the season.
  static func place(_ share: Double) -> Double { min(max(share, 0), 1).squareRoot() }

  /// Where the stem ends, as a share of the line.
  var end: Double {
    var end = SproutShoot.shortest
    switch leaflet.stage {
    case .growing(let progress): end = max(end, SproutShoot.place(progress))
    case .ready: end = 1
    case .harvested, .uprooted: break
    }
    // A device whose clock is ahead may have watered later.
    return leaflet.waterings.reduce(end) { max($0, SproutShoot.place(Double($1.share))) }
  }

  /// The greatest distance between the stem and the tip of a leaf, in pixels.
  var reach: Double { leafLength }

  /// The outline of the leaf of the latest watering.
  var newestLeaf: Path? { leaflet.waterings.last.map { shape(of: $0).outline } }

  private var leafLength: Double { 0.235 * unit * leaflet.season.slenderness }

  /// The leaf of each watering, oldest first.
  var leaves: [Blade] { leaflet.waterings.map(shape) }

  func drawing() -> Drawing {
    let end = end * stemShare
    var drawing = Drawing()
    if end > 0.01 { drawing.fill(stem(to: end), palette.wood.mixed(with: palette.fresh, 0.35).faded(to: opacity)) }
    if let moment, moment.act == .planting { drawBud(moment, into: &drawing) }
    var (dark, light, outlines) = (Path(), Path(), Path())
    for watering in drawn() {
      let shape = shape(of: watering)
      if drawFalling(shape, of: watering, into: &drawing) { continue }
      if watering.hasWords {
        dark.append(shape.outline)
        light.append(shape.litHalf)
      } else {
        dark.append(shape.frame(thickness: max(leafLength * 0.09, 0.7)))
      }
      if palette.outline != nil { outlines.append(shape.outline) }
    }
    if !dark.elements.isEmpty { drawing.fill(dark, palette.green.faded(to: opacity)) }
    drawTip(at: end, light: &light, outlines: &outlines, into: &drawing)
    if let outline = palette.outline {
      drawing.stroke(outlines, outline.faded(to: opacity), width: max(unit * 0.014, 0.6))
    }
    return drawing
  }

  private func stem(to end: Double) -> Path {
    let count = max(4, Int((Double(line.points.count) * end).rounded()))
    let points = (0...count).map { line.point(at: end * Double($0) / Double(count)) }
    // At its base as thick as the twig that it continues.
    let thickness = unit * 0.036 * (0.7 + 0.3 * leaflet.season.slenderness)
    return Spine(through: points) { max(thickness * (1.25 - 0.6 * $0), 0.8) }.outline
  }

  /// The fresh leaflets of a growing sprout, which have the light colour of the leaves.
  private func drawTip(at end: Double, light: inout Path, outlines: inout Path, into drawing: inout Drawing) {
    let (point, direction) = (line.point(at: end), line.direction(at: end))
    let lightColor = palette.green.mixed(with: palette.fresh, 0.72).faded(to: opacity)
    let open = moment?.act == .planting || moment?.act == .uprooting ? stemShare : 1
    guard case .growing = leaflet.stage, open > 0 else {
      if !light.elements.isEmpty { drawing.fill(light, lightColor) }
      return
    }
    var brightest = Path()
    let length = tipLength * (0.3 + 0.7 * open)
    for side in [-1.0, 1.0] {
      let blade = Blade(
        base: point, direction: direction.turned(by: side * 0.42 * open), length: length, width: length * 0.42,
        curl: -side * 0.3)
      light.append(blade.outline)
      brightest.append(blade.litHalf)
      if palette.outline != nil { outlines.append(blade.outline) }
    }
    drawing.fill(light, lightColor)
    // With high contrast, the outlines say it.
    if palette.outline == nil {
      drawing.fill(brightest, palette.fresh.mixed(with: Color(0xFFFFFF), 0.3).faded(to: opacity))
    }
  }

  private var tipLength: Double { SproutShoot.tipLength(leaflet.season, unit: unit) }

  // MARK: - Leaves

  private func shape(of watering: TreeState.Watering) -> Blade {
    let place = SproutShoot.place(Double(watering.share))
    let side: Double = watering.day % 2 == 0 ? 1 : -1
    let age = Double(max(leaflet.age - watering.day, 0)) / SproutShoot.growth
    var length = leafLength * (0.62 + 0.38 * min(age, 1))
    var opening = SproutShoot.opening
    if let moment {
      let open = moment.isNew(watering, of: leaflet) ? moment.pose.newLeaf : 1
      let folded = moment.act == .harvest ? moment.pose.folding : 0
      length *= max(open, 0) * (1 - 0.3 * folded)
      opening *= (0.3 + 0.7 * open) * (1 - 0.93 * folded)
    }
    return Blade(
      base: line.point(at: place * stemShare),
      direction: line.direction(at: place * stemShare).turned(by: side * opening), length: length, width: length * 0.46,
      curl: -side * 0.3)
  }

  /// Without the waterings that are too close to others of their side. The newest is always drawn; of the others, those
  /// stay that have the higher hash, so that a new one hides few.
  private func drawn() -> [TreeState.Watering] {
    guard spacing > 0, leaflet.waterings.count > 1 else { return leaflet.waterings }
    let seed = FNV1a(leaflet.sproutID).value
    let least = spacing / line.length
    let ranked = leaflet.waterings.indices.map { index in
      var random = SeededRandom(seed: seed ^ UInt64(leaflet.waterings[index].share.bitPattern))
      return (index: index, rank: index == leaflet.waterings.count - 1 ? .max : random.next())
    }
    var taken: [Int] = []
    for (index, _) in ranked.sorted(by: { $0.rank > $1.rank }) {
      let watering = leaflet.waterings[index]
      let isClose = taken.contains { other in
        let other = leaflet.waterings[other]
        return (other.day - watering.day) % 2 == 0
          && abs(SproutShoot.place(Double(other.share)) - SproutShoot.place(Double(watering.share))) < least
      }
      if !isClose { taken.append(index) }
    }
    return taken.sorted().map { leaflet.waterings[$0] }
  }
}

extension SproutShoot {
  /// What an act has left of the stem, or what it already shows of it.
  private var stemShare: Double {
    guard let moment else { return 1 }
    return switch moment.act {
    case .planting: max(moment.pose.opening, 0)
    case .uprooting: moment.pose.stem
    // The leaflet that it becomes is shorter.
    case .harvest: 1 - 0.5 * min(moment.pose.unfolding, 1)
    case .watering, .dayEnd, .sun: 1
    }
  }

  private var opacity: Double {
    guard let moment, moment.act == .harvest else { return 1 }
    return 1 - min(moment.pose.unfolding * 1.6, 1)
  }

  /// The bud from which a new shoot comes.
  private func drawBud(_ moment: Moment, into drawing: inout Drawing) {
    let pose = moment.pose
    // A twig with leaves has none before.
    let start = moment.former.leaves.isEmpty ? 1 : max(pose.bud, 0)
    let length = unit * (Foliage.bud * start * (1 - min(max(pose.opening, 0), 1)) + 0.08 * pose.bud)
    guard length > 0.5 else { return }
    let blade = Blade(
      base: line.point(at: 0), direction: line.direction(at: 0), length: length,
      width: length * (0.53 + 0.2 * pose.bud), curl: 0)
    drawing.fill(blade.outline, palette.bud.mixed(with: palette.green, 0.5 * pose.bud))
    drawing.fill(blade.litHalf, palette.fresh.faded(to: 0.75 * pose.bud))
  }

  /// Draws a leaf that has come off an uprooted shoot; those near the tip come off first.
  /// - Returns: whether it has.
  private func drawFalling(_ shape: Blade, of watering: TreeState.Watering, into drawing: inout Drawing) -> Bool {
    guard let moment, moment.act == .uprooting, let time = moment.pose.falling else { return false }
    var variation = Variation(seed: Int64(watering.share.bitPattern))
    let latest = leaflet.waterings.map(\.share).max() ?? watering.share
    let below = SproutShoot.place(Double(latest)) - SproutShoot.place(Double(watering.share))
    let since = time - 300 * below - variation.between(0, 60)
    guard since > 0 else { return false }
    let fall = Fall(since, weight: 2.4, &variation)
    guard fall.opacity > 0 else { return true }
    let fallen = Blade(
      base: shape.base + Point(fall.aside, fall.down) * unit, direction: shape.direction.turned(by: fall.turn),
      length: shape.length, width: shape.width, curl: shape.curl)
    let age = min(since / 500, 0.8)
    func withered(_ color: Color) -> Color { color.mixed(with: palette.scar, age).faded(to: fall.opacity) }
    guard watering.hasWords else {
      drawing.fill(fallen.frame(thickness: max(leafLength * 0.09, 0.7)), withered(palette.green))
      return true
    }
    drawing.fill(fallen.outline, withered(palette.green))
    drawing.fill(fallen.litHalf, withered(palette.green.mixed(with: palette.fresh, 0.72)))
    return true
  }
}

extension Season {
  /// The size of leaves: those of a long season are smaller, because there are more of them.
  fileprivate var slenderness: Double { min(max(pow(30 / Double(days), 0.25), 0.6), 1) }
}
