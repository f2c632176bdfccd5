import TrunkModel
import VectorGraphics

/// A growing or ready sprout in the picture.
public struct Shoot: Equatable, Sendable {
  /// The id of the sprout.
  public let id: String
  public let twig: Node
  /// The middle line of its stem, at equal distances; a flower or a bud is one point.
  let stem: [Point]
  /// The distance from the stem to its outer edge, in pixels.
  public let radius: Double
  /// The outline of the leaf of its latest watering.
  let newest: Path?

  public var center: Point { stem[stem.count / 2] }

  /// The distance from the stem to a point, in pixels.
  func distance(to point: Point) -> Double { stem.map { ($0 - point).length }.min() ?? .infinity }
}

extension TreePicture {
  /// How near the pointer must be to the stem of a small shoot, in pixels.
  private static let shootReach = 11.0

  /// The shoots that can be pointed to, clockwise from the top.
  /// - Parameter branch: the branch that the window shows; `nil` for the whole tree.
  public func shoots(inside branch: Int?) -> [Shoot] {
    branch.map { branch in shoots.filter { $0.twig.branch == branch } } ?? shoots
  }

  /// The shoot at a point of the picture.
  /// - Parameter branch: the branch that the window shows; `nil` for the whole tree.
  public func shoot(at point: Point, inside branch: Int?) -> Shoot? {
    let reach = TreePicture.shootReach / (branch.map { camera(for: $0).scale } ?? 1)
    return shoots(inside: branch).filter { $0.distance(to: point) <= max(reach, $0.radius) }
      .min { $0.distance(to: point) < $1.distance(to: point) }
  }

  /// A line around a shoot, to be painted over the picture when it has the focus or the pointer.
  /// - Parameter scale: of the camera.
  public func ring(around shoot: Shoot, scale: Double) -> Path {
    let radius = max(shoot.radius, 6 / scale) + 4 / scale
    guard let first = shoot.stem.first, let last = shoot.stem.last, (last - first).length > radius * 0.2 else {
      return .circle(shoot.center, radius: radius)
    }
    // Around both ends, half a circle.
    let around = (0...8).map { Double($0) / 8 * .pi - .pi / 2 }
    let (begin, end) = ((shoot.stem[1] - first).unit, (last - shoot.stem[shoot.stem.count - 2]).unit)
    let sides = Spine(through: shoot.stem) { _ in radius * 2 }
    let inner = 1..<(shoot.stem.count - 1)
    return .closed(
      through: around.map { last + end.turned(by: $0) * radius } + sides.edge(1)[inner].reversed()
        + around.map { first - begin.turned(by: $0) * radius } + sides.edge(-1)[inner])
  }
}
