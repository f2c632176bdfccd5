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
    for (size, tip) in zip(sizes, tips) {
      guard let place = place(size, at: tip.place, towards: tip.direction) else {
        labels = TwigLabels.columns(sizes, tips.map(\.place), in: view)
        return
      }
      labels.append(place)
    }
  }

  /// Places the names in two columns at the edges of a view that is too small to have all of them beside their tips.
  private static func columns(_ sizes: [LabelSize], _ tips: [Point], in view: Rectangle) -> [Rectangle] {
    var labels = sizes.map { Rectangle(x: view.x, y: view.y, width: $0.width, height: $0.height) }
    let fromLeft = tips.indices.sorted { tips[$0].x < tips[$1].x }
    let half = (tips.count + 1) / 2
    for (column, isLeft) in [(fromLeft.prefix(half), true), (fromLeft.dropFirst(half), false)] {
      let height = view.height / Double(max(column.count, 1))
      for (row, index) in column.sorted(by: { tips[$0].y < tips[$1].y }).enumerated() {
        if !isLeft { labels[index].x = view.right - labels[index].width }
        labels[index].y = view.y + height * (Double(row) + 0.5) - labels[index].height / 2
      }
    }
    return labels
  }

  private func place(_ size: LabelSize, at tip: Point, towards direction: Point) -> Rectangle? {
    var best: (rectangle: Rectangle, cost: Double)?
    for distance in stride(from: 12.0, through: max(view.width, view.height), by: 12) {
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
    return best?.rectangle
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
