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

  /// Lets a tree without names fill its view: nothing is beside it.
  public init(filling picture: TreePicture) {
    let (parts, view) = (picture.drawing.marks.compactMap(\.path.bounds), picture.plan.frame.view)
    let (left, top) = (parts.map(\.x).min() ?? view.x, parts.map(\.y).min() ?? view.y)
    let (right, bottom) = (parts.map(\.right).max() ?? view.right, parts.map(\.bottom).max() ?? view.bottom)
    self.init(
      showing: Rectangle(x: left, y: top, width: right - left, height: bottom - top), in: view,
      atMost: Camera.mostFilling)
  }

  /// A young tree stays smaller than an old one.
  private static let mostFilling = 1.35

  private init(scale: Double, offset: Point) { (self.scale, self.offset) = (scale, offset) }

  public func place(of point: Point) -> Point { offset + point * scale }

  /// The point of the picture at a position in the window.
  public func point(at place: Point) -> Point { (place - offset) * (1 / scale) }

  /// The camera at a share of the way to another one.
  public func mixed(with other: Camera, _ share: Double) -> Camera {
    Camera(scale: scale + (other.scale - scale) * share, offset: offset.mixed(with: other.offset, share))
  }
}
