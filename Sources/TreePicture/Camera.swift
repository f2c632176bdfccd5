import VectorGraphics

/// Which part of the picture the window shows: a point of the picture appears at `offset` + `scale` × point.
public struct Camera: Equatable, Sendable {
  public var scale: Double
  public var offset: Point

  /// The whole picture.
  public static let whole = Camera(scale: 1, offset: Point(0, 0))

  /// Shows a part of a picture in the middle of a view, at most this many times larger.
  init(showing part: Rectangle, in view: Rectangle, atLeast least: Double = 1, atMost limit: Double) {
    scale = max(least, min(view.width / max(part.width, 1), view.height / max(part.height, 1), limit))
    offset = view.center - part.center * scale
  }

  private init(scale: Double, offset: Point) { (self.scale, self.offset) = (scale, offset) }

  public func place(of point: Point) -> Point { offset + point * scale }

  /// The point of the picture at a position in the window.
  public func point(at place: Point) -> Point { (place - offset) * (1 / scale) }

  /// The camera at a share of the way to another one.
  public func mixed(with other: Camera, _ share: Double) -> Camera {
    Camera(scale: scale + (other.scale - scale) * share, offset: offset.mixed(with: other.offset, share))
  }
}
