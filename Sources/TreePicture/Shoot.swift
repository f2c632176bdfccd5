import TrunkModel
import VectorGraphics

/// A growing or ready sprout in the picture.
public struct Shoot: Equatable, Sendable {
  /// The id of the sprout.
  public let id: String
  public let twig: Node
  public let center: Point
  /// The distance from the center to its outer edge, in pixels.
  public let radius: Double
}

extension TreePicture {
  /// How near the pointer must be to the center of a small shoot, in pixels.
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
    func distance(_ shoot: Shoot) -> Double { (shoot.center - point).length }
    return shoots(inside: branch).filter { distance($0) <= max(reach, $0.radius) }
      .min { distance($0) < distance($1) }
  }

  /// A ring around a shoot, to be painted over the picture when it has the focus or the pointer.
  /// - Parameter scale: of the camera.
  public func ring(around shoot: Shoot, scale: Double) -> Path {
    .circle(shoot.center, radius: max(shoot.radius, 6 / scale) + 4 / scale)
  }
}
