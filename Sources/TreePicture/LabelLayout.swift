import Glibc
import VectorGraphics

/// The space that a text takes, in pixels.
public struct LabelSize: Equatable, Sendable {
  public var width, height: Double

  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
}

/// The space for the name of a branch.
public struct NamePlace: Equatable, Sendable {
  public var rectangle: Rectangle
  /// Where the text is within the rectangle: -1 on the left, 0 in the middle, 1 on the right.
  public var alignment: Double
  /// The greatest number of lines of the name itself; the number of growing sprouts takes another line.
  public var lines: Int

  /// The size of the letters of the second line, as a share of that of the name.
  public static let detailSize = 0.82
}

/// Places the names of the branches around the tree, and gives the remaining space to the tree. The space for a name
/// depends on the size of the letters and of the view, so a longer name and a first sprout move nothing.
struct LabelLayout {
  /// The area that the tree may fill.
  private(set) var frame: TreePlan.Frame
  /// One for each branch.
  private(set) var places: [NamePlace] = []

  /// The height of a line, as a multiple of the size of the letters.
  static let lineHeight = 1.4
  private static let margin = 10.0
  private static let gap = 8.0
  /// The greatest length of a limb as a share of the space, whatever the size of the tree.
  private static let limbs = 0.8
  /// The maximum ratio of the tree's width to its height, and of its height to its width.
  private static let stretch = (wide: 1.5, high: 1.75)

  /// The size of the letters in a view: in a low one, the names would leave no space for the tree.
  static func fontSize(_ size: Double, height: Double) -> Double { min(size, height / 16) }

  /// - Parameters:
  ///   - fontSize: the size of the names in pixels; `nil` for a tree without names.
  ///   - growth: the share of the space that the tree may fill, 0…1.
  ///   - enlargement: how many times larger the tree is than its space; above 1 for a young tree, whose limbs are
  ///     short.
  ///   - turn: of the tree, clockwise, in radians; only without names, in a square.
  init(
    fontSize: Double?, width: Double, height: Double, growth: Double, enlargement: Double = 1, turn: Double = 0
  ) {
    let (margin, gap) = (LabelLayout.margin, LabelLayout.gap)
    let em = fontSize.map { LabelLayout.fontSize($0, height: height) } ?? 0
    let center = Point(width / 2, height / 2)
    let (above, beside) =
      fontSize == nil
      ? (0, 0)
      : (LabelLayout.height(lines: 1, em) + gap, LabelLayout.size(of: 2, em, width, isNarrow: false).width + gap)
    var radiusY = max(height / 2 - margin - above, 1)
    var radiusX = width / 2 - margin - beside
    // In a narrow window there is no room for a name beside the tree.
    let isNarrow = radiusX < min(radiusY, width / 2) * 0.75
    if isNarrow { radiusX = width / 2 - margin }
    radiusX = min(radiusX, radiusY * LabelLayout.stretch.wide)
    radiusY = min(radiusY, radiusX * LabelLayout.stretch.high)
    let view = Rectangle(x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin)
    frame = TreePlan.Frame(center: center, radiusX: radiusX * growth, radiusY: radiusY * growth, view: view, turn: turn)
    if fontSize != nil { placeNames(em, width, isNarrow: isNarrow, enlargement) }
    frame.radiusX *= enlargement
    frame.radiusY *= enlargement
    frame.limbs = LabelLayout.limbs / (growth * enlargement)
    // Leaves reach this far beyond the line on which they grow.
    frame.labels = places.map { $0.rectangle.grown(by: gap / 2 + frame.unit * 0.034) }
  }

  private mutating func placeNames(_ em: Double, _ width: Double, isNarrow: Bool, _ enlargement: Double) {
    places = (0..<8).map { branch in
      let size = LabelLayout.size(of: branch, em, width, isNarrow: isNarrow)
      let rectangle = place(branch, size, isNarrow: isNarrow, enlargement).moved(into: frame.view)
      return NamePlace(
        rectangle: rectangle, alignment: LabelLayout.alignment(of: branch, isNarrow: isNarrow),
        lines: LabelLayout.lines(of: branch, isNarrow: isNarrow))
    }
    separate(in: frame.view)
  }

  /// A name at the side may have two lines, except in a narrow window, where it is above its limb.
  private static func lines(of branch: Int, isNarrow: Bool) -> Int { isNarrow || branch % 4 == 0 ? 1 : 2 }

  private static func height(lines: Int, _ em: Double) -> Double {
    (Double(lines) + NamePlace.detailSize) * lineHeight * em
  }

  private static func size(of branch: Int, _ em: Double, _ width: Double, isNarrow: Bool) -> LabelSize {
    let limit: Double
    switch branch {
    // Nothing is beside the names at the top and at the bottom.
    case 0, 4: limit = min(14 * em, width * 0.45)
    case 2, 6: limit = isNarrow ? min(7 * em, width * 0.32) : min(6.5 * em, width * 0.3)
    default: limit = isNarrow ? min(7 * em, width * 0.32) : min(9 * em, width * 0.3)
    }
    return LabelSize(width: limit, height: height(lines: lines(of: branch, isNarrow: isNarrow), em))
  }

  /// Names are near their limbs; in a narrow window, at the edge of the view.
  private static func alignment(of branch: Int, isNarrow: Bool) -> Double {
    if branch % 4 == 0 { return 0 }
    return (branch < 4) == isNarrow ? 1 : -1
  }

  private func place(_ branch: Int, _ size: LabelSize, isNarrow: Bool, _ enlargement: Double) -> Rectangle {
    let direction = Point(angle: frame.angle(branch))
    let edge = frame.center + Point(direction.x * frame.radiusX, direction.y * frame.radiusY)
    let gap = LabelLayout.gap
    var middle = edge + Point(direction.x * (size.width / 2 + gap), direction.y * (size.height / 2 + gap))
    if isNarrow, branch % 4 == 2 {
      // The short limb of a young tree needs less room below its name.
      middle = Point(edge.x, frame.center.y - max(frame.radiusY * 0.3 / enlargement, size.height))
    }
    return Rectangle(
      x: middle.x - size.width / 2, y: middle.y - size.height / 2, width: size.width, height: size.height)
  }

  /// Moves names up or down until none overlaps another: the diagonal branches' names away from those at the sides, and
  /// those at the top and bottom farther outwards. If there isn't enough space, moves the names at the sides.
  private mutating func separate(in view: Rectangle) {
    func isBeside(_ one: Int, _ other: Int) -> Bool {
      let (a, b) = (places[one].rectangle, places[other].rectangle)
      return a.x < b.right + LabelLayout.space && b.x < a.right + LabelLayout.space
    }
    for (end, diagonals, isUpper) in [(0, [1, 7], true), (4, [3, 5], false)] {
      func move(_ one: Int, outwardsFrom other: Int) {
        guard isBeside(one, other) else { return }
        places[one].rectangle.moveAway(from: places[other].rectangle, upwards: isUpper)
      }
      func move(_ one: Int, inwardsFrom other: Int) {
        guard isBeside(one, other) else { return }
        places[one].rectangle.moveAway(from: places[other].rectangle, upwards: !isUpper)
      }
      for diagonal in diagonals {
        move(diagonal, outwardsFrom: diagonal < 4 ? 2 : 6)
        move(end, outwardsFrom: diagonal)
      }
      places[end].rectangle = places[end].rectangle.moved(into: view)
      for diagonal in diagonals {
        move(diagonal, inwardsFrom: end)
        move(diagonal < 4 ? 2 : 6, inwardsFrom: diagonal)
      }
    }
  }

  /// Between two names, in pixels.
  fileprivate static let space = 2.0
}

extension Rectangle {
  /// Moves the rectangle up or down until it is above or below another one; not in the other direction.
  fileprivate mutating func moveAway(from other: Rectangle, upwards: Bool) {
    y = upwards ? min(y, other.y - LabelLayout.space - height) : max(y, other.bottom + LabelLayout.space)
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
