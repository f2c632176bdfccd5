import Glibc

/// A point or a vector. The y axis points down.
public struct Point: Equatable, Sendable {
  public var x, y: Double

  public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  /// A unit vector.
  /// - Parameter angle: in radians, clockwise from the positive x axis.
  public init(angle: Double) { self.init(cos(angle), sin(angle)) }

  public var length: Double { (x * x + y * y).squareRoot() }
  public var angle: Double { atan2(y, x) }

  /// The vector turned clockwise by a right angle.
  public var normal: Point { Point(-y, x) }

  /// The unit vector of the same direction; a vector of length 0 stays unchanged.
  public var unit: Point { length > 0 ? self * (1 / length) : self }

  public static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
  public static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
  public static func * (a: Point, factor: Double) -> Point { Point(a.x * factor, a.y * factor) }

  /// Returns the point at a share of the way to another point.
  public func mixed(with other: Point, _ share: Double) -> Point { self + (other - self) * share }

  public func turned(by angle: Double) -> Point {
    Point(x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle))
  }
}

/// An upright rectangle.
public struct Rectangle: Equatable, Sendable {
  public var x, y, width, height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  public var center: Point { Point(x + width / 2, y + height / 2) }
  public var right: Double { x + width }
  public var bottom: Double { y + height }

  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x <= right && point.y >= y && point.y <= bottom
  }

  public func contains(_ other: Rectangle) -> Bool {
    other.x >= x && other.right <= right && other.y >= y && other.bottom <= bottom
  }

  /// Whether the rectangles share more than an edge.
  public func overlaps(_ other: Rectangle) -> Bool {
    x < other.right && other.x < right && y < other.bottom && other.y < bottom
  }

  /// The rectangle, larger by `margin` on each side.
  public func grown(by margin: Double) -> Rectangle {
    Rectangle(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}
