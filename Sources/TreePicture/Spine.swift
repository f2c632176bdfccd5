import VectorGraphics

/// The middle line of a piece of wood, with its thickness.
struct Spine: Equatable, Sendable {
  /// Evenly distributed, from the base to the tip; at least two.
  private(set) var points: [Point]
  private(set) var widths: [Double]

  /// A cubic curve.
  /// - Parameters:
  ///   - width: the thickness at a share of the way, 0…1.
  ///   - bend: an offset to the side at a share of the way.
  init(
    _ start: Point, _ first: Point, _ second: Point, _ end: Point, count: Int = 32,
    bend: (Double) -> Double = { _ in 0 }, width: (Double) -> Double
  ) {
    points = []
    widths = []
    for step in 0...count {
      let t = Double(step) / Double(count)
      let (a, b, c) = (start.mixed(with: first, t), first.mixed(with: second, t), second.mixed(with: end, t))
      let (d, e) = (a.mixed(with: b, t), b.mixed(with: c, t))
      points.append(d.mixed(with: e, t) + (e - d).unit.normal * bend(t))
      widths.append(width(t))
    }
  }

  /// - Parameters:
  ///   - points: at equal distances, at least two.
  ///   - width: the thickness at a share of the way.
  init(through points: [Point], width: (Double) -> Double) {
    self.points = points
    widths = points.indices.map { width(Double($0) / Double(points.count - 1)) }
  }

  /// A part of a line whose points have equal distances. Beyond the end of the line, it is straight.
  /// - Parameters:
  ///   - start: where the part begins, in pixels from the beginning of the line.
  ///   - direction: that of a line with only one point.
  ///   - count: the steps of the part.
  static func part(
    of line: [Point], from start: Double = 0, length: Double, step: Double, direction: Point, count: Int = 8
  ) -> Spine {
    let last = line.count - 1
    let end = last > 0 ? (line[last] - line[last - 1]).unit : direction
    return Spine(
      through: (0...count).map { number in
        let position = (start + length * Double(number) / Double(count)) / step
        let index = Int(position)
        if index >= last { return line[last] + end * ((position - Double(last)) * step) }
        return line[index].mixed(with: line[index + 1], position - Double(index))
      }, width: { _ in 0 })
  }

  /// A line on the way to another one.
  func mixed(with other: Spine, _ share: Double) -> Spine {
    if share >= 1 { return other }
    let count = max(points.count, other.points.count) - 1
    let places = (0...count).map { Double($0) / Double(count) }
    return Spine(through: places.map { point(at: $0).mixed(with: other.point(at: $0), share) }) {
      width(at: $0) + (other.width(at: $0) - width(at: $0)) * share
    }
  }

  var tip: Point { points[points.count - 1] }

  /// In pixels.
  var length: Double { zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length } }

  func point(at share: Double) -> Point {
    let (index, rest) = place(share)
    return points[index].mixed(with: points[index + 1], rest)
  }

  /// A unit vector towards the tip.
  func direction(at share: Double) -> Point {
    let (index, _) = place(share)
    return (points[index + 1] - points[max(index - 1, 0)]).unit
  }

  func width(at share: Double) -> Double {
    let (index, rest) = place(share)
    return widths[index] + (widths[index + 1] - widths[index]) * rest
  }

  /// The outline of the wood.
  var outline: Path { band(from: -1, to: 1) }

  /// A strip along the wood. -1 is its left edge seen from the base, 0 the middle and 1 the right edge.
  func band(from left: Double, to right: Double) -> Path {
    let leftEdge = edge(left)
    let rightEdge = Array(edge(right).reversed())
    return Path { path in
      path.move(to: leftEdge[0])
      path.continueSmoothly(through: leftEdge)
      path.line(to: rightEdge[0])
      path.continueSmoothly(through: rightEdge)
      path.close()
    }
  }

  /// A line along a part of the wood.
  func line(at side: Double, from: Double, to: Double) -> Path {
    let edge = edge(side)
    let last = Double(points.count - 1)
    return .open(through: Array(edge[Int(from * last)...Int(to * last)]))
  }

  /// The distance from the wood around the nearest of the points; 0 inside it.
  func distance(to point: Point) -> Double {
    zip(points, widths).map { max(($0 - point).length - $1 / 2, 0) }.min() ?? .infinity
  }

  /// A line along the wood: -1 is its left edge seen from the base, 0 the middle and 1 the right edge.
  func edge(_ side: Double) -> [Point] {
    points.indices.map { index in
      let direction = (points[min(index + 1, points.count - 1)] - points[max(index - 1, 0)]).unit
      return points[index] + direction.normal * (widths[index] / 2 * side)
    }
  }

  private func place(_ share: Double) -> (index: Int, rest: Double) {
    let position = min(max(share, 0), 1) * Double(points.count - 1)
    let index = min(Int(position), points.count - 2)
    return (index, position - Double(index))
  }
}
