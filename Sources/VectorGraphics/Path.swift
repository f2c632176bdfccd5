/// An outline of straight lines and cubic curves.
public struct Path: Equatable, Sendable {
  public enum Element: Equatable, Sendable {
    case move(Point)
    case line(Point)
    case curve(Point, Point, Point)
    case close
  }

  public private(set) var elements: [Element] = []

  public init() {}

  public init(_ build: (inout Path) -> Void) { build(&self) }

  /// Several outlines that are filled or stroked as one.
  public init(_ parts: [Path]) { elements = parts.flatMap(\.elements) }

  public mutating func move(to point: Point) { elements.append(.move(point)) }
  public mutating func line(to point: Point) { elements.append(.line(point)) }
  public mutating func curve(_ first: Point, _ second: Point, to end: Point) {
    elements.append(.curve(first, second, end))
  }
  public mutating func close() { elements.append(.close) }
  public mutating func append(_ other: Path) { elements += other.elements }

  public static func line(from start: Point, to end: Point) -> Path {
    Path { path in
      path.move(to: start)
      path.line(to: end)
    }
  }

  /// A closed line with these corners.
  public static func polygon(_ corners: [Point]) -> Path {
    Path { path in
      for (number, corner) in corners.enumerated() { number == 0 ? path.move(to: corner) : path.line(to: corner) }
      path.close()
    }
  }

  /// A smooth closed line through the points.
  public static func closed(through points: [Point]) -> Path {
    Path { path in
      guard points.count > 2 else { return }
      path.move(to: points[0])
      for index in points.indices {
        path.smoothCurve(
          points[(index + points.count - 1) % points.count], points[index], points[(index + 1) % points.count],
          points[(index + 2) % points.count])
      }
      path.close()
    }
  }

  /// A smooth line through the points.
  public static func open(through points: [Point]) -> Path {
    Path { path in
      guard let first = points.first else { return }
      path.move(to: first)
      path.continueSmoothly(through: points)
    }
  }

  public static func circle(_ center: Point, radius: Double) -> Path {
    // The usual approximation of a quarter circle by a cubic curve.
    let handle = radius * 0.5523
    return Path { path in
      path.move(to: center + Point(radius, 0))
      for quarter in 0..<4 {
        let from = Point(angle: Double(quarter) * .pi / 2)
        let to = Point(angle: Double(quarter + 1) * .pi / 2)
        path.curve(
          center + from * radius + from.normal * handle, center + to * radius - to.normal * handle,
          to: center + to * radius)
      }
      path.close()
    }
  }

  /// A small ellipse, of two curves instead of four.
  /// - Parameters:
  ///   - long: from the center to an end.
  ///   - short: from the center to a side.
  public static func ellipse(_ center: Point, _ long: Point, _ short: Point) -> Path {
    // A cubic curve reaches three quarters of the distance of its handles.
    let handle = short * (4.0 / 3)
    return Path { path in
      path.move(to: center - long)
      path.curve(center - long + handle, center + long + handle, to: center + long)
      path.curve(center + long - handle, center - long - handle, to: center - long)
      path.close()
    }
  }

  /// A drop: pointed at the top, round at the bottom.
  /// - Parameters:
  ///   - center: of the round part.
  ///   - radius: of the round part; the drop is three times as high.
  public static func drop(_ center: Point, radius: Double) -> Path {
    let handle = radius * 0.5523
    let top = center - Point(0, radius * 2)
    return Path { path in
      path.move(to: top)
      path.curve(
        top + Point(radius * 0.35, radius * 0.85), center + Point(radius, -radius * 0.75), to: center + Point(radius, 0)
      )
      path.curve(
        center + Point(radius, handle), center + Point(handle, radius), to: center + Point(0, radius))
      path.curve(
        center + Point(-handle, radius), center + Point(-radius, handle), to: center - Point(radius, 0))
      path.curve(
        center + Point(-radius, -radius * 0.75), top + Point(-radius * 0.35, radius * 0.85), to: top)
      path.close()
    }
  }

  /// Adds a smooth line through the points. The first point is the current end of the path.
  public mutating func continueSmoothly(through points: [Point]) {
    for index in points.indices.dropLast() {
      smoothCurve(
        points[max(index - 1, 0)], points[index], points[index + 1], points[min(index + 2, points.count - 1)])
    }
  }

  /// A Catmull-Rom segment from `from` to `to`.
  private mutating func smoothCurve(_ before: Point, _ from: Point, _ to: Point, _ after: Point) {
    curve(from + (to - before) * (1.0 / 6), to - (after - from) * (1.0 / 6), to: to)
  }

  /// A rectangle that contains the path and its control points; `nil` for an empty path.
  public var bounds: Rectangle? {
    var points: [Point] = []
    for element in elements {
      switch element {
      case .move(let point), .line(let point): points.append(point)
      case .curve(let first, let second, let end): points += [first, second, end]
      case .close: break
      }
    }
    guard let first = points.first else { return nil }
    var (low, high) = (first, first)
    for point in points {
      low = Point(min(low.x, point.x), min(low.y, point.y))
      high = Point(max(high.x, point.x), max(high.y, point.y))
    }
    return Rectangle(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }
}
