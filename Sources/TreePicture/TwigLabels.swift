import Glibc
import VectorGraphics

/// Places the names of twigs beside their tips: close to them, apart from each other and, where possible, not on
/// leaves.
struct TwigLabels {
  private(set) var labels: [Rectangle] = []

  private let view: Rectangle
  /// The points of the drawing that a name should not cover.
  private let occupied: [Point]

  init(
    _ sizes: [LabelSize], at tips: [(place: Point, direction: Point)], avoiding occupied: [Point], in view: Rectangle
  ) {
    self.view = view
    self.occupied = occupied
    for (size, tip) in zip(sizes, tips) { labels.append(place(size, at: tip.place, towards: tip.direction)) }
  }

  private func place(_ size: LabelSize, at tip: Point, towards direction: Point) -> Rectangle {
    var best: (rectangle: Rectangle, cost: Double)?
    for distance in stride(from: 4.0, through: max(view.width, view.height), by: 12) {
      // Candidates farther away can't have a lower cost.
      if let best, best.cost < distance { break }
      for turn in stride(from: -Double.pi, to: .pi, by: .pi / 8) {
        let candidate = rectangle(size, around: tip, towards: direction.turned(by: turn), distance: distance)
        guard view.contains(candidate), !labels.contains(where: { $0.grown(by: 3).overlaps(candidate) }) else {
          continue
        }
        let covered = occupied.count { candidate.grown(by: 12).contains($0) }
        let cost = distance + abs(turn) * 10 + Double(covered) * 9
        if cost < best?.cost ?? .infinity { best = (candidate, cost) }
      }
    }
    // If the view is too small for eight names, place the name on the tip, even over other things.
    return best?.rectangle
      ?? Rectangle(x: tip.x - size.width / 2, y: tip.y - size.height / 2, width: size.width, height: size.height)
      .moved(into: view)
  }

  private func rectangle(
    _ size: LabelSize, around tip: Point, towards direction: Point, distance: Double
  ) -> Rectangle {
    let middle =
      tip + Point(direction.x * (size.width / 2 + distance), direction.y * (size.height / 2 + distance))
    return Rectangle(
      x: middle.x - size.width / 2, y: middle.y - size.height / 2, width: size.width, height: size.height)
  }
}
