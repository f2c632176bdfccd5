import Glibc
import VectorGraphics

/// One limb of the tree, lying on its side: the trunk's cross-section at the left, the tip at the right.
public struct LimbPicture {
  public let drawing: Drawing
  public let scale: Double
  public let offset: Point

  private let twigs: [(tip: Point, direction: Point)]
  private let occupied: [Point]
  private let view: Rectangle

  /// The side of the square picture of the tree that the limb is taken from, in pixels.
  private static let side = 640.0
  /// Around the limb, in pixels.
  private static let margin = 6.0
  /// The most that the limb is enlarged.
  private static let greatestScale = 2.4

  /// - Parameters:
  ///   - branch: 0…7.
  ///   - reserve: what is left free above, below and behind the limb, for a name, in pixels.
  public init(
    _ state: TreeState, branch: Int, width: Double, height: Double, reserve: Point, palette: Palette
  ) {
    let picture = TreePicture(
      state, side: LimbPicture.side, turn: TreePicture.turn(ofBranch: branch), palette: palette)
    let outline = picture.points(of: branch)
    view = Rectangle(x: 0, y: 0, width: width, height: height)
    let space = Rectangle(
      x: LimbPicture.margin, y: LimbPicture.margin + reserve.y, width: width - 2 * LimbPicture.margin - reserve.x,
      height: height - 2 * (LimbPicture.margin + reserve.y))
    let bounds = Path.open(through: outline).bounds ?? Rectangle(x: 0, y: 0, width: 1, height: 1)
    let scale = min(
      space.width / max(bounds.width, 1), space.height / max(bounds.height, 1), LimbPicture.greatestScale)
    let offset = Point(space.x - bounds.x * scale, space.center.y - bounds.center.y * scale)
    func place(_ point: Point) -> Point { offset + point * scale }
    (self.scale, self.offset) = (scale, offset)
    drawing = picture.drawing(of: branch, closeUp: scale)
    twigs = picture.twigs(of: branch).map { (place($0.tip), $0.direction) }
    occupied = outline.map(place)
  }

  /// Where the name of a twig is written, beside its tip.
  public func label(ofTwig twig: Int, size: LabelSize) -> Rectangle? {
    TwigLabels([size], at: [(twigs[twig].tip, twigs[twig].direction)], avoiding: occupied, in: view.grown(by: -2))
      .labels.first
  }
}
