import Glibc
import VectorGraphics

/// The space that a text takes, in pixels.
public struct LabelSize: Equatable, Sendable {
  public var width, height: Double

  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
}

/// Places the names of the branches around the tree, and gives the remaining space to the tree.
struct LabelLayout {
  /// The area that the tree may fill.
  private(set) var frame: TreePlan.Frame
  /// One for each branch.
  private(set) var labels: [Rectangle] = []

  private static let margin = 10.0
  private static let gap = 8.0
  /// The maximum ratio of the tree's width to its height, and of its height to its width.
  private static let stretch = (wide: 1.6, high: 1.75)

  /// - Parameters:
  ///   - sizes: the sizes of the 8 labels; none for a tree without names.
  ///   - growth: the share of the space that the tree fills, 0…1.
  init(_ sizes: [LabelSize], width: Double, height: Double, growth: Double) {
    let (margin, gap) = (LabelLayout.margin, LabelLayout.gap)
    let center = Point(width / 2, height / 2)
    let above = sizes.isEmpty ? 0 : max(sizes[0].height, sizes[4].height) + gap
    let beside = sizes.isEmpty ? 0 : max(sizes[2].width, sizes[6].width) + gap
    var radiusY = max(height / 2 - margin - above, 1)
    var radiusX = width / 2 - margin - beside
    // In a narrow window there is no room for a name beside the tree.
    let isNarrow = radiusX < min(radiusY, width / 2) * 0.75
    if isNarrow { radiusX = width / 2 - margin }
    radiusX = min(radiusX, radiusY * LabelLayout.stretch.wide)
    radiusY = min(radiusY, radiusX * LabelLayout.stretch.high)
    frame = TreePlan.Frame(center: center, radiusX: radiusX * growth, radiusY: radiusY * growth)
    guard !sizes.isEmpty else { return }
    let view = Rectangle(x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin)
    labels = sizes.indices.map { branch in
      place(branch, sizes[branch], beside: isNarrow).moved(into: view)
    }
    separate(in: view)
    // Leaves reach this far beyond the line on which they grow.
    frame.labels = labels.map { $0.grown(by: gap / 2 + frame.unit * 0.034) }
  }

  /// - Parameter isNarrow: whether the names of the branches to the left and right are above their limbs.
  private func place(_ branch: Int, _ size: LabelSize, beside isNarrow: Bool) -> Rectangle {
    let direction = Point(angle: TreePlan.angle(branch))
    let edge = frame.center + Point(direction.x * frame.radiusX, direction.y * frame.radiusY)
    let gap = LabelLayout.gap
    var middle = edge + Point(direction.x * (size.width / 2 + gap), direction.y * (size.height / 2 + gap))
    if isNarrow, branch % 4 == 2 {
      middle = Point(edge.x, frame.center.y - max(frame.radiusY * 0.3, size.height))
    }
    return Rectangle(
      x: middle.x - size.width / 2, y: middle.y - size.height / 2, width: size.width, height: size.height)
  }

  /// Moves the diagonal branches' labels up or down if they overlap another label. The labels at the top, at the bottom
  /// and at the sides stay where they are.
  private mutating func separate(in view: Rectangle) {
    for branch in [1, 3, 5, 7] {
      let neighbours = [(branch + 7) % 8, (branch + 1) % 8, 8 - branch]
      // Towards the middle, because the labels at the top and bottom can't move.
      let step = branch == 1 || branch == 7 ? 4.0 : -4.0
      var tries = 0
      while tries < 200, neighbours.contains(where: { labels[$0].grown(by: 2).overlaps(labels[branch]) }) {
        labels[branch].y += step
        tries += 1
      }
      labels[branch] = labels[branch].moved(into: view)
    }
  }
}

extension Rectangle {
  /// The nearest position inside `other`.
  func moved(into other: Rectangle) -> Rectangle {
    var moved = self
    moved.x = max(other.x, min(x, other.right - width))
    moved.y = max(other.y, min(y, other.bottom - height))
    return moved
  }
}
