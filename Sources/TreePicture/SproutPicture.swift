import VectorGraphics

/// A sprout outside the tree: its shoot with the rest of the season, dotted up to a small circle that stands for the
/// harvest; after the harvest its leaflet, with a vein for each watering.
public struct SproutPicture: Equatable, Sendable {
  public let drawing: Drawing
  /// The middle of each watering's leaf or vein, oldest first.
  public let waterings: [Point]

  /// - Parameter width: in pixels, like the height.
  public init(_ leaflet: TreeState.Leaflet, width: Double, height: Double, palette: Palette) {
    self.init(leaflet, width: width, height: height, palette: palette, moment: nil)
  }

  /// - Parameter moment: of a watering; `nil` for the still picture.
  init(_ leaflet: TreeState.Leaflet, width: Double, height: Double, palette: Palette, moment: Moment?) {
    let frame = Rectangle(x: 0, y: 0, width: width, height: height)
    (drawing, waterings) =
      if case .harvested(let result) = leaflet.stage {
        SproutPicture.leaf(leaflet, result: result, in: frame, palette)
      } else {
        SproutPicture.shoot(leaflet, in: frame, palette, moment)
      }
  }

  private static func leaf(
    _ leaflet: TreeState.Leaflet, result: Int, in frame: Rectangle, _ palette: Palette
  ) -> (Drawing, [Point]) {
    // A bad one curls downwards.
    let droop = Double(max(3 - result, 0))
    let length = min(frame.width * 0.88, frame.height * (1.6 - 0.1 * droop))
    let base = Point(frame.center.x - length / 2, frame.height * (0.62 + 0.02 * droop))
    let direction = Point(angle: -0.16 - 0.2 * droop)
    let drawing = LeafletBrush.drawing(of: leaflet, at: base, direction, unit: length, palette)
    // A vein leaves the midrib at its part of the season.
    let veins = leaflet.waterings.map { watering in
      let side: Double = watering.day % 2 == 0 ? 1 : -1
      return base + direction * (length * (0.14 + 0.72 * Double(watering.share)))
        + direction.normal * (side * length * 0.05)
    }
    return (drawing, veins)
  }

  private static func shoot(
    _ leaflet: TreeState.Leaflet, in frame: Rectangle, _ palette: Palette, _ moment: Moment?
  ) -> (Drawing, [Point]) {
    let circle = max(frame.height * 0.1, 2.5)
    let season = leaflet.season
    // Behind the end of the season there is room for the fresh leaflets and the circle, or for a flower.
    let tip = SproutShoot.tipLength(season, unit: 1) / SproutShoot.length(season, unit: 1)
    let length =
      leaflet.stage == .ready ? frame.width - frame.height * 0.43 : (frame.width - 2 * circle - 3) / (1 + tip)
    let (start, end) = (Point(1, frame.height * 0.7), Point(length, frame.height * 0.42))
    let line = Spine(
      start, start.mixed(with: end, 0.35) + Point(0, frame.height * 0.02),
      start.mixed(with: end, 0.7) - Point(0, frame.height * 0.08), end, count: 24, width: { _ in 0 })
    // The leaves of a short season would be too high.
    let unit = min(line.length / SproutShoot.length(season, unit: 1), frame.height * 1.6)
    let shoot = SproutShoot(leaflet: leaflet, line: line, unit: unit, palette: palette, moment: moment)
    var drawing = shoot.drawing()
    switch leaflet.stage {
    case .ready:
      drawing.append(palette.flower(of: leaflet, at: end, size: frame.height * 1.02))
    case .uprooted:
      drawing.stroke(
        .circle(line.point(at: shoot.end) + line.direction(at: shoot.end) * circle, radius: circle * 0.7), palette.scar,
        width: max(circle * 0.4, 1))
    case .growing, .harvested:
      let center = Point(
        frame.width - circle - 1, end.y - line.direction(at: 1).angle.magnitude * (frame.width - length) * 0.7)
      drawRest(of: shoot, to: center, radius: circle, palette, into: &drawing)
    }
    if let moment, let new = leaflet.waterings.last(where: { moment.isNew($0, of: leaflet) }) {
      let share = SproutShoot.place(Double(new.share))
      if let place = moment.pose.drop {
        drawDrop(at: place, to: share, of: shoot, in: frame, palette, into: &drawing)
      }
      if let ripple = moment.pose.ripple {
        drawing.stroke(
          .circle(line.point(at: share), radius: frame.height * (0.05 + 0.2 * ripple)),
          palette.water.faded(to: 0.6 * (1 - ripple)), width: 1.5 - ripple)
      }
    }
    return (drawing, shoot.leaves.map(\.middle))
  }

  /// The drop, on its way from the words below the picture to the stem and along it.
  private static func drawDrop(
    at place: Double, to share: Double, of shoot: SproutShoot, in frame: Rectangle, _ palette: Palette,
    into drawing: inout Drawing
  ) {
    let size = min(max(frame.height * 0.12, 5), 9)
    let along = max(place - 1, 0) * share
    let base = shoot.line.point(at: along) - Point(0, size * (1.1 - 0.5 * max(place - 1, 0)))
    let rising = min(place, 1)
    let center = Point(base.x + size * (1.5 - 0.6 * rising) * (place < 1 ? 1 : 0.9), base.y)
      .mixed(with: Point(base.x + size * 1.5, frame.bottom + size), 1 - rising)
    // The leaf takes it in.
    let shown = size * (1 - 0.75 * max(place - 1.8, 0) / 0.2)
    drawing.fill(.drop(center, radius: shown * 0.72), palette.water)
    drawing.fill(
      .ellipse(center + Point(-0.24, 0.06) * shown, Point(0.09, 0.2) * shown, Point(0.14, -0.06) * shown),
      Color(0xFFFFFF, alpha: 0.6))
  }

  /// The rest of the season: dots, and a circle at its end.
  private static func drawRest(
    of shoot: SproutShoot, to center: Point, radius: Double, _ palette: Palette, into drawing: inout Drawing
  ) {
    let color = palette.scar
    drawing.stroke(.circle(center, radius: radius), color, width: 1)
    let (line, tip) = (shoot.line, SproutShoot.tipLength(shoot.leaflet.season, unit: shoot.unit))
    let whole = line.length + (center - line.tip).length
    let gap = 7.0
    let first = shoot.end * line.length + tip + gap * 0.6
    let dots = stride(from: whole - radius - gap * 0.7, through: first, by: -gap).map { distance in
      let point =
        distance > line.length
        ? line.tip.mixed(with: center, (distance - line.length) / max(whole - line.length, 1e-9))
        : line.point(at: distance / line.length)
      return Path.circle(point, radius: 0.9)
    }
    if !dots.isEmpty { drawing.fill(Path(dots), color.faded(to: 0.8)) }
  }
}
